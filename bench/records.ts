/** The cost of records for the tax agency: the sustained rate of invoices without them, and with them in one chain. */
import { openInvoices, type Posted } from './invoices.ts';
import { type Check, median } from './report.ts';
import type { Service } from './service.ts';

const WARM_UP = 200;
const SECONDS = 20;
/** Part of the rate that must remain. */
const LEFT = 0.9;

export async function records(service: Service): Promise<Check> {
  const invoices = await openInvoices(service);
  const rate = async () => {
    await service.fill('analyze');
    await service.quiet();
    const started = performance.now();
    const posted = await invoices.postFor(SECONDS);
    const worked = (performance.now() - started) / 1000;
    const behind = await service.quiet();
    return { perSecond: posted.ids.length / worked, done: posted.ids.length / (worked + behind), wait: wait(posted) };
  };
  try {
    await invoices.post(WARM_UP);
    await rate(); // Tables grow, and the first time is the slowest.
    const without = await rate();
    const { status } = await service.client.put('/api/config/verifactu', { enabled: true });
    if (status !== 200) throw new Error(`PUT /api/config/verifactu was answered ${status}`);
    await invoices.post(WARM_UP);
    const having = await rate();
    const [posting, done] = [having.perSecond / without.perSecond, having.done / without.done];
    return {
      name: 'Invoices of 16 clients with records in one chain, and without',
      measured:
        `${having.perSecond.toFixed(1)} a second with, ${without.perSecond.toFixed(1)} without (${posting.toFixed(2)}); until all ` +
        `is done ${having.done.toFixed(1)} and ${without.done.toFixed(1)} (${done.toFixed(2)}); clients wait ` +
        `${having.wait.toFixed(0)} ms and ${without.wait.toFixed(0)} ms`,
      limit: `${LEFT} of the rate without`,
      passed: posting >= LEFT,
      figures: { posting, done },
    };
  } finally {
    await invoices.stop();
  }
}

function wait({ times }: Posted): number {
  return median([...times].sort((one, other) => one - other));
}
