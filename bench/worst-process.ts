/**
 * A process that does a company's worst for a minute: apart from the one that measures, whose own loop it would hold up.
 * It is told where by its arguments, says `ready`, begins when told so, and answers with what it has done.
 */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { createClient } from '../test/helpers/client.ts';
import { answered } from './victim.ts';
import { type HostileCompany, openHostileCompany, type WorstAct } from './worst.ts';

/** Answers to one kind of act. */
export interface Done {
  readonly kind: string;
  /** Number of answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Milliseconds that the answers took together. */
  readonly took: number;
}

const LASTS_MS = 60_000;
const SOCKETS = 20;
/** Acts to leave out, or the only ones, by kind: which of them matter. */
const ONLY = process.env.BENCH_ACTS?.split(',');

const [address = '', token = '', target = ''] = process.argv.slice(2);
const hostile = await openHostileCompany({ client: createClient(address, token), address, token }, target);
process.send?.('ready');
await once(process, 'message');
const until = performance.now() + LASTS_MS;
const acts = hostile.acts.filter(({ kind }) => ONLY?.includes(kind) ?? true);
const done = await Promise.all([
  ...acts.map(repeat),
  ...(ONLY?.includes('sockets') === false ? [] : [floodSockets(hostile)]),
]);
process.send?.(done, () => process.disconnect());

/** Does one thing again and again. */
async function repeat({ kind, make }: WorstAct): Promise<Done> {
  const statuses: Record<string, number> = {};
  let took = 0;
  for (let number = 0; performance.now() < until; number += 1) {
    const { method, path, body, headers: more } = make(number);
    const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
    const started = performance.now();
    const all = { ...hostile.headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...more };
    const status = await answered(address + path, { method, headers: all, ...sent });
    took += performance.now() - started;
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return { kind, statuses, took };
}

/** Opens connections, which are closed as soon as they are ready. */
async function floodSockets({ headers }: HostileCompany): Promise<Done> {
  const statuses: Record<string, number> = {};
  let took = 0;
  const flood = async () => {
    while (performance.now() < until) {
      const started = performance.now();
      const socket = new WebSocket(`${address.replace('http', 'ws')}/ws/notifications`, { headers: { ...headers } });
      const end = await new Promise<string>((resolve) => {
        socket.once('message', () => {
          socket.close();
          resolve('opened');
        });
        socket.once('close', () => resolve('closed'));
        socket.once('error', () => resolve('refused'));
      });
      statuses[end] = (statuses[end] ?? 0) + 1;
      took += performance.now() - started;
    }
  };
  await Promise.all(Array.from({ length: SOCKETS }, flood));
  return { kind: 'socket', statuses, took };
}
