/**
 * What is known of callers, kept in each process until the database says that something about one has changed: its triggers notify within
 * the transaction that changes a membership, a user, a session, a key or the definitions of custom fields (migration 0063).
 */
import { newId } from '../../db/ids.ts';
import { Listener } from '../../db/listener.ts';

/** Carries ids that have changed, and what processes ask and answer one another about that. */
const CHANNEL = 'callers';
const APPLICATION = 'callers';
const ASKS = 'ask ';
const HEARD = 'heard ';
/** How long a change waits at most until all processes have heard of it. */
const HEARD_WITHIN_MS = 5000;

const ASK_SQL = `select pg_notify('${CHANNEL}', $1), count(*)::integer as processes
  from pg_stat_activity where application_name = '${APPLICATION}' and datname = current_database()`;

/** How many callers, and changes, are remembered; beyond, all is forgotten and read again. */
const MOST = 10_000;

interface Kept {
  readonly caller: unknown;
  /** Ids of what it was read from: a change of any of them ends it. */
  readonly from: readonly string[];
  /** The changes that were known before it was read. */
  readonly asOf: number;
}

export class CallerCache {
  readonly #listener: Listener;
  readonly #kept = new Map<string, Kept>();
  /** When each id was changed last, by the count of all changes. */
  readonly #changed = new Map<string, number>();
  #changes = 0;
  /** What was read before that count of changes is not known to be current. */
  #knownSince = 0;
  #listening = false;
  /** Who waits for answers, by what they asked. */
  readonly #waiting = new Map<string, () => void>();

  /** @param lost is told when nothing is kept, since changes would be missed */
  constructor(url: string, lost: (error: unknown) => void) {
    this.#listener = new Listener(
      { url, channel: CHANNEL, applicationName: APPLICATION },
      {
        notified: (text) => this.#notified(text),
        connected: () => {
          this.#forget();
          this.#listening = true;
        },
        lost: (error) => {
          this.#forget();
          if (this.#listening) lost(error);
          this.#listening = false;
        },
      },
    );
  }

  listen(): Promise<void> {
    return this.#listener.listen();
  }

  close(): Promise<void> {
    this.#listening = false;
    return this.#listener.close();
  }

  /**
   * Who is known by a key, else who `read` finds.
   * @param from ids of all that the answer depends on; `found` is kept with them
   */
  async get<T>(
    key: string,
    from: (found: T) => readonly string[],
    read: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const kept = this.#kept.get(key);
    if (kept !== undefined && this.#isCurrent(kept)) return kept.caller as T;
    const asOf = this.#changes;
    const caller = await read();
    if (caller === undefined || !this.#listening) return caller;
    if (this.#kept.size >= MOST) this.#kept.clear();
    this.#kept.set(key, { caller, from: from(caller), asOf });
    return caller;
  }

  /**
   * Resolves once all processes have heard of the changes that are committed so far, or five seconds later: who is told that a change is done
   * meets it everywhere.
   */
  async heard(): Promise<void> {
    if (!this.#listening) return;
    const question = newId();
    let answers = 0;
    let processes = Number.POSITIVE_INFINITY;
    let timer: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        timer = setTimeout(resolve, HEARD_WITHIN_MS);
        this.#waiting.set(question, () => {
          answers += 1;
          if (answers >= processes) resolve();
        });
        this.#listener.query<{ processes: number }>(ASK_SQL, [ASKS + question]).then(([found]) => {
          processes = found?.processes ?? 0;
          if (answers >= processes) resolve();
        }, reject);
      });
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(question);
    }
  }

  #notified(text: string): void {
    if (text.startsWith(ASKS)) this.#answer(text.slice(ASKS.length));
    else if (text.startsWith(HEARD)) this.#waiting.get(text.slice(HEARD.length))?.();
    else this.#change(text);
  }

  /** Who asks hears no answer of a process whose connection is lost, and which keeps nothing then. */
  #answer(question: string): void {
    this.#listener.query(`select pg_notify('${CHANNEL}', $1)`, [HEARD + question]).catch(() => undefined);
  }

  #isCurrent({ from, asOf }: Kept): boolean {
    return asOf >= this.#knownSince && from.every((id) => (this.#changed.get(id) ?? 0) <= asOf);
  }

  #change(id: string): void {
    if (this.#changed.size >= MOST) this.#forget();
    this.#changes += 1;
    this.#changed.set(id, this.#changes);
  }

  #forget(): void {
    this.#changes += 1;
    this.#knownSince = this.#changes;
    this.#kept.clear();
    this.#changed.clear();
  }
}
