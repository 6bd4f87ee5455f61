/**
 * Creates and posts five-line invoices, two requests each, by 16 clients with 16 series; against a bare server on the same database that
 * does the same inserts and updates in one request. Both in turn, several times.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Pool } from 'undici';
import type { BareInvoice } from './bare-server.ts';
import { type Check, median } from './report.ts';
import type { Stage } from './stage.ts';
import { type BenchTrade, openTrade } from './trade.ts';

const CLIENTS = 16;
const LINES = 5;
const ROUND_MS = 3000;
const ROUNDS = 3;
const LIMIT = 0.25;

/** Creates and posts one invoice as one of the clients. */
type Work = (client: number) => Promise<void>;

/** Invoices of items with stock, which posting moves and values. */
export const postInvoicesOfGoods = (stage: Stage) => postInvoices(stage, true);
/** Invoices of services. */
export const postInvoicesOfServices = (stage: Stage) => postInvoices(stage, false);

async function postInvoices(stage: Stage, goods: boolean): Promise<Check> {
  const trade = await openTrade(stage, { items: 2 * CLIENTS * LINES, goods, series: 2 * CLIENTS });
  const bare = await startBare(stage);
  const pools = [new Pool(stage.address, { connections: CLIENTS }), new Pool(bare.address, { connections: CLIENTS })];
  try {
    const [service, measure] = [
      serviceWork(pools[0] as Pool, stage, trade),
      bareWork(pools[1] as Pool, stage, trade, goods),
    ];
    await rate(service, 1500);
    await rate(measure, 1500);
    // As autovacuum does within a minute; until then PostgreSQL assumes that all tables are small, and scans growing ones completely.
    await stage.fill('analyze');
    const rounds: { own: number; bare: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push({ own: await rate(service, ROUND_MS), bare: await rate(measure, ROUND_MS) });
    }
    const ratio = median(rounds.map((round) => round.own / round.bare));
    return {
      name: `create and post invoices with ${LINES} lines of ${goods ? 'goods' : 'services'}, ${CLIENTS} clients`,
      measured:
        `${ratio.toFixed(2)} of the bare server (${median(rounds.map(({ own }) => own)).toFixed(0)} against ` +
        `${median(rounds.map(({ bare: rate }) => rate)).toFixed(0)} a second)`,
      limit: `at least ${LIMIT}`,
      passed: ratio >= LIMIT,
    };
  } finally {
    await Promise.all(pools.map((pool) => pool.destroy()));
    await bare.stop();
  }
}

/** Measures invoices per second, with all clients working until the time is over. */
async function rate(work: Work, ms: number): Promise<number> {
  const started = performance.now();
  const end = started + ms;
  const counts = await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      let done = 0;
      while (performance.now() < end) {
        await work(client);
        done++;
      }
      return done;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - started) / 1000);
}

function invoiceLines(trade: BenchTrade, client: number) {
  return trade.items.slice(client * LINES, (client + 1) * LINES).map((itemId) => ({ itemId, quantity: 2, price: 3.5 }));
}

function serviceWork(pool: Pool, stage: Stage, trade: BenchTrade): Work {
  return async (client) => {
    const invoice = { partnerId: trade.customerId, seriesId: trade.series[client], lines: invoiceLines(trade, client) };
    const { id } = await post(pool, '/api/sales/invoices', invoice, stage.token);
    const { number } = await post(pool, `/api/sales/invoices/${id}/post`, undefined, stage.token);
    if (typeof number !== 'number') throw new Error('The invoice has no number');
  };
}

/** Work for the bare server, with its own items and series. */
function bareWork(pool: Pool, { tenantId }: Stage, trade: BenchTrade, moves: boolean): Work {
  const { customerId: partnerId, taxGroupId, warehouseId, periodId, accounts, date } = trade;
  return async (client) => {
    const seriesId = trade.series[CLIENTS + client] as string;
    const lines = invoiceLines(trade, CLIENTS + client);
    const head = { tenantId, seriesId, periodId, partnerId, taxGroupId, warehouseId, accounts, date };
    await post(pool, '/', { ...head, moves, lines } satisfies BareInvoice);
  };
}

async function post(
  pool: Pool,
  path: string,
  body: object | undefined,
  token?: string,
): Promise<{ id: string; number: unknown }> {
  const { statusCode, body: answer } = await pool.request({
    method: 'POST',
    path,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await answer.text();
  if (statusCode >= 300) throw new Error(`POST ${path} was answered ${statusCode}: ${text}`);
  return JSON.parse(text).data;
}

async function startBare({ databaseUrl }: Stage): Promise<{ address: string; stop(): Promise<void> }> {
  const server: ChildProcess = spawn(process.execPath, ['--import', 'tsx', 'bench/bare-server.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, NODE_ENV: 'production', DATABASE_URL: databaseUrl },
  });
  const [port] = (await once(server.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  return {
    address: `http://127.0.0.1:${String(port).trim()}`,
    async stop() {
      server.kill('SIGTERM');
      await once(server, 'exit');
    },
  };
}
