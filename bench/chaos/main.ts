/**
 * `npm run chaos [-- --minutes 10 --seed 7 --clients 4]`: clients trade while the parts of a service are killed and stopped at random.
 * Afterwards everything that was acknowledged must be there once, and have arrived. Exits with 1 otherwise.
 */
import { parseArgs } from 'node:util';
import { broken, verifyDatabase } from '../../db/verify.ts';
import { openService } from '../service.ts';
import { newTrace, trade } from './clients.ts';
import { doHarm, seeded } from './faults.ts';
import { findLosses } from './losses.ts';
import { openReceiver } from './receiver.ts';
import { describeRun, recoveries } from './report.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    clients: { type: 'string', default: '4' },
  },
});
const [minutes, seed, clients] = [values.minutes, values.seed, values.clients].map(Number) as [number, number, number];
const random = seeded(seed);

const service = await openService();
const receiver = await openReceiver(random);
let losses: string[];
try {
  const { client } = service;
  const hook = await client.post('/api/webhooks', {
    ...{ name: 'chaos', url: receiver.url, events: ['document.locked'] },
    retry_policy: { max_attempts: 8, retry_delay_seconds: [1, 2, 5, 5, 10, 10, 10] },
  });
  if (hook.status !== 201) throw new Error(`The webhook was answered ${hook.status}`);
  const groupId = (await client.get('/api/partnerGroups?isCustomer=true')).body.data[0].id;
  const partnerId = (await client.post('/api/partners', { name: 'Cliente', groupId })).body.data.id;
  const trace = newTrace();
  const until = performance.now() + minutes * 60_000;
  const [faults] = await Promise.all([
    doHarm(service.root, until, random),
    ...Array.from({ length: clients }, () => trade(service, partnerId, until, trace)),
  ]);
  losses = await findLosses(service, receiver, trace);
  losses.push(...broken(await verifyDatabase(service.ownerUrl)).map(({ name }) => `the invariant ${name} is broken`));
  console.log(describeRun({ minutes, seed, trace, receiver, recoveries: recoveries(faults, trace.answered) }));
} finally {
  receiver.stop();
  await service.stop();
}
console.log(losses.length === 0 ? 'Nothing was lost.' : losses.join('\n'));
process.exitCode = losses.length === 0 ? 0 : 1;
