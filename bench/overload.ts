/**
 * Clients that sell without a pause, with a webhook for each invoice: how late deliveries become, and whether memory stays flat. A minute
 * by default; `OVERLOAD_MINUTES=30` is the long form.
 */
import { openReceiver } from './chaos/receiver.ts';
import { openInvoices } from './invoices.ts';
import { type Check, percentile } from './report.ts';
import type { Service } from './service.ts';

const MINUTES = Number(process.env.OVERLOAD_MINUTES ?? 1);
const WARM_UP = 400;
/** Seconds from an event to its delivery, at most, while clients ask for more than can be done. */
const LATE_LIMIT_S = 30;
/** Memory at the end, relative to the most after a quarter of the time, by which caches and heaps have their size. */
const GROWTH_LIMIT = 1.25;
const LOOK_MS = 2000;

export async function overload(service: Service): Promise<Check> {
  const invoices = await openInvoices(service);
  const receiver = await openReceiver(() => 1);
  try {
    const hook = { name: 'overload', url: receiver.url, events: ['document.locked'] };
    const { status } = await service.client.post('/api/webhooks', hook);
    if (status !== 201) throw new Error(`The webhook was answered ${status}`);
    await invoices.post(WARM_UP);
    await service.fill('analyze');
    await service.quiet();
    const earlier = receiver.delays.length;
    const memory: number[] = [];
    let lag = 0;
    const look = setInterval(() => {
      memory.push(megabytes(service));
      void outboxLag(service).then((seconds) => {
        lag = Math.max(lag, seconds);
      });
    }, LOOK_MS);
    const { ids, times } = await invoices.postFor(MINUTES * 60).finally(() => clearInterval(look));
    const during = receiver.delays.length - earlier;
    const behind = await service.quiet();
    const delays = receiver.delays.slice(earlier).map(({ ms }) => ms / 1000);
    delays.sort((one, other) => one - other);
    const waits = [...times].sort((one, other) => one - other);
    const quarter = Math.max(1, Math.floor(memory.length / 4));
    const before = Math.max(...memory.slice(0, quarter));
    const after = Math.max(...memory.slice(-quarter));
    const last = delays.at(-1) ?? Number.NaN;
    const seconds = (share: number) => percentile(delays, share).toFixed(1);
    return {
      name: `Invoices posted without a pause for ${MINUTES} min by 16 clients, each delivered to a webhook`,
      measured: [
        `${(ids.length / MINUTES / 60).toFixed(1)} invoices a second`,
        `clients wait ${percentile(waits, 0.95).toFixed(0)} ms (95 %)`,
        `${invoices.refused} requests refused`,
        `events wait for the relay for ${lag.toFixed(0)} s at most`,
        `deliveries after ${seconds(0.5)} s (half), ${seconds(0.95)} s (95 %), ${last.toFixed(1)} s (all)`,
        `${ids.length - during} of ${ids.length} after the end, the last work ${behind.toFixed(0)} s after it`,
        `memory ${before.toFixed(0)} MB in the first quarter, ${after.toFixed(0)} in the last`,
      ].join('; '),
      limit: `${LATE_LIMIT_S} s for all deliveries, ${GROWTH_LIMIT} × the memory`,
      passed: last <= LATE_LIMIT_S && after <= before * GROWTH_LIMIT,
      figures: {
        perSecond: ids.length / MINUTES / 60,
        lateP50: percentile(delays, 0.5),
        lateMost: last,
        behindS: behind,
      },
    };
  } finally {
    receiver.stop();
    await invoices.stop();
  }
}

function megabytes(service: Service): number {
  const parts = [...service.usage()].filter(([part]) => part === 'API' || part === 'worker');
  return parts.reduce((sum, [, { memory }]) => sum + memory, 0) / 2 ** 20;
}

/** Age of the oldest event that was not handed over yet, in seconds. */
async function outboxLag({ address }: Service): Promise<number> {
  const answer = await fetch(`${address}/health/ready`);
  return ((await answer.json()) as { checks: { outbox_lag_seconds: number } }).checks.outbox_lag_seconds;
}
