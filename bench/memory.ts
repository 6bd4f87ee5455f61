/** The memory of API and worker after a busy while. */
import { openInvoices } from './invoices.ts';
import { openReceiver } from './receiver.ts';
import type { Check } from './report.ts';
import type { Service } from './service.ts';

const INVOICES = 600;
const PDFS = 20;
const DELIVERIES = 600;
const LIMIT_MB = { API: 220, worker: 400 };

export async function memory(service: Service): Promise<Check> {
  const invoices = await openInvoices(service);
  const receiver = await openReceiver(service);
  try {
    const { ids } = await invoices.post(INVOICES);
    for (const id of ids.slice(0, PDFS)) await invoices.timed(`/api/sales/invoices/${id}/pdf`);
    await (await receiver.deliver(DELIVERIES)).all;
    await service.quiet();
    const megabytes = (part: string) => (service.usage().get(part)?.memory ?? Number.NaN) / 2 ** 20;
    const [api, worker] = [megabytes('API'), megabytes('worker')];
    return {
      name: `memory after ${INVOICES} invoices, ${PDFS} PDFs and ${DELIVERIES} deliveries`,
      measured: `API ${api.toFixed(0)} MB, worker ${worker.toFixed(0)} MB without Chromium`,
      limit: `${LIMIT_MB.API} and ${LIMIT_MB.worker} MB`,
      passed: api <= LIMIT_MB.API && worker <= LIMIT_MB.worker,
      figures: { apiMb: api, workerMb: worker },
    };
  } finally {
    await receiver.stop();
    await invoices.stop();
  }
}
