/** The effect of a company's random acts on another one: on its requests, and on deliveries to its webhooks. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../test/helpers/client.ts';
import { HUNG } from './deliveries.ts';
import { hostileActs } from './hostile.ts';
import type { Check } from './report.ts';
import type { Stage } from './stage.ts';
import { answered, besideAnother } from './victim.ts';
import { withDeliveries } from './webhooks.ts';

const ACTS = 1000;
const SEED = Number(process.env.BENCH_SEED ?? 20_260_615);
/** Pause between acts: about ten per second, one after the other. */
const ACT_PAUSE_MS = 80;
const LIMIT = 1.5;

export const hostileCompany = (stage: Stage) =>
  withDeliveries(stage, async (deliveries): Promise<Check> => {
    let answers = new Map<number, number>();
    const acting = async () => {
      answers = await act(stage, deliveries.url + HUNG);
    };
    const { measured, passed } = await besideAnother(stage, deliveries, acting, { requests: LIMIT, deliveries: LIMIT });
    return {
      name: `another company during ${ACTS} hostile acts (seed ${SEED}, answers ${[...answers].map((entry) => entry.join('×')).join(' ')})`,
      measured,
      limit: `at most ${LIMIT} of the slower of before and after, and no 5xx`,
      passed: passed && ![...answers.keys()].some((status) => status >= 500),
    };
  });

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
