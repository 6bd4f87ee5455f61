/**
 * Waits for new events in the outbox: for PostgreSQL's notification, or the next poll. While the API reports that people are being kept
 * waiting, events wait too, for a limited time: handling them would take CPU from people, and many at once cost less than one by one.
 */
import type { Logger } from 'pino';
import { Listener } from '../../db/listener.ts';
import { OUTBOX_CHANNEL, type Poke } from '../../db/pokes.ts';

/** Maximum time for which events wait while people are kept waiting. */
export const HOLD_MS = 3000;
/** Time after its last report during which people count as waiting. */
const BUSY_MS = 400;

export class WakeUp {
  readonly #listener: Listener;
  readonly #now: () => number;
  /** A wake-up that arrived while nobody waited. */
  #pending: Poke | null = null;
  #resolve: (() => void) | null = null;
  #busyUntil = 0;

  /** @param now milliseconds of a steady clock */
  constructor(url: string, logger: Logger, now = () => performance.now()) {
    this.#now = now;
    this.#listener = new Listener(
      { url, channel: OUTBOX_CHANNEL, applicationName: 'relay' },
      {
        notified: (payload) => this.wake(payload as Poke),
        connected: () => this.wake(),
        lost: (error) => logger.warn({ error: String(error) }, 'Not listening for events; the outbox is polled'),
      },
    );
  }

  /** Starts to listen. While the connection is lost, waiting ends by time alone. */
  listen(): Promise<void> {
    return this.#listener.listen();
  }

  /** @param poke `busy` only says that it is so */
  wake(poke: Poke = ''): void {
    if (poke === 'busy') this.#busyUntil = this.#now() + BUSY_MS;
    else if (this.#pending !== 'urgent') this.#pending = poke;
    this.#resolve?.();
  }

  /**
   * Ends at the next wake-up, at once when one came since the last wait, or after `ms`. While people wait, only an urgent one ends it, or
   * `HOLD_MS`.
   */
  async wait(ms: number): Promise<void> {
    const started = this.#now();
    for (;;) {
      if (this.#pending === 'urgent') break;
      const now = this.#now();
      const heldUntil = Math.min(this.#busyUntil, started + HOLD_MS);
      if (now >= heldUntil && (this.#pending !== null || now >= started + ms)) break;
      await this.#poked(Math.max(heldUntil, this.#pending === null ? started + ms : 0) - now);
    }
    this.#pending = null;
  }

  close(): Promise<void> {
    return this.#listener.close();
  }

  async #poked(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#resolve = resolve;
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
    this.#resolve = null;
  }
}
