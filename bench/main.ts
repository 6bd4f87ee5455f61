/** `npm run bench`: all benchmarks, or those whose names are given. Ends with 1 when one is beyond its limit. */
import { exportMemory } from './export-memory.ts';
import { hostileCompany } from './hostile-company.ts';
import { listPartners } from './list-partners.ts';
import { longInvoice } from './long-invoice.ts';
import { postInvoicesOfGoods, postInvoicesOfServices } from './post-invoices.ts';
import { reconcileRun } from './reconcile-run.ts';
import { type Check, report } from './report.ts';
import { openStage, type Stage } from './stage.ts';
import { webhookFanOut, webhookIsolation, webhookLatency, webhookRate } from './webhooks.ts';

const BENCHMARKS: Readonly<Record<string, (stage: Stage) => Promise<Check>>> = {
  'list-partners': listPartners,
  'export-memory': exportMemory,
  'post-goods': postInvoicesOfGoods,
  'post-services': postInvoicesOfServices,
  'long-invoice': longInvoice,
  'reconcile-run': reconcileRun,
  'webhook-rate': webhookRate,
  'webhook-latency': webhookLatency,
  'webhook-fan-out': webhookFanOut,
  'webhook-isolation': webhookIsolation,
  'hostile-company': hostileCompany,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(BENCHMARKS, name));
if (unknown.length > 0)
  throw new Error(`There is no ${unknown.join(', ')}; there are ${Object.keys(BENCHMARKS).join(', ')}`);

for (const [name, run] of Object.entries(BENCHMARKS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  // Each on a stage of its own: what one fills or warms up does not change another.
  const stage = await openStage();
  try {
    const check = await run(stage);
    report(check);
    if (!check.passed) process.exitCode = 1;
  } finally {
    await stage.stop();
  }
}
