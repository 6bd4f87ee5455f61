/** Waits for news of the outbox: PostgreSQL's notification, or the time when one looks anyway. */

import pg from 'pg';
import type { Logger } from 'pino';
import { OUTBOX_CHANNEL } from '../../db/database.ts';

const RECONNECT_MS = 2000;

export class WakeUp {
  readonly #url: string;
  readonly #logger: Logger;
  #client: pg.Client | null = null;
  #retry: NodeJS.Timeout | null = null;
  #closed = false;
  /** News that came while nobody waited. */
  #pending = false;
  #resolve: (() => void) | null = null;

  constructor(url: string, logger: Logger) {
    this.#url = url;
    this.#logger = logger;
  }

  /** Starts to listen. A lost connection is opened again; until then the waiting ends by time alone. */
  async listen(): Promise<void> {
    if (this.#closed) return;
    const client = new pg.Client({ connectionString: this.#url, application_name: 'relay', keepAlive: true });
    client.on('notification', () => this.wake());
    client.on('error', () => this.#lost(client));
    client.on('end', () => this.#lost(client));
    this.#client = client;
    try {
      await client.connect();
      await client.query(`listen ${OUTBOX_CHANNEL}`);
      this.wake();
    } catch (error) {
      this.#logger.warn({ error: String(error) }, 'Not listening for events; the outbox is polled');
      this.#lost(client);
    }
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

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#retry !== null) clearTimeout(this.#retry);
    const client = this.#client;
    this.#client = null;
    // The server may be gone already; either way the connection is given up.
    await client?.end().catch(() => undefined);
  }

  #lost(client: pg.Client): void {
    if (this.#client !== client || this.#closed) return;
    this.#client = null;
    client.end().catch(() => undefined); // it is broken already
    this.#retry = setTimeout(() => void this.listen(), RECONNECT_MS);
  }
}
