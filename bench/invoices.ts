/** Creates and posts invoices with five lines of goods, by 16 clients with their own series and items. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Stage } from './stage.ts';
import { type BenchTrade, openTrade } from './trade.ts';

export const CLIENTS = 16;
const LINES = 5;
/** The answer to who asks for too much, and comes back later. */
const TOO_MANY = 429;

export interface Posted {
  readonly ids: readonly string[];
  readonly times: readonly number[];
}

export interface Invoices {
  /** Creates a number of drafts. */
  draft(count: number): Promise<void>;
  /** Creates and posts a number of invoices. @returns their ids, and the milliseconds that each client waited for both requests */
  post(count: number): Promise<Posted>;
  /** The same for a time, from the first request to the last answer. */
  postFor(seconds: number): Promise<Posted>;
  /** Sends one request. @returns milliseconds until the complete answer */
  timed(path: string): Promise<number>;
  /** Requests that were refused because too much was asked for. */
  readonly refused: number;
  stop(): Promise<void>;
}

export async function openInvoices(stage: Stage): Promise<Invoices> {
  const trade = await openTrade(stage, { items: CLIENTS * LINES, goods: true, series: CLIENTS });
  const pool = new Pool(stage.address, { connections: CLIENTS });
  let refused = 0;
  const send = async (method: 'GET' | 'POST', path: string, body?: object): Promise<string> => {
    const answer = await pool.request({
      method,
      path,
      headers: {
        authorization: `Bearer ${stage.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await answer.body.text();
    if (answer.statusCode === TOO_MANY) {
      refused++;
      await sleep(Number(answer.headers['retry-after']) * 1000);
      return send(method, path, body);
    }
    if (answer.statusCode >= 300) throw new Error(`${method} ${path} was answered ${answer.statusCode}: ${text}`);
    return text;
  };
  const draft = async (client: number): Promise<string> => {
    const answer = await send('POST', '/api/sales/invoices', invoiceBody(trade, client));
    return (JSON.parse(answer) as { data: { id: string } }).data.id;
  };
  const postWhile = async (more: () => boolean): Promise<Posted> => {
    const times: number[] = [];
    const ids = await byClients(more, async (client) => {
      const started = performance.now();
      const id = await draft(client);
      await send('POST', `/api/sales/invoices/${id}/post`);
      times.push(performance.now() - started);
      return id;
    });
    return { ids, times };
  };
  return {
    async draft(count) {
      await byClients(upTo(count), draft);
    },
    post: (count) => postWhile(upTo(count)),
    postFor(seconds) {
      const end = performance.now() + seconds * 1000;
      return postWhile(() => performance.now() < end);
    },
    async timed(path) {
      const started = performance.now();
      await send('GET', path);
      return performance.now() - started;
    },
    get refused() {
      return refused;
    },
    stop: () => pool.destroy(),
  };
}

function invoiceBody(trade: BenchTrade, client: number) {
  const items = trade.items.slice(client * LINES, (client + 1) * LINES);
  const lines = items.map((itemId) => ({ itemId, quantity: 2, price: 3.5 }));
  return { partnerId: trade.customerId, seriesId: trade.series[client], lines };
}

/** Returns a function that is true a number of times. */
function upTo(count: number): () => boolean {
  let begun = 0;
  return () => begun++ < count;
}

/** Has all clients work concurrently while there is more to do. */
async function byClients<T>(more: () => boolean, work: (client: number) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      while (more()) done.push(await work(client));
    }),
  );
  return done;
}
