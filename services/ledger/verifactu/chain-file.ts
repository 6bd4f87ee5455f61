/** All records of a company as a file, each checked while it is written: what an inspector is given, and can check in turn. */
import { createHash } from 'node:crypto';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { type ChainedRecord, type ChainFault, chainFaults } from '../../../domain/ledger/verifactu/chain-check.ts';
import type { Link } from '../../../domain/ledger/verifactu/records.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { STORED_COLUMNS, type StoredRecordRow, storedRecord } from './stored-record.ts';

const PAGE = 500;

interface Row extends StoredRecordRow {
  readonly chain_id: string;
  readonly status: string;
  readonly csv: string | null;
  /** The last record of the program before; only with the first one of a chain. */
  readonly inherited: NonNullable<Link['previous']> | null;
}

/** By chain, in its order. */
const ROWS = `
  select ${STORED_COLUMNS}, r.chain_id, case when r.seq = 1 then c.inherited end as inherited, coalesce(e.status, 'queued') as status, s.csv
  from verifactu_records r
  join verifactu_chains c on c.id = r.chain_id
  left join verifactu_results e on e.record_id = r.id
  left join verifactu_submissions s on s.id = e.submission_id
  where (r.chain_id, r.seq) > (:chainId::uuid, :seq)
  order by r.chain_id, r.seq limit ${PAGE}`;
const FIRST = { chainId: '00000000-0000-0000-0000-000000000000', seq: 0 };

/**
 * Opens the file: JSON, one value a line. The first is about the company, the last says how many records there are, and which are faulty.
 * @param db a snapshot
 */
export async function openChainFile(db: Db, ctx: Context) {
  const { name, taxId } = await loadSettings(db, 'company');
  const head = { company: { name, taxId }, madeAt: ctx.now.toISOString() };
  return {
    name: `verifactu-${ctx.now.toISOString().slice(0, 10)}.jsonl`,
    type: 'application/x-ndjson',
    write: (output: Writable) => pipeline(Readable.from(lines(db, head)), output),
  };
}

async function* lines(db: Db, head: object): AsyncGenerator<string> {
  yield line(head);
  let [count, faulty]: [number, number] = [0, 0];
  let before: (ChainedRecord & { readonly chainId: string }) | null = null;
  for (let after = FIRST, more = true; more; ) {
    const rows: Row[] = await query<Row>(db, ROWS, after);
    const written: string[] = [];
    for (const row of rows) {
      const one = {
        ...storedRecord(row),
        seq: row.seq,
        generatedAt: new Date(row.generated_at),
        chainId: row.chain_id,
      };
      const known = before?.chainId === row.chain_id ? before : null;
      const faults: ChainFault[] = chainFaults(one, known, sha256, row.inherited);
      written.push(line(shown(row, faults)));
      count += 1;
      faulty += Number(faults.length > 0);
      before = one;
    }
    yield written.join('');
    const last = rows.at(-1);
    more = rows.length === PAGE;
    if (last !== undefined) after = { chainId: last.chain_id, seq: last.seq };
  }
  yield line({ records: count, faulty, isIntact: faulty === 0 });
}

function shown(row: Row, faults: readonly ChainFault[]) {
  return {
    id: row.id,
    chainId: row.chain_id,
    seq: row.seq,
    kind: row.kind,
    record: row.record,
    previous: row.previous,
    generatedAt: row.generated_text,
    hash: row.hash,
    programVersion: row.version,
    status: row.status,
    csv: row.csv,
    faults,
  };
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex').toUpperCase();
}
