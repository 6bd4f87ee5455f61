/**
 * Reports of one company whose ledger has 1,000,000 lines of five years, against the same with 10,000: they read balances, so that their
 * time does not grow with the history. Each has its own service and database, one after the other.
 */
import { Pool } from 'undici';
import { REPORTS } from '../services/reports/index.ts';
import { fillLedger } from './fill-ledger.ts';
import { type Check, median } from './report.ts';
import { openStage } from './stage.ts';

const FEW = 10_000;
const MANY = Number(process.env.BENCH_LINES ?? 1_000_000);
const LIMIT = { ratio: 2, ms: 150 };
const WARM_UP = 5;
const ROUNDS = 21;

export async function reports(): Promise<Check> {
  const few = await timesWith(FEW);
  const many = await timesWith(MANY);
  const all = Object.entries(many).map(([name, ms]) => ({ name, ms, ratio: ms / (few[name] as number) }));
  const words = all.map(({ name, ms, ratio }) => `${name} ${ratio.toFixed(2)} × (${ms.toFixed(1)} ms)`);
  return {
    name: `reports of ${MANY} journal lines, against ${FEW}`,
    measured: words.join(', '),
    limit: `${LIMIT.ratio} ×, ${LIMIT.ms} ms`,
    passed: all.every(({ ratio, ms }) => ratio <= LIMIT.ratio && ms <= LIMIT.ms),
    figures: Object.fromEntries(
      all.flatMap(({ name, ms, ratio }) => [
        [`${name} ms`, ms],
        [`${name} ratio`, ratio],
      ]),
    ),
  };
}

/** Median milliseconds of each report with so many lines. */
async function timesWith(lines: number): Promise<Record<string, number>> {
  const stage = await openStage();
  const pool = new Pool(stage.address, { connections: 1 });
  try {
    await fillLedger(stage, lines);
    const account = (await stage.client.get('/api/accounts?code=430')).body.data[0].id;
    const times: Record<string, number> = {};
    for (const [name, query] of Object.entries(queries(account))) {
      times[name] = await timed(async () => {
        const headers = { authorization: `Bearer ${stage.token}` };
        const answer = await pool.request({ method: 'GET', path: `/api/reports/${query}`, headers });
        const text = await answer.body.text();
        if (answer.statusCode !== 200) throw new Error(`${query} was answered ${answer.statusCode}: ${text}`);
      });
    }
    return times;
  } finally {
    await pool.destroy();
    await stage.stop();
  }
}

/** Of the year before, and of days within its months. */
function queries(account: string): Readonly<Record<string, string>> {
  const year = new Date().getUTCFullYear() - 1;
  const whole = `from=${year}-01-01&to=${year}-12-31`;
  const part = `from=${year}-02-11&to=${year}-10-20`;
  const all = {
    'trial balance': `trial-balance?${whole}`,
    'eight columns': `trial-balance?type=8col&${whole}`,
    'trial balance of days': `trial-balance?${part}`,
    'ledger, a page': `ledger?account_id=${account}&${whole}&limit=100`,
    'journal, a page': `journal?${whole}&limit=100`,
    'balance sheet': `balance-sheet?${whole}`,
    'P&L': `pl?${whole}`,
    VAT: `vat?${whole}`,
    'model 303': `tax/model303?year=${year}&period=02`,
  };
  const known = new Set(REPORTS.map(({ name }) => name));
  return Object.fromEntries(Object.entries(all).filter(([, query]) => known.has(query.split('?')[0] ?? '')));
}

async function timed(work: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const started = performance.now();
    await work();
    if (round >= WARM_UP) times.push(performance.now() - started);
  }
  return median(times);
}
