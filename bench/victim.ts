/** Times that an ordinary company notices while another one acts: of its requests, and of deliveries to its webhooks. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventReceiver } from './deliveries.ts';
import { percentile } from './report.ts';
import type { Stage } from './stage.ts';
import { latencies } from './webhooks.ts';

const REQUEST_PAUSE_MS = 15;
const DELIVERY_PAUSE_MS = 100;
const QUIET_MS = 15_000;
const EVENT = 'stock.low';

/** The most that may be noticed, as times of what is usual. */
export interface Bearable {
  readonly requests: number;
  readonly deliveries: number;
}

/** Sorted milliseconds. */
interface Noticed {
  readonly requests: readonly number[];
  readonly deliveries: readonly number[];
}

/** Measures before, during and after what another company does. What it leaves behind slows "after", so "before" is what is usual. */
export async function besideAnother(
  stage: Stage,
  receiver: EventReceiver,
  act: () => Promise<unknown>,
  limit: Bearable,
): Promise<{ measured: string; passed: boolean; figures: Record<string, number> }> {
  await receiver.register(EVENT, '/victim', 1);
  const quietly = () => notice(stage, receiver, sleep(QUIET_MS));
  await quietly(); // Warms up what is compiled and prepared on first use.
  const before = await quietly();
  const during = await notice(stage, receiver, act());
  const after = await quietly();
  const compare = (kind: keyof Noticed) => {
    const [usual = 0, then = 0, later = 0] = [before, during, after].map((noticed) => percentile(noticed[kind], 0.95));
    const [typical, median] = [before, during].map((noticed) => percentile(noticed[kind], 0.5).toFixed(0));
    const ratio = then / usual;
    const slowest = `${then.toFixed(0)} ms, ${usual.toFixed(0)} before and ${later.toFixed(0)} after`;
    return { ratio, words: `${slowest} (${ratio.toFixed(2)}; medians ${median} and ${typical} before)` };
  };
  const [requests, deliveries] = [compare('requests'), compare('deliveries')];
  return {
    measured: `p95 of requests ${requests.words}, of deliveries ${deliveries.words}`,
    passed: requests.ratio <= limit.requests && deliveries.ratio <= limit.deliveries,
    figures: { requests: requests.ratio, deliveries: deliveries.ratio },
  };
}

/** Measures a company's activities while something else runs. */
async function notice(stage: Stage, receiver: EventReceiver, meanwhile: Promise<unknown>): Promise<Noticed> {
  let over = false;
  const end = meanwhile.then(() => {
    over = true;
  });
  const until = async (work: () => Promise<number[]>) => {
    const taken: number[] = [];
    while (!over) taken.push(...(await work()));
    return taken.sort((one, other) => one - other);
  };
  const [requests, sent] = await Promise.all([
    until(() => requestTimes(stage)),
    until(() => latencies(receiver, 10, DELIVERY_PAUSE_MS)),
    end,
  ]);
  return { requests, deliveries: sent };
}

/** Measures milliseconds of reads and a write like those of an ordinary client. */
async function requestTimes({ address, token }: Stage): Promise<number[]> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const unit = JSON.stringify({ code: `U${Math.round(performance.now() * 1000)}`, name: 'Unidad' });
  const taken: number[] = [];
  for (const [path, rest] of [
    ['/api/partners?name[contains]=a', {}],
    ['/api/uom?limit=50', {}],
    ['/api/uom', { method: 'POST', body: unit }],
    ['/api/company', {}],
  ] as const) {
    const started = performance.now();
    const status = await answered(address + path, { headers, ...rest });
    taken.push(performance.now() - started);
    if (status >= 300) throw new Error(`A request of the company was answered ${status}`);
    await sleep(REQUEST_PAUSE_MS);
  }
  return taken;
}

/** Returns the status once the complete answer has arrived. */
export async function answered(url: string, init: RequestInit): Promise<number> {
  const answer = await fetch(url, init);
  await answer.arrayBuffer();
  return answer.status;
}
