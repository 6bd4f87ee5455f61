/**
 * Wakes the relays shortly after events are committed. NOTIFY within the writing transactions would serialize all commits (it takes a
 * server-wide lock), so it is sent separately, once for many transactions. It is only a hint: the relay also polls.
 */

/** PostgreSQL channel that wakes the relays. */
export const OUTBOX_CHANNEL = 'outbox';

/**
 * Content of a wake-up: there are events; there are events, but people are waiting for the database, all of them or those of a company;
 * somebody waits for their results; workers begin so many milliseconds late with what the events of a company start.
 */
export type Poke = '' | 'busy' | `busy ${string}` | 'urgent' | `late ${number} ${string}`;

/** Shortest interval between wake-ups, however many transactions write events. */
const INTERVAL_MS = 25;
/** Shortest interval while people wait: the relays only need to know that this has not changed. */
const BUSY_INTERVAL_MS = 100;

/** Who is kept waiting: all companies, none, or those with so much under way that they wait for themselves. */
export interface Busy {
  readonly all: boolean;
  has(tenantId: string): boolean;
}

export class Pokes {
  readonly #notify: (poke: Poke) => Promise<unknown>;
  readonly #busy: () => Busy;
  #timer: NodeJS.Timeout | null = null;
  #urgent = false;
  #wasBusy = false;
  /** Companies with events since the last wake-up; null for those of no company. */
  #committed = new Set<string | null>();

  constructor(notify: (poke: Poke) => Promise<unknown>, busy: () => Busy) {
    this.#notify = notify;
    this.#busy = busy;
  }

  /** Must be called after a commit of events. @param urgent whether somebody waits for their results */
  committed(tenantId: string | null, urgent: boolean): void {
    this.#committed.add(tenantId);
    if (urgent && !this.#urgent) {
      this.#urgent = true;
      this.close();
    }
    this.#timer ??= setTimeout(() => this.#poke(), this.#wasBusy && !this.#urgent ? BUSY_INTERVAL_MS : INTERVAL_MS);
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #poke(): void {
    this.#timer = null;
    const pokes = this.#urgent ? ['urgent' as const] : this.#pokes();
    this.#wasBusy = pokes.some((poke) => poke.startsWith('busy'));
    this.#urgent = false;
    this.#committed = new Set();
    // A lost wake-up costs only a moment.
    for (const poke of pokes) this.#notify(poke).then(undefined, () => undefined);
  }

  /** A company that is busy holds up its own events, not those of others. */
  #pokes(): Poke[] {
    const busy = this.#busy();
    if (busy.all) return ['busy'];
    const committed = [...this.#committed];
    const own = committed.flatMap((id): Poke[] => (id !== null && busy.has(id) ? [`busy ${id}`] : []));
    return own.length === committed.length ? own : [...own, ''];
  }
}
