/**
 * Listens to PostgreSQL channels on one connection, and reconnects when it is lost. A listener sends nothing by itself, so that it would
 * not notice a server that is gone without a word: it looks now and then whether the connection still answers.
 */
import type pg from 'pg';
import { primaryClient } from './primary.ts';
import { close } from './silence.ts';

const RECONNECT_MS = 2000;
/** How often it looks, and how long an answer may take, as may a connection. */
const LOOK_MS = 15_000;
const ANSWER_MS = 5000;

export interface Handlers {
  /** Called with the text of each notification. */
  notified(payload: string): void;
  /** Called when notifications are no longer missed. */
  connected?(): void;
  /** Called when notifications may be missed, until it is connected again. */
  lost?(error: unknown): void;
}

export interface ListenerOptions {
  readonly url: string;
  readonly channel: string;
  readonly applicationName: string;
  /** How often it looks whether the connection answers; every 15 s by default. */
  readonly lookMs?: number;
}

export class Listener {
  readonly #options: ListenerOptions;
  readonly #handlers = new Map<string, Handlers>();
  #client: pg.Client | null = null;
  #retry: NodeJS.Timeout | null = null;
  #looking: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(options: ListenerOptions, handlers: Handlers) {
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
    const client = primaryClient(url, {
      application_name: applicationName,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      // Looks and statements of `query` need not wait for each other.
      pipeline: true,
    });
    client.on('notification', ({ channel, payload = '' }) => this.#handlers.get(channel)?.notified(payload));
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, new Error('The connection has ended')));
    this.#client = client;
    try {
      await client.connect();
      for (const channel of this.#handlers.keys()) await client.query(`listen ${channel}`);
      if (this.#client !== client) return;
      this.#looking = setInterval(() => {
        client.query('select 1').catch((error: unknown) => this.#lost(client, error));
      }, this.#options.lookMs ?? LOOK_MS);
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
    this.#stopLooking();
    const client = this.#client;
    this.#client = null;
    if (client !== null) await close(client);
  }

  #lost(client: pg.Client, error: unknown): void {
    if (this.#client !== client || this.#closed) return;
    this.#client = null;
    this.#stopLooking();
    for (const handlers of this.#handlers.values()) handlers.lost?.(error);
    void close(client);
    this.#retry = setTimeout(() => void this.listen(), RECONNECT_MS);
  }

  #stopLooking(): void {
    if (this.#looking !== null) clearInterval(this.#looking);
    this.#looking = null;
  }
}
