/**
 * Reports of one company whose ledger has 1,000,000 lines of five years, against the same with 10,000: they read balances, so that their
 * time does not grow with the history. The dashboard is asked of one with the invoices behind such a ledger. Each has its own service and
 * database, one after the other.
 */
import { Pool } from 'undici';
import { fillCompany } from './fill-company.ts';
import { fillLedger } from './fill-ledger.ts';
import { type Check, median } from './report.ts';
import { openStage, type Stage } from './stage.ts';

const FEW = 10_000;
const MANY = Number(process.env.BENCH_LINES ?? 1_000_000);
const LIMIT = { ratio: 2, ms: 150 };
/** What puts several reports together. */
const TOGETHER = { ms: 300, names: ['executive', 'dashboard'] };
/** Of an invoice, in journal lines: the dashboard reads documents. */
const LINES = 4;
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
    limit: `${LIMIT.ratio} ×, ${LIMIT.ms} ms; ${TOGETHER.names.join(' and ')}: ${TOGETHER.ms} ms`,
    passed: all.every(({ name, ratio, ms }) =>
      TOGETHER.names.includes(name) ? ms <= TOGETHER.ms : ratio <= LIMIT.ratio && ms <= LIMIT.ms,
    ),
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
  const ofLedger = await onStage(async (stage) => {
    await fillLedger(stage, lines);
    return queries((await stage.client.get('/api/accounts?code=430')).body.data[0].id);
  });
  const ofDocuments = await onStage(async (stage) => {
    await fillCompany(stage, lines / LINES);
    return { dashboard: 'dashboard/summary' };
  });
  return { ...ofLedger, ...ofDocuments };
}

/** @param fill fills a new stage, and says what is asked of it */
async function onStage(fill: (stage: Stage) => Promise<Readonly<Record<string, string>>>) {
  const stage = await openStage();
  const pool = new Pool(stage.address, { connections: 1 });
  const headers = { authorization: `Bearer ${stage.token}` };
  try {
    const times: Record<string, number> = {};
    for (const [name, path] of Object.entries(await fill(stage))) {
      times[name] = await timed(async () => {
        const answer = await pool.request({ method: 'GET', path: `/api/${path}`, headers });
        const text = await answer.body.text();
        if (answer.statusCode !== 200) throw new Error(`${path} was answered ${answer.statusCode}: ${text}`);
      });
    }
    return times;
  } finally {
    await pool.destroy();
    await stage.stop();
  }
}

/** Paths: of the year before, and of days within its months. */
function queries(account: string): Readonly<Record<string, string>> {
  const year = new Date().getUTCFullYear() - 1;
  const whole = `from=${year}-01-01&to=${year}-12-31`;
  const part = `from=${year}-02-11&to=${year}-10-20`;
  return {
    'trial balance': `reports/trial-balance?${whole}`,
    'eight columns': `reports/trial-balance?type=8col&${whole}`,
    'trial balance of days': `reports/trial-balance?${part}`,
    'ledger, a page': `reports/ledger?account_id=${account}&${whole}&limit=100`,
    'journal, a page': `reports/journal?${whole}&limit=100`,
    'balance sheet': `reports/balance-sheet?${whole}`,
    'P&L': `reports/pl?${whole}`,
    VAT: `reports/vat?${whole}`,
    'model 303': `reports/tax/model303?year=${year}&period=02`,
    executive: `reports/executive?${whole}`,
  };
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
