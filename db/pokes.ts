/**
 * Wakes the relays shortly after events are committed. NOTIFY within the writing transactions would serialize all commits (it takes a
 * server-wide lock), so it is sent separately, once for many transactions. It is only a hint: the relay also polls.
 */

/** PostgreSQL channel that wakes the relays. */
export const OUTBOX_CHANNEL = 'outbox';

/** Content of a wake-up: there are events; there are events, but people are waiting for the database; somebody waits for their results. */
export type Poke = '' | 'busy' | 'urgent';

/** Shortest interval between wake-ups, however many transactions write events. */
const INTERVAL_MS = 25;
/** Shortest interval while people wait: the relays only need to know that this has not changed. */
const BUSY_INTERVAL_MS = 100;

export class Pokes {
  readonly #notify: (poke: Poke) => Promise<unknown>;
  readonly #isBusy: () => boolean;
  #timer: NodeJS.Timeout | null = null;
  #urgent = false;
  #wasBusy = false;

  constructor(notify: (poke: Poke) => Promise<unknown>, isBusy: () => boolean) {
    this.#notify = notify;
    this.#isBusy = isBusy;
  }

  /** Must be called after a commit of events. @param urgent whether somebody waits for their results */
  committed(urgent: boolean): void {
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
    this.#wasBusy = this.#isBusy();
    const poke = this.#urgent ? 'urgent' : this.#wasBusy ? 'busy' : '';
    this.#urgent = false;
    // A lost wake-up costs only a moment.
    this.#notify(poke).then(undefined, () => undefined);
  }
}
