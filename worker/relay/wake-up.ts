/** Waits for new events in the outbox: for PostgreSQL's notification, or the next poll. */
import type { Logger } from 'pino';
import { OUTBOX_CHANNEL } from '../../db/database.ts';
import { Listener } from '../../db/listener.ts';

export class WakeUp {
  readonly #listener: Listener;
  /** A wake-up that arrived while nobody waited. */
  #pending = false;
  #resolve: (() => void) | null = null;

  constructor(url: string, logger: Logger) {
    this.#listener = new Listener(
      { url, channel: OUTBOX_CHANNEL, applicationName: 'relay' },
      {
        notified: () => this.wake(),
        connected: () => this.wake(),
        lost: (error) => logger.warn({ error: String(error) }, 'Not listening for events; the outbox is polled'),
      },
    );
  }

  /** Starts to listen. While the connection is lost, waiting ends by time alone. */
  listen(): Promise<void> {
    return this.#listener.listen();
  }

  wake(): void {
    this.#pending = true;
    this.#resolve?.();
  }

  /** Ends at the next wake-up, at once when one came since the last wait, or after `ms`. */
  async wait(ms: number): Promise<void> {
    if (!this.#pending) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#resolve = resolve;
        timer = setTimeout(resolve, ms);
      });
      clearTimeout(timer);
      this.#resolve = null;
    }
    this.#pending = false;
  }

  close(): Promise<void> {
    return this.#listener.close();
  }
}
