/**
 * `npm run chaos [-- --minutes 10 --seed 7 --clients 4 --cluster]`: clients trade while the parts of a service are killed, stopped and cut
 * off at random. With `--roll` its processes are replaced one after the other instead, also by another release (`--from <folder>`).
 * Afterwards everything that was acknowledged must be there once, and have arrived. Exits with 1 otherwise; with `--keep`, a service that
 * has lost something goes on, to be looked at.
 */
import { parseArgs } from 'node:util';
import { broken, verifyDatabase } from '../../db/verify.ts';
import { caller, newTrace, trade } from './clients.ts';
import { openCluster } from './cluster.ts';
import { doHarm, seeded } from './harm.ts';
import { findLosses } from './losses.ts';
import { openOneMachine } from './one-machine.ts';
import { openReceiver } from './receiver.ts';
import { describeRun, recoveries } from './report.ts';
import { listen } from './sockets.ts';

const LISTENERS = 3;
/** Losses that are told. */
const TOLD = 20;
/** After a roll, clients go on for a moment. */
const AFTER_MS = 5000;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    clients: { type: 'string', default: '4' },
    cluster: { type: 'boolean', default: false },
    roll: { type: 'boolean', default: false },
    from: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});
const [minutes, seed, clients] = [values.minutes, values.seed, values.clients].map(Number) as [number, number, number];
const random = seeded(seed);

const cluster = values.cluster || values.roll ? await openCluster(values.from) : null;
const target = cluster ?? (await openOneMachine());
const harm = (until: number) => (values.roll && cluster !== null ? cluster.roll() : doHarm(target, until, random));
const receiver = await openReceiver(random);
const losses: string[] = [];
try {
  // Not by the client of the tests, which knows the answers of this release only.
  const call = caller(target, newTrace());
  await call('POST', '/api/webhooks', {
    ...{ name: 'chaos', url: receiver.url, events: ['document.locked'] },
    retry_policy: { max_attempts: 8, retry_delay_seconds: [1, 2, 5, 5, 10, 10, 10] },
  });
  const groups = await call('GET', '/api/partnerGroups?isCustomer=true');
  const groupId = (groups as unknown as { id: string }[])[0]?.id;
  const partnerId = String((await call('POST', '/api/partners', { name: 'Cliente', groupId })).id);
  const trace = newTrace();
  const listeners = Array.from({ length: LISTENERS }, () => listen(target));
  await Promise.all(listeners.map(({ ready }) => ready));
  const until = performance.now() + minutes * 60_000;
  const faults = harm(until);
  const isOver = values.roll ? settledSoon(faults) : () => performance.now() > until;
  await Promise.all([faults, ...Array.from({ length: clients }, () => trade(target, partnerId, isOver, trace))]);
  const end = performance.now();
  await target.mended();
  const seen = { trace, receiver, listeners };
  const found = await findLosses(target, seen);
  losses.push(...found.losses);
  const invariants = await verifyDatabase(target.ownerUrl());
  losses.push(...broken(invariants).map(({ name }) => `the invariant ${name} is broken`));
  const { arrivals } = found;
  console.log(
    describeRun({ minutes, seed, ...seen, arrivals, end, recoveries: recoveries(await faults, trace.answered) }),
  );
  for (const { stop } of listeners) stop();
} finally {
  receiver.stop();
  if (losses.length === 0 || !values.keep) await target.stop();
}
console.log(losses.length === 0 ? 'Nothing was lost.' : losses.slice(0, TOLD).join('\n'));
if (losses.length > TOLD) console.log(`… and ${losses.length - TOLD} more`);
process.exit(losses.length === 0 ? 0 : 1);

/** Whether a roll has been over for a moment. */
function settledSoon(roll: Promise<unknown>): () => boolean {
  let isOver = false;
  const end = () => setTimeout(() => (isOver = true), AFTER_MS);
  roll.then(end, end);
  return () => isOver;
}
