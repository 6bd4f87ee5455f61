/** The effect of deliveries on concurrent reads. */
import { openInvoices } from './invoices.ts';
import { openReceiver } from './receiver.ts';
import { type Check, percentile } from './report.ts';
import type { Service } from './service.ts';

const DELIVERIES = 300;
const ROUNDS = 3;
const QUIET_READS = 300;
const PATHS = ['/api/partners?limit=50', '/api/items?limit=50', '/api/company', '/api/sales/invoices?limit=20'];
const LIMIT = 1.6;

export async function readsInBurst(service: Service): Promise<Check> {
  const invoices = await openInvoices(service);
  const receiver = await openReceiver(service);
  try {
    await invoices.post(50);
    await (await receiver.deliver(50)).all;
    await service.quiet();
    const read = (index: number) => invoices.timed(PATHS[index % PATHS.length] as string);
    const quietly: number[] = [];
    const during: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (let index = 0; index < QUIET_READS; index++) quietly.push(await read(index));
      const { all } = await receiver.deliver(DELIVERIES);
      let over = false;
      const end = all.then(() => {
        over = true;
      });
      for (let index = 0; !over; index++) during.push(await read(index));
      await end;
      await service.quiet();
    }
    const p95 = (times: readonly number[]) =>
      percentile(
        [...times].sort((one, other) => one - other),
        0.95,
      );
    const ratio = p95(during) / p95(quietly);
    return {
      name: `reads while ${DELIVERIES} deliveries run`,
      measured: `p95 ${p95(during).toFixed(1)} ms against ${p95(quietly).toFixed(1)} ms (${ratio.toFixed(2)}, ${during.length} reads)`,
      limit: `at most ${LIMIT} ×`,
      passed: ratio <= LIMIT,
      figures: { ratio, quietMs: p95(quietly), duringMs: p95(during) },
    };
  } finally {
    await receiver.stop();
    await invoices.stop();
  }
}
