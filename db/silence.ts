/**
 * Ends connections to a server that is gone without a word: a machine that loses power, or a network that drops packets, sends nothing
 * that would end them, and TCP itself gives up only after a quarter of an hour.
 */
import type { Socket } from 'node:net';
import type pg from 'pg';

/** Longest time without a byte of an answer: the server ends a statement after 30 s, and may wait for a connection of a pooler. */
const SILENCE_MS = 45_000;
/** How much longer than its own limit a statement may take to answer. */
const MARGIN_MS = 15_000;
/** How long a server may take to close a connection. */
const FAREWELL_MS = 1000;

/** The driver's members behind a client; only those used here. */
interface Driver {
  /** Timeline of the server, where it is one of several (db/primary.ts). */
  readonly timeline?: string;
  /** False while a statement waits for its answer. */
  readonly readyForQuery: boolean;
  readonly connection: { readonly stream: Socket };
}

const driver = (client: pg.ClientBase) => client as unknown as Driver;

/** Ends a connection, and what it is doing, as if the network had. */
function end(client: pg.ClientBase, why: string): void {
  driver(client).connection.stream.destroy(Object.assign(new Error(why), { code: 'ETIMEDOUT' }));
}

/** Ends a connection whose server leaves a statement without an answer. Must be called once, when it is connected. */
export function endWhenSilent(client: pg.ClientBase, ms = SILENCE_MS): void {
  const { stream } = driver(client).connection;
  stream.setTimeout(ms);
  stream.on('timeout', () => {
    if (!driver(client).readyForQuery) end(client, 'The database leaves a statement without an answer');
  });
}

/** Lets statements of a connection take longer. @param ms the limit that the server knows. @returns ends it */
export function allowSilence(client: pg.ClientBase, ms: number): () => void {
  const { stream } = driver(client).connection;
  const usual = stream.timeout ?? SILENCE_MS;
  stream.setTimeout(ms + MARGIN_MS);
  return () => stream.setTimeout(usual);
}

/** Closes a connection, also one that does not answer, or is broken already. */
export async function close(client: pg.ClientBase & { end(): Promise<void> }): Promise<void> {
  const timer = setTimeout(() => end(client, 'The database does not close the connection'), FAREWELL_MS);
  await client.end().catch(() => undefined);
  clearTimeout(timer);
}

/** The connections of a pool to one of several servers: once another one is the primary, those to its predecessor are ended. */
export class Primary {
  readonly #clients = new Set<pg.ClientBase>();

  /** Must be called with each new connection. */
  add(client: pg.ClientBase): void {
    const { timeline } = driver(client);
    if (timeline === undefined) return;
    for (const other of this.#clients) {
      const theirs = driver(other).timeline ?? '';
      if (theirs !== timeline) end(theirs < timeline ? other : client, 'Another server has become the primary');
    }
    this.#clients.add(client);
    client.on('end', () => this.#clients.delete(client));
  }
}
