/** The total cost of an invoice: CPU of every process until all consequences are done, and the waiting time of its client. */
import { openInvoices } from './invoices.ts';
import { type Check, median, percentile } from './report.ts';
import type { Service } from './service.ts';

const WARM_UP = 100;
const COUNT = 200;
const DRAFT_LIMIT_MS = 25;
const POSTED_LIMIT_MS = 70;
/** The 95th percentile of clients' waiting time, as a multiple of the median. */
const P95_LIMIT = 4;

export async function invoiceCost(service: Service): Promise<Check> {
  const invoices = await openInvoices(service);
  try {
    await invoices.post(WARM_UP);
    await service.fill('analyze');
    await service.quiet();
    const drafts = each(await service.cost(() => invoices.draft(COUNT)));
    let waited: readonly number[] = [];
    let seconds = 0;
    const posted = each(
      await service.cost(async () => {
        const started = performance.now();
        waited = (await invoices.post(COUNT)).times;
        seconds = (performance.now() - started) / 1000;
      }),
    );
    const sorted = [...waited].sort((one, other) => one - other);
    const [p50, p95] = [median(sorted), percentile(sorted, 0.95)];
    const rate = COUNT / seconds;
    return {
      name: 'CPU of all processes for an invoice with 5 lines of goods',
      measured:
        `posted ${inWords(posted)}; draft ${inWords(drafts)}; ${rate.toFixed(1)} a second by 16 clients, who wait ${p50.toFixed(0)} ` +
        `ms, p95 ${p95.toFixed(0)} ms`,
      limit: `${POSTED_LIMIT_MS} ms posted, ${DRAFT_LIMIT_MS} ms a draft; p95 at most ${P95_LIMIT} × the median`,
      passed: sum(posted) <= POSTED_LIMIT_MS && sum(drafts) <= DRAFT_LIMIT_MS && p95 / p50 <= P95_LIMIT,
      figures: { postedMs: sum(posted), draftMs: sum(drafts), perSecond: rate, waitP50: p50, waitP95: p95 },
    };
  } finally {
    await invoices.stop();
  }
}

function each(parts: ReadonlyMap<string, number>): Map<string, number> {
  return new Map([...parts].map(([part, ms]) => [part, ms / COUNT]));
}

function sum(parts: ReadonlyMap<string, number>): number {
  return [...parts.values()].reduce((all, ms) => all + ms, 0);
}

function inWords(parts: ReadonlyMap<string, number>): string {
  const each = [...parts].sort(([, one], [, other]) => other - one).map(([part, ms]) => `${part} ${ms.toFixed(1)}`);
  return `${sum(parts).toFixed(0)} ms (${each.join(', ')})`;
}
