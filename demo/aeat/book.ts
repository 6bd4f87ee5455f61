/** The memory of the stand-in: a journal on disk, written before it answers, so that nothing is forgotten when it is killed. */
import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { InvoiceKey } from '../../domain/ledger/verifactu/records.ts';

/** A record as it was stored. */
export interface StoredRecord {
  readonly reference: string | null;
  readonly invoice: InvoiceKey;
  readonly kind: 'registration' | 'annulment';
  readonly state: 'Correcto' | 'AceptadoConErrores';
  readonly error: { readonly code: string; readonly text: string } | null;
  readonly hash: string;
}

/** A record that has arrived, whether it was stored or not: the chain goes on with it. */
export interface Arrived {
  /** The company and its installation. */
  readonly chain: string;
  readonly key: InvoiceKey & { readonly hash: string };
  /** Whether it names the record that arrived before it. */
  readonly isLinked: boolean;
}

/** A message with what became of it. */
export interface Entry {
  readonly at: string;
  readonly csv: string | null;
  readonly incident: boolean;
  readonly arrived: readonly Arrived[];
  readonly stored: readonly StoredRecord[];
}

type InvoiceState = Pick<StoredRecord, 'error'> & { readonly state: 'Correcta' | 'AceptadaConErrores' | 'Anulada' };

export class Book {
  readonly #file: number;
  readonly entries: Entry[] = [];
  readonly #invoices = new Map<string, InvoiceState>();
  readonly #last = new Map<string, Arrived['key']>();
  readonly #hashes = new Set<string>();

  constructor(path: string) {
    const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
    // A line that was not written to its end was never answered.
    for (const line of lines.slice(0, -1)) this.#add(JSON.parse(line) as Entry);
    this.#file = openSync(path, 'a');
    ftruncateSync(
      this.#file,
      Buffer.byteLength(
        lines
          .slice(0, -1)
          .map((line) => `${line}\n`)
          .join(''),
      ),
    );
  }

  write(entry: Entry): void {
    writeSync(this.#file, `${JSON.stringify(entry)}\n`);
    fsyncSync(this.#file);
    this.#add(entry);
  }

  /**
   * The state of an invoice; undefined if there is no record of it.
   * @param sooner records of the message that is being read
   */
  state(invoice: InvoiceKey, sooner: readonly StoredRecord[]): InvoiceState | undefined {
    const key = name(invoice);
    const last = sooner.findLast((one) => name(one.invoice) === key);
    return last === undefined ? this.#invoices.get(key) : stateAfter(last);
  }

  /** The record of a chain that arrived last. */
  last(chain: string): Arrived['key'] | undefined {
    return this.#last.get(chain);
  }

  /** Whether a record with this hash has arrived before. */
  knows(hash: string): boolean {
    return this.#hashes.has(hash);
  }

  /** Forgets everything, as an agency that lost its data would. */
  forget(): void {
    ftruncateSync(this.#file, 0);
    this.entries.length = 0;
    this.#invoices.clear();
    this.#last.clear();
    this.#hashes.clear();
  }

  close(): void {
    closeSync(this.#file);
  }

  #add(entry: Entry): void {
    this.entries.push(entry);
    for (const { chain, key } of entry.arrived) {
      this.#last.set(chain, key);
      this.#hashes.add(key.hash);
    }
    for (const record of entry.stored) this.#invoices.set(name(record.invoice), stateAfter(record));
  }
}

function stateAfter({ kind, state, error }: StoredRecord): InvoiceState {
  const stored = state === 'Correcto' ? 'Correcta' : 'AceptadaConErrores';
  return { state: kind === 'annulment' ? 'Anulada' : stored, error };
}

function name({ issuer, number, date }: InvoiceKey): string {
  return JSON.stringify([issuer, number, date]);
}
