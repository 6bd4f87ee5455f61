/**
 * `npm run bench`: runs all benchmarks, or those named. Exits with 1 if one exceeds its limit. `--save <file>` stores the figures,
 * `--compare <file>` compares them with stored ones.
 */
import { parseArgs } from 'node:util';
import { auditLog } from './audit-log.ts';
import { automations } from './automations.ts';
import { manyCompanies } from './companies.ts';
import { depreciation } from './depreciation.ts';
import { exportMemory } from './export-memory.ts';
import { compareFigures, type Figures, saveFigures } from './figures.ts';
import { hostileCompany } from './hostile-company.ts';
import { hostileMix } from './hostile-mix.ts';
import { invoiceCost } from './invoice-cost.ts';
import { listPartners } from './list-partners.ts';
import { longInvoice } from './long-invoice.ts';
import { memory } from './memory.ts';
import { million } from './million.ts';
import { overload } from './overload.ts';
import { payroll } from './payroll.ts';
import { pdfBehindBurst } from './pdf-behind-burst.ts';
import { postInvoicesOfGoods, postInvoicesOfServices } from './post-invoices.ts';
import { reads } from './reads.ts';
import { readsInBurst } from './reads-in-burst.ts';
import { reconcileRun } from './reconcile-run.ts';
import { records } from './records.ts';
import { recurring } from './recurring.ts';
import { type Check, report } from './report.ts';
import { reportMemory, reportPdfs } from './report-files.ts';
import { reports } from './reports.ts';
import { secondStart } from './second-start.ts';
import { openService, type Service } from './service.ts';
import { sockets } from './sockets.ts';
import { type ApiStage, openStage } from './stage.ts';
import { sustained } from './sustained.ts';
import { unreadCount } from './unread-count.ts';
import { webhookFanOut, webhookIsolation, webhookLatency, webhookRate } from './webhooks.ts';

const ofTheApi = (work: (stage: ApiStage) => Promise<Check>) => () => on(openStage, work);
const ofAll = (work: (service: Service) => Promise<Check>) => () => on(() => openService(), work);

const BENCHMARKS: Readonly<Record<string, () => Promise<Check>>> = {
  reads: ofTheApi(reads),
  'list-partners': ofTheApi(listPartners),
  'export-memory': ofTheApi(exportMemory),
  'post-goods': ofTheApi(postInvoicesOfGoods),
  'post-services': ofTheApi(postInvoicesOfServices),
  'long-invoice': ofTheApi(longInvoice),
  'reconcile-run': ofTheApi(reconcileRun),
  'invoice-cost': ofAll(invoiceCost),
  sustained: ofAll(sustained),
  overload: ofAll(overload),
  companies: ofAll(manyCompanies),
  records: ofAll(records),
  payroll: ofAll(payroll),
  depreciation: ofAll(depreciation),
  recurring: ofAll(recurring),
  'pdf-behind-burst': ofAll(pdfBehindBurst),
  'reads-in-burst': ofAll(readsInBurst),
  memory: ofAll(memory),
  million,
  reports,
  'report-pdfs': ofAll(reportPdfs),
  'report-memory': ofAll(reportMemory),
  'second-start': secondStart,
  'webhook-rate': ofTheApi(webhookRate),
  'webhook-latency': ofTheApi(webhookLatency),
  'webhook-fan-out': ofTheApi(webhookFanOut),
  'webhook-isolation': ofTheApi(webhookIsolation),
  'hostile-company': ofTheApi(hostileCompany),
  'hostile-mix': () => on(() => openService({ RATE_LIMIT_PER_MINUTE: '6000' }), hostileMix),
  sockets: ofTheApi(sockets),
  'unread-count': ofTheApi(unreadCount),
  automations: ofTheApi(automations),
  'audit-log': ofTheApi(auditLog),
};

const { values, positionals: asked } = parseArgs({
  options: { save: { type: 'string' }, compare: { type: 'string' } },
  allowPositionals: true,
});
const unknown = asked.filter((name) => !Object.hasOwn(BENCHMARKS, name));
if (unknown.length > 0)
  throw new Error(`There is no ${unknown.join(', ')}; there are ${Object.keys(BENCHMARKS).join(', ')}`);

const figures: Figures = {};
for (const [name, run] of Object.entries(BENCHMARKS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const check = await run();
  report(check);
  if (check.figures !== undefined) figures[name] = check.figures;
  if (!check.passed) process.exitCode = 1;
}
if (values.compare !== undefined) compareFigures(values.compare, figures);
if (values.save !== undefined) saveFigures(values.save, figures);

/** Runs a benchmark on its own stage, so that its data and warm-up do not affect others. */
async function on<S extends { stop(): Promise<void> }>(
  open: () => Promise<S>,
  work: (stage: S) => Promise<Check>,
): Promise<Check> {
  const stage = await open();
  try {
    return await work(stage);
  } finally {
    await stage.stop();
  }
}
