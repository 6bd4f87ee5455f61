/**
 * Caches callers in each process until the database notifies that one has changed. Triggers notify in each transaction that changes a
 * membership, a user, a session, a key or the definitions of custom fields (migration 0063).
 */
import { newId } from '../../db/ids.ts';
import { type Hearing, Listener } from '../../db/listener.ts';

/** Carries changed ids, and the questions and answers between processes whether they have received them. */
const CHANNEL = 'callers';
const APPLICATION = 'callers';
const ASKS = 'ask ';
const HEARD = 'heard ';
/** The longest that a change waits for all processes to receive it. */
const HEARD_WITHIN_MS = 5000;

const ASK_SQL = `select pg_notify('${CHANNEL}', $1), count(*)::integer as processes
  from pg_stat_activity where application_name = '${APPLICATION}' and datname = current_database()`;

/** Limit of cached callers, and of changes; the cache is cleared when one is reached. */
const MOST = 10_000;

interface Kept {
  readonly caller: unknown;
  /** Ids of the rows it was read from: a change of any of them invalidates it. */
  readonly from: readonly string[];
  /** The number of changes received before it was read. */
  readonly asOf: number;
}

export class CallerCache {
  readonly #listener: Listener;
  readonly #kept = new Map<string, Kept>();
  /** The last change of each id, by the count of all changes. */
  readonly #changed = new Map<string, number>();
  #changes = 0;
  /** Entries read before this count of changes may be outdated. */
  #knownSince = 0;
  #listening = false;
  #changedId: (id: string) => void = () => undefined;
  /** Called with each answer, by question. */
  readonly #waiting = new Map<string, () => void>();

  /** @param lost called when the connection is lost and nothing is cached because changes would be missed */
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

  /** Hears of another channel on the same connection. Must be called before it listens. */
  hear(channel: string, hearing: Hearing): void {
    this.#listener.hear(channel, hearing);
  }

  /** Calls `act` with the id of each user, key or company that has changed. */
  onChange(act: (id: string) => void): void {
    this.#changedId = act;
  }

  close(): Promise<void> {
    this.#listening = false;
    return this.#listener.close();
  }

  /**
   * The cached caller of a key, else the one that `read` finds.
   * @param from ids of all rows that the caller depends on
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
   * Resolves once all processes have received the changes committed so far, or after five seconds. So a client that learns of a change
   * finds it in every process.
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

  /** A process that has lost its connection does not answer, but caches nothing either. */
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
    this.#changedId(id);
  }

  #forget(): void {
    this.#changes += 1;
    this.#knownSince = this.#changes;
    this.#kept.clear();
    this.#changed.clear();
  }
}
