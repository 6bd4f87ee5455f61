/** The effect of a company that does its worst of every kind at once, for a minute, on another one. */
import { WebSocket } from 'ws';
import { HUNG, openReceiver } from './deliveries.ts';
import type { Check } from './report.ts';
import type { Service } from './service.ts';
import { answered, besideAnother } from './victim.ts';
import { type HostileCompany, openHostileCompany } from './worst.ts';

const LASTS_MS = 60_000;
const LIMIT = { requests: 1.2, deliveries: 1.3 };
const SOCKETS = 20;
/** Acts to leave out, or the only ones, by kind: which of them matter. */
const ONLY = process.env.BENCH_ACTS?.split(',');

export async function hostileMix(service: Service): Promise<Check> {
  const receiver = await openReceiver(service);
  try {
    const hostile = await openHostileCompany(service, receiver.url + HUNG);
    const done = new Map<string, Done>();
    let parts = '';
    const acting = async () => {
      const before = service.usage();
      const until = performance.now() + LASTS_MS;
      const acts = hostile.acts.filter(({ kind }) => ONLY?.includes(kind) ?? true);
      await Promise.all([
        ...acts.map((act) => repeat(service.address, hostile, act, until, done)),
        floodSockets(service.address, hostile, until),
      ]);
      parts = [...service.usage()]
        .map(([part, { cpu }]) => `${part} ${((cpu - (before.get(part)?.cpu ?? 0)) / (LASTS_MS / 1000)).toFixed(2)}`)
        .join(', ');
    };
    const { measured, passed, figures } = await besideAnother(service, receiver, acting, LIMIT);
    // A PDF that is not ready in time is one.
    const failed = [...done].filter(
      ([kind, { statuses }]) => kind !== 'PDF' && [...statuses.keys()].some((status) => status >= 500),
    );
    return {
      name: 'another company while one does its worst of every kind',
      measured: `${measured}; cores used by ${parts}; ${[...done].map(words).join(', ')}`,
      limit: `at most ${LIMIT.requests} and ${LIMIT.deliveries} of the slower of before and after, and no 5xx`,
      passed: passed && failed.length === 0,
      figures,
    };
  } finally {
    await receiver.stop();
  }
}

interface Done {
  readonly statuses: Map<number, number>;
  /** Milliseconds that the answers took together. */
  took: number;
}

function words([kind, { statuses, took }]: [string, Done]): string {
  const count = [...statuses.values()].reduce((sum, one) => sum + one, 0);
  const shown = [...statuses].map((entry) => entry.join('×')).join(' ');
  return `${kind} ${shown} (${(took / count).toFixed(0)} ms)`;
}

/** Does one thing again and again. */
async function repeat(
  address: string,
  { headers }: HostileCompany,
  { kind, make }: HostileCompany['acts'][number],
  until: number,
  done: Map<string, Done>,
): Promise<void> {
  const one: Done = { statuses: new Map(), took: 0 };
  done.set(kind, one);
  for (let number = 0; performance.now() < until; number += 1) {
    const { method, path, body, headers: more } = make(number);
    const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
    const started = performance.now();
    const all = { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...more };
    const status = await answered(address + path, { method, headers: all, ...sent });
    one.took += performance.now() - started;
    one.statuses.set(status, (one.statuses.get(status) ?? 0) + 1);
  }
}

/** Opens connections, which are closed as soon as they are ready. */
async function floodSockets(address: string, { headers }: HostileCompany, until: number): Promise<void> {
  const flood = async () => {
    while (performance.now() < until) {
      const socket = new WebSocket(`${address.replace('http', 'ws')}/ws/notifications`, { headers: { ...headers } });
      await new Promise<void>((resolve) => {
        socket.once('message', () => socket.close());
        socket.once('close', () => resolve());
        socket.once('error', () => undefined); // It may be refused.
      });
    }
  };
  await Promise.all(Array.from({ length: SOCKETS }, flood));
}
