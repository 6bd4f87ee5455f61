/**
 * Compares a company with 1,000,000 invoices with one with 10,000: everyday operations must not take longer because of a long history. Each
 * has its own service and database, one after the other.
 */
import { Pool } from 'undici';
import { type FilledCompany, fillCompany } from './fill-company.ts';
import { type Check, median } from './report.ts';
import { openStage, type Stage } from './stage.ts';

const FEW = 10_000;
const MANY = Number(process.env.BENCH_DOCUMENTS ?? 1_000_000);
const LIMIT = 1.5;
const WARM_UP = 10;
const ROUNDS = 41;
const LINES = 3;
/** A later page that exists in both. */
const PAGE = 100;

export async function million(): Promise<Check> {
  const few = await timesWith(FEW);
  const many = await timesWith(MANY);
  const ratios = Object.entries(many).map(([name, ms]) => ({ name, ms, ratio: ms / (few[name] as number) }));
  const words = ratios.map(({ name, ms, ratio }) => `${name} ${ratio.toFixed(2)} × (${ms.toFixed(1)} ms)`);
  return {
    name: `one company with ${MANY} invoices, against ${FEW}`,
    measured: words.join(', '),
    limit: `${LIMIT} ×`,
    passed: ratios.every(({ ratio }) => ratio <= LIMIT),
    figures: Object.fromEntries(
      ratios.flatMap(({ name, ms, ratio }) => [
        [`${name} ms`, ms],
        [`${name} ratio`, ratio],
      ]),
    ),
  };
}

/** Measures median milliseconds of each operation in a company with a number of invoices. */
async function timesWith(count: number): Promise<Record<string, number>> {
  const stage = await openStage();
  const pool = new Pool(stage.address, { connections: 1 });
  try {
    const company = await fillCompany(stage, count);
    const times: Record<string, number> = {};
    for (const [name, work] of Object.entries(operations(pool, stage, company))) times[name] = await timed(work);
    return times;
  } finally {
    await pool.destroy();
    await stage.stop();
  }
}

type Operation = (round: number) => Promise<unknown>;

function operations(pool: Pool, { token }: Stage, company: FilledCompany): Record<string, Operation> {
  const drafts: string[] = [];
  const send = async <Body>(method: 'GET' | 'POST', path: string, body?: object): Promise<Body> => {
    const answer = await pool.request({
      method,
      path,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${path} was answered ${answer.statusCode}: ${text}`);
    return JSON.parse(text) as Body;
  };
  /** Reads a list that must not be empty. */
  const list = (query: string) => async () => {
    const { data } = await send<{ data: unknown[] }>('GET', `/api/sales/invoices?${query}`);
    if (data.length === 0) throw new Error(`${query} finds nothing`);
  };
  return {
    create: async (round) => {
      const lines = Array.from({ length: LINES }, (_, line) => {
        const itemId = company.items[(round * LINES + line) % company.items.length];
        return { itemId, quantity: 2 };
      });
      const partnerId = company.customers[round % company.customers.length];
      const { data } = await send<{ data: { id: string } }>('POST', '/api/sales/invoices', { partnerId, lines });
      drafts.push(data.id);
    },
    post: (round) => send('POST', `/api/sales/invoices/${drafts[round]}/post`),
    list: list('limit=50'),
    'list by partner': list(`partnerId=${company.regularCustomerId}`),
    'list from the oldest': list('sort=date'),
    'list by total': list('sort=-total'),
    'later page': list(`page=${PAGE}`),
    'search by number': list(`q=${company.code}`),
    'search by name': list(`q=${encodeURIComponent(company.regularCustomer.slice(-8))}`),
    aging: () => send('GET', '/api/reports/aging'),
  };
}

async function timed(work: Operation): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const started = performance.now();
    await work(round);
    if (round >= WARM_UP) times.push(performance.now() - started);
  }
  return median(times);
}
