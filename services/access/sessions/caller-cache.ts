/**
 * Caches callers in each process until the database notifies that one has changed. Triggers notify in each transaction that changes a
 * membership, a user, a session, a key or the definitions of custom fields.
 */
import { newId } from '../../../db/ids.ts';
import { type Handlers, Listener } from '../../../db/listener.ts';

/** Channel of changed ids, and of the processes' questions and answers on whether they have received them. */
const CHANNEL = 'callers';
const APPLICATION = 'callers';
const ASKS = 'ask ';
const HEARD = 'heard ';
/** Maximum time to wait until all processes have received a change. */
const HEARD_TIMEOUT_MS = 5000;

const ASK_SQL = `select pg_notify('${CHANNEL}', $1), count(*)::integer as processes
  from pg_stat_activity where application_name = '${APPLICATION}' and datname = current_database()`;

/** Maximum cached callers, and changes; the cache is cleared when either is reached. */
const MAX_ENTRIES = 10_000;

interface CachedCaller {
  readonly caller: unknown;
  /** Ids of the rows that it was read from: a change of any of them invalidates it. */
  readonly from: readonly string[];
  /** Number of changes received before it was read. */
  readonly generation: number;
}

export class CallerCache {
  readonly #listener: Listener;
  readonly #kept = new Map<string, CachedCaller>();
  /** Last change of each id, as the count of all changes at that time. */
  readonly #changed = new Map<string, number>();
  #changes = 0;
  /** Entries read before this count of changes may be outdated. */
  #knownSince = 0;
  #listening = false;
  #changedId: (id: string) => void = () => undefined;
  /** Callbacks for answers, by question. */
  readonly #waiting = new Map<string, () => void>();

  /** @param lost called when the connection is lost; nothing is cached then, because changes would be missed */
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

  /** Listens to another channel on the same connection. Must be called before `listen`. */
  subscribe(channel: string, handlers: Handlers): void {
    this.#listener.subscribe(channel, handlers);
  }

  /** Calls `act` with the id of each user, key or company that changes. */
  onChange(act: (id: string) => void): void {
    this.#changedId = act;
  }

  close(): Promise<void> {
    this.#listening = false;
    return this.#listener.close();
  }

  /**
   * Returns the cached caller of a key, or else the one that `read` finds.
   * @param from ids of all rows that the caller depends on
   */
  async get<T>(
    key: string,
    from: (found: T) => readonly string[],
    read: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const kept = this.#kept.get(key);
    if (kept !== undefined && this.#isCurrent(kept)) return kept.caller as T;
    const generation = this.#changes;
    const caller = await read();
    if (caller === undefined || !this.#listening) return caller;
    if (this.#kept.size >= MAX_ENTRIES) this.#kept.clear();
    this.#kept.set(key, { caller, from: from(caller), generation });
    return caller;
  }

  /**
   * Resolves once all processes have received the changes committed so far, or after five seconds, so that a client that learns of a change
   * finds it in every process.
   */
  async allReceived(): Promise<void> {
    if (!this.#listening) return;
    const question = newId();
    let answers = 0;
    let processes = Number.POSITIVE_INFINITY;
    let timer: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        timer = setTimeout(resolve, HEARD_TIMEOUT_MS);
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

  /** Answers another process's question. A process that has lost its connection does not answer, but caches nothing either. */
  #answer(question: string): void {
    this.#listener.query(`select pg_notify('${CHANNEL}', $1)`, [HEARD + question]).catch(() => undefined);
  }

  #isCurrent({ from, generation }: CachedCaller): boolean {
    return generation >= this.#knownSince && from.every((id) => (this.#changed.get(id) ?? 0) <= generation);
  }

  #change(id: string): void {
    if (this.#changed.size >= MAX_ENTRIES) this.#forget();
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
