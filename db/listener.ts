/** Listens to PostgreSQL channels on one connection, and reconnects when it is lost. */
import type pg from 'pg';
import { primaryClient } from './primary.ts';

const RECONNECT_MS = 2000;

export interface Handlers {
  /** Called with the text of each notification. */
  notified(payload: string): void;
  /** Called when notifications are no longer missed. */
  connected?(): void;
  /** Called when notifications may be missed, until it is connected again. */
  lost?(error: unknown): void;
}

export class Listener {
  readonly #options: { readonly url: string; readonly applicationName: string };
  readonly #handlers = new Map<string, Handlers>();
  #client: pg.Client | null = null;
  #retry: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(options: { url: string; channel: string; applicationName: string }, handlers: Handlers) {
    this.#options = options;
    this.#handlers.set(options.channel, handlers);
  }

  /** Adds a channel on the same connection. Must be called before `listen`. */
  subscribe(channel: string, handlers: Handlers): void {
    this.#handlers.set(channel, handlers);
  }

  /** Starts to listen; resolves once it listens or the first try has failed. */
  async listen(): Promise<void> {
    if (this.#closed) return;
    const { url, applicationName } = this.#options;
    const client = primaryClient(url, { application_name: applicationName, keepAlive: true });
    client.on('notification', ({ channel, payload = '' }) => this.#handlers.get(channel)?.notified(payload));
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, new Error('The connection has ended')));
    this.#client = client;
    try {
      await client.connect();
      for (const channel of this.#handlers.keys()) await client.query(`listen ${channel}`);
      if (this.#client !== client) return;
      for (const handlers of this.#handlers.values()) handlers.connected?.();
    } catch (error) {
      this.#lost(client, error);
    }
  }

  /** Runs a statement on the listening connection. @returns its rows; none while the connection is lost */
  async query<Row extends object>(sql: string, values: readonly unknown[]): Promise<Row[]> {
    return this.#client === null ? [] : (await this.#client.query<Row>(sql, [...values])).rows;
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#retry !== null) clearTimeout(this.#retry);
    const client = this.#client;
    this.#client = null;
    // The server may be gone; the connection is given up either way.
    await client?.end().catch(() => undefined);
  }

  #lost(client: pg.Client, error: unknown): void {
    if (this.#client !== client || this.#closed) return;
    this.#client = null;
    for (const handlers of this.#handlers.values()) handlers.lost?.(error);
    client.end().catch(() => undefined); // It is already broken.
    this.#retry = setTimeout(() => void this.listen(), RECONNECT_MS);
  }
}
