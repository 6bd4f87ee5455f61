/** The sustained rate: clients create and post invoices for half a minute, while the consequences are processed. */
import { openInvoices } from './invoices.ts';
import { type Check, median, percentile } from './report.ts';
import type { Service } from './service.ts';

const WARM_UP = 200;
const SECONDS = 30;
/** Minimum part of the invoices that must be completed with all consequences in the same time; the rest piles up. */
const DONE_LIMIT = 0.5;

export async function sustained(service: Service): Promise<Check> {
  const invoices = await openInvoices(service);
  try {
    await invoices.post(WARM_UP);
    await service.fill('analyze');
    await service.quiet();
    const started = performance.now();
    const { ids, times } = await invoices.postFor(SECONDS);
    const worked = (performance.now() - started) / 1000;
    const behind = await service.quiet();
    const sorted = [...times].sort((one, other) => one - other);
    const [p50, p95] = [median(sorted), percentile(sorted, 0.95)];
    const [perSecond, untilDone] = [ids.length / worked, ids.length / (worked + behind)];
    return {
      name: `Invoices with 5 lines of goods, created and posted by 16 clients for ${SECONDS} s`,
      measured:
        `${perSecond.toFixed(1)} a second, ${untilDone.toFixed(1)} until all is done, ${behind.toFixed(1)} s later; ` +
        `clients wait ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`,
      limit: `${DONE_LIMIT} of what clients get until all is done`,
      passed: untilDone >= DONE_LIMIT * perSecond,
      figures: { perSecond, untilDone, behindS: behind, waitP50: p50, waitP95: p95 },
    };
  } finally {
    await invoices.stop();
  }
}
