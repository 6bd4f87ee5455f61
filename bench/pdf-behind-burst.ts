/** The waiting time for a PDF while much other work waits for the workers. */
import { openInvoices } from './invoices.ts';
import { type Check, median } from './report.ts';
import type { Service } from './service.ts';

const BURST = 300;
const ROUNDS = 3;
const LIMIT_MS = 1000;

export async function pdfBehindBurst(service: Service): Promise<Check> {
  const invoices = await openInvoices(service);
  try {
    const pdf = (id: string | undefined) => invoices.timed(`/api/sales/invoices/${id}/pdf`);
    const { ids: first } = await invoices.post(20);
    for (const id of first.slice(0, 3)) await pdf(id); // Chromium starts with the first PDF.
    await service.quiet();
    const alone = await pdf(first[3]);
    const behind: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const { ids } = await invoices.post(BURST);
      behind.push(await pdf(ids.at(-1)));
      await service.quiet();
    }
    return {
      name: `a PDF that is asked for behind ${BURST} postings`,
      measured: `${median(behind).toFixed(0)} ms (${behind.map((ms) => ms.toFixed(0)).join(', ')}), ${alone.toFixed(0)} ms alone`,
      limit: `${LIMIT_MS} ms`,
      passed: median(behind) <= LIMIT_MS,
      figures: { behindMs: median(behind), aloneMs: alone },
    };
  } finally {
    await invoices.stop();
  }
}
