/**
 * Reports of a company whose ledger has 1,000,000 lines from five years, against one with 10,000: they read balances, so that their time
 * does not grow with the history. Reports that read documents run on a company with the invoices of such a ledger. Each has its own service
 * and database, one after the other. The reports, and what each may take, are in `measured-reports.ts`.
 */
import { Pool } from 'undici';
import { fillBank } from './fill-bank.ts';
import { fillBudget } from './fill-budget.ts';
import { fillCompany } from './fill-company.ts';
import { fillLedger } from './fill-ledger.ts';
import { joinGroup } from './join-group.ts';
import { type Limit, type MeasuredReport, OF_DOCUMENTS, ofLedger, YEAR } from './measured-reports.ts';
import { type Check, median } from './report.ts';
import { openStage, type Stage } from './stage.ts';

const FEW = 10_000;
const MANY = Number(process.env.BENCH_LINES ?? 1_000_000);
/** Journal lines per invoice: the dashboard reads documents. */
const LINES = 4;
const WARM_UP = 5;
const ROUNDS = 21;

export async function reports(): Promise<Check> {
  const few = await timesWith(FEW);
  const many = await timesWith(MANY);
  const all = Object.entries(many).map(([name, { ms, limit }]) => {
    const { ms: fewer } = few[name] as Timed;
    const ratio = ms / fewer;
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

/** Median milliseconds of a report, and what they may be. */
interface Timed {
  readonly ms: number;
  readonly limit: Limit;
}

/** Measures each report with a number of lines. */
async function timesWith(lines: number): Promise<Record<string, Timed>> {
  const withLedger = await onStage(async (stage) => {
    await fillLedger(stage, lines);
    await joinGroup(stage, `${YEAR - 5}-01-01`);
    return ofLedger({
      accountId: (await stage.client.get('/api/accounts?code=430')).body.data[0].id,
      bankAccountId: await fillBank(stage),
      budgetId: await fillBudget(stage),
      periodId: (await stage.client.get(`/api/periods?code=${YEAR}-06`)).body.data[0].id,
      // Four of six entries are sales, each with one line on the account.
      lastPage: Math.floor(lines / LINES / 1.5 / 100),
      latePage: Math.floor(lines / 200),
    });
  });
  const withDocuments = await onStage(async (stage) => {
    await fillCompany(stage, lines / LINES);
    return OF_DOCUMENTS;
  });
  return { ...withLedger, ...withDocuments };
}

/** Measures reports on a new stage. @param fill fills the stage, and returns the paths to request */
async function onStage(fill: (stage: Stage) => Promise<Readonly<Record<string, MeasuredReport>>>) {
  const stage = await openStage();
  const pool = new Pool(stage.address, { connections: 1 });
  const headers = { authorization: `Bearer ${stage.token}` };
  try {
    const times: Record<string, Timed> = {};
    for (const [name, { path, limit }] of Object.entries(await fill(stage))) {
      const ms = await timed(async () => {
        const answer = await pool.request({ method: 'GET', path: `/api/${path}`, headers });
        const text = await answer.body.text();
        if (answer.statusCode !== 200) throw new Error(`${path} was answered ${answer.statusCode}: ${text}`);
      });
      times[name] = { ms, limit };
    }
    return times;
  } finally {
    await pool.destroy();
    await stage.stop();
  }
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
