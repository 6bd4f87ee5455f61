/**
 * Wakes the relays shortly after events are committed. NOTIFY within the writing transactions would serialize all commits (it takes a
 * server-wide lock), so it is sent separately, once for many transactions. It is only a hint: the relay also polls.
 */

/** PostgreSQL channel that wakes the relays. */
export const OUTBOX_CHANNEL = 'outbox';

/** What a wake-up says: there are events; the same, but people are being kept waiting; somebody waits for their results. */
export type Poke = '' | 'busy' | 'urgent';

/** Shortest interval between wake-ups, however many transactions write events. */
const INTERVAL_MS = 25;
/** While people wait, the relays need to know only that it is still so. */
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
    // A lost one costs just a moment.
    this.#notify(poke).then(undefined, () => undefined);
  }
}
