/**
 * Reports of a company whose ledger has 1,000,000 lines from five years, against one with 10,000: they read balances, so that their time
 * does not grow with the history. Reports that read documents run on a company with the invoices of such a ledger. Each has its own service
 * and database, one after the other.
 */
import { Pool } from 'undici';
import { fillCompany } from './fill-company.ts';
import { fillLedger } from './fill-ledger.ts';
import { joinGroup } from './join-group.ts';
import { type Check, median } from './report.ts';
import { openStage, type Stage } from './stage.ts';

const FEW = 10_000;
const MANY = Number(process.env.BENCH_LINES ?? 1_000_000);
/** Limits relative to the time with few lines, and in milliseconds. Reports without a ratio read the documents or days of their period. */
interface Limit {
  readonly ratio?: number;
  readonly ms: number;
}
const BALANCES: Limit = { ratio: 2, ms: 150 };
/** A page reads the lines of its months, which are a hundred times as many in a long ledger. */
const PAGE: Limit = { ms: 100 };
/** Reports that sum balances many times, or the documents of two months. */
const TOGETHER: Limit = { ms: 300 };
const LIMITS: Readonly<Record<string, Limit>> = {
  'trial balance': BALANCES,
  'eight columns': BALANCES,
  // Adds up to half a month of lines at either end.
  'trial balance of days': { ratio: 4, ms: 150 },
  'ledger, a page': PAGE,
  'ledger, the last page of five years': PAGE,
  // Reads the lines of one account before the page.
  'general ledger, a late page': TOGETHER,
  'partner balances': TOGETHER,
  'journal, a page': PAGE,
  'journal, a late page': PAGE,
  'balance sheet': BALANCES,
  'P&L': BALANCES,
  'trial balance by months': TOGETHER,
  'balance sheet by months': TOGETHER,
  'P&L by months': TOGETHER,
  'inventories and annual accounts': TOGETHER,
  // With the lines and invoices of a tenth of the partners, who are another company of the group.
  'consolidated balance sheet': TOGETHER,
  'consolidated P&L': TOGETHER,
  'books for the register': PAGE,
  VAT: BALANCES,
  'model 303': BALANCES,
  // Reads the lines with taxes of a quarter.
  'VAT book, a page': TOGETHER,
  executive: TOGETHER,
  dashboard: TOGETHER,
  aging: { ms: 300 },
};
/** Journal lines per invoice: the dashboard reads documents. */
const LINES = 4;
const WARM_UP = 5;
const ROUNDS = 21;

export async function reports(): Promise<Check> {
  const few = await timesWith(FEW);
  const many = await timesWith(MANY);
  const all = Object.entries(many).map(([name, ms]) => {
    const limit = LIMITS[name] as Limit;
    const ratio = ms / (few[name] as number);
    return { name, ms, ratio, limit, passed: ms <= limit.ms && ratio <= (limit.ratio ?? Number.POSITIVE_INFINITY) };
  });
  const words = all.map(({ name, ms, ratio, limit, passed }) => {
    const [times, most] = [`${ratio.toFixed(2)} ×`, `${ms.toFixed(1)} ms`];
    const limits = limit.ratio === undefined ? `${limit.ms} ms` : `${limit.ratio} × and ${limit.ms} ms`;
    return `\n      ${passed ? 'PASS' : 'FAIL'}  ${name} ${times} (${most}), limit ${limits}`;
  });
  return {
    name: `reports of ${MANY} journal lines, against ${FEW}`,
    measured: words.join(''),
    limit: 'each has its own',
    passed: all.every(({ passed }) => passed),
    figures: Object.fromEntries(
      all.flatMap(({ name, ms, ratio }) => [
        [`${name} ms`, ms],
        [`${name} ratio`, ratio],
      ]),
    ),
  };
}

/** Measures median milliseconds of each report with a number of lines. */
async function timesWith(lines: number): Promise<Record<string, number>> {
  const ofLedger = await onStage(async (stage) => {
    await fillLedger(stage, lines);
    await joinGroup(stage, `${YEAR - 5}-01-01`);
    return ofBalances((await stage.client.get('/api/accounts?code=430')).body.data[0].id, lines);
  });
  const ofDocuments = await onStage(async (stage) => {
    await fillCompany(stage, lines / LINES);
    return OF_DOCUMENTS;
  });
  return { ...ofLedger, ...ofDocuments };
}

/** Measures reports on a new stage. @param fill fills the stage, and returns the paths to request */
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

const YEAR = new Date().getUTCFullYear() - 1;
const WHOLE = `from=${YEAR}-01-01&to=${YEAR}-12-31`;
/** A range that includes everything. */
const ALL = `from=${YEAR - 5}-01-01&to=${YEAR + 1}-12-31&limit=100`;

/** Paths for the previous year, and for days within its months. Four of six entries are sales, each with one line on the account. */
function ofBalances(account: string, lines: number): Readonly<Record<string, string>> {
  return {
    'trial balance': `reports/trial-balance?${WHOLE}`,
    'eight columns': `reports/trial-balance?type=8col&${WHOLE}`,
    'trial balance of days': `reports/trial-balance?from=${YEAR}-02-11&to=${YEAR}-10-20`,
    'ledger, a page': `reports/ledger?account_id=${account}&${WHOLE}&limit=100`,
    'ledger, the last page of five years': `reports/ledger?account_id=${account}&${ALL}&page=${Math.floor(lines / LINES / 1.5 / 100)}`,
    'general ledger, a late page': `reports/general-ledger?${ALL}&page=${Math.floor(lines / 200)}`,
    'partner balances': `reports/partner-balances?${WHOLE}&limit=100`,
    'journal, a page': `reports/journal?${WHOLE}&limit=100`,
    'journal, a late page': `reports/journal?${ALL}&page=${Math.floor(lines / 200)}`,
    'balance sheet': `reports/balance-sheet?${WHOLE}`,
    'P&L': `reports/pl?${WHOLE}`,
    'trial balance by months': `reports/trial-balance?${WHOLE}&by=month`,
    'balance sheet by months': `reports/balance-sheet?${WHOLE}&by=month`,
    'P&L by months': `reports/pl?${WHOLE}&by=month`,
    'inventories and annual accounts': `reports/inventories-and-accounts?year=${YEAR}`,
    'consolidated balance sheet': `reports/consolidated-balance-sheet?to=${YEAR}-12-31`,
    'consolidated P&L': `reports/consolidated-pl?${WHOLE}`,
    'books for the register': `reports/legal-books?year=${YEAR}`,
    VAT: `reports/vat?${WHOLE}`,
    'model 303': `reports/tax/model303?year=${YEAR}&period=02`,
    'VAT book, a page': `reports/tax/vat-book-issued?year=${YEAR}&period=2T&limit=100`,
    executive: `reports/executive?${WHOLE}`,
  };
}

const OF_DOCUMENTS = {
  dashboard: 'dashboard/summary',
  aging: 'reports/aging',
};

async function timed(work: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const started = performance.now();
    await work();
    if (round >= WARM_UP) times.push(performance.now() - started);
  }
  return median(times);
}
