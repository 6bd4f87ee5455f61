/** The effect of a hostile company on another one: on its requests, and on deliveries to its webhooks. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../test/helpers/client.ts';
import { type Deliveries, HUNG } from './deliveries.ts';
import { hostileActs } from './hostile.ts';
import { type Check, percentile } from './report.ts';
import type { Stage } from './stage.ts';
import { latencies, withDeliveries } from './webhooks.ts';

const ACTS = 1000;
const SEED = Number(process.env.BENCH_SEED ?? 20_260_615);
/** Pause between acts: about ten per second, one after the other. */
const ACT_PAUSE_MS = 80;
const REQUEST_PAUSE_MS = 15;
const DELIVERY_PAUSE_MS = 100;
const EVENT = 'stock.low';
const LIMIT = 1.5;

interface Noticed {
  readonly requests: number;
  readonly deliveries: number;
}

/** Measures before, during and after; the first and the last are the baseline. */
export const hostileCompany = (stage: Stage) =>
  withDeliveries(stage, async (deliveries): Promise<Check> => {
    await deliveries.register(EVENT, '/victim', 1);
    const quietly = () => notice(stage, deliveries, sleep(15_000));
    await quietly(); // Warms up what is compiled and prepared on first use.
    const before = await quietly();
    const acting = act(stage, deliveries.url + HUNG);
    const during = await notice(stage, deliveries, acting);
    const answers = await acting;
    const after = await quietly();
    const ratio = (of: (noticed: Noticed) => number) => of(during) / Math.max(of(before), of(after));
    const [requests, sent] = [ratio((noticed) => noticed.requests), ratio((noticed) => noticed.deliveries)];
    const failed = [...answers].filter(([status]) => status >= 500);
    return {
      name: `another company during ${ACTS} hostile acts (seed ${SEED}, answers ${[...answers].map((entry) => entry.join('×')).join(' ')})`,
      measured:
        `p95 of requests ${times(before.requests, during.requests, after.requests)} (${requests.toFixed(2)}), of deliveries ` +
        `${times(before.deliveries, during.deliveries, after.deliveries)} (${sent.toFixed(2)})`,
      limit: `at most ${LIMIT} of the slower of before and after, and no 5xx`,
      passed: requests <= LIMIT && sent <= LIMIT && failed.length === 0,
    };
  });

function times(before: number, during: number, after: number): string {
  return `${during.toFixed(0)} ms against ${before.toFixed(0)} before and ${after.toFixed(0)} after`;
}

/** Measures the 95th percentiles of a company's activities while something else runs. */
async function notice(stage: Stage, deliveries: Deliveries, meanwhile: Promise<unknown>): Promise<Noticed> {
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
    until(() => latencies(deliveries, 10, DELIVERY_PAUSE_MS)),
    end,
  ]);
  return { requests: percentile(requests, 0.95), deliveries: percentile(sent, 0.95) };
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
async function answered(url: string, init: RequestInit): Promise<number> {
  const answer = await fetch(url, init);
  await answer.arrayBuffer();
  return answer.status;
}

/** Performs all acts, one after the other. @returns the number of answers by status */
async function act({ client, address, token }: Stage, target: string): Promise<Map<number, number>> {
  const company = { name: 'Hostil SL', taxId: 'B98765431', country: 'ES', currency: 'EUR' };
  const made = await client.post('/api/tenants', company);
  if (made.status !== 201) throw new Error(`The hostile company was answered ${made.status}`);
  const tenant = made.body.data.id as string;
  const its = createClient(address, token, tenant);
  const first = async (path: string) => (await its.get(path)).body.data[0].id as string;
  const [groupId, uomId] = [await first('/api/partnerGroups'), await first('/api/uom')];
  const statuses = new Map<number, number>();
  const headers = { Authorization: `Bearer ${token}`, 'x-tenant-id': tenant, 'Content-Type': 'application/json' };
  for (const { method, path, body } of hostileActs(ACTS, SEED, target, groupId, uomId)) {
    const sent = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    const status = await answered(address + path, sent);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    await sleep(ACT_PAUSE_MS);
  }
  return new Map([...statuses].sort());
}
