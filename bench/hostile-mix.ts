/** The effect of a company that does its worst of every kind at once, for a minute, on another one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { givingWay } from '../runtime/niceness.ts';
import { HUNG, openReceiver } from './deliveries.ts';
import type { Check } from './report.ts';
import type { Service } from './service.ts';
import { besideAnother } from './victim.ts';
import type { Done } from './worst-process.ts';

const LIMIT = { requests: 1.2, deliveries: 1.3 };

export async function hostileMix(service: Service): Promise<Check> {
  const receiver = await openReceiver(service);
  const hostile = await startHostile(service, receiver.url + HUNG);
  try {
    let done: readonly Done[] = [];
    let parts = '';
    const acting = async () => {
      const [before, began] = [service.usage(), performance.now()];
      hostile.send('begin');
      done = (await once(hostile, 'message'))[0];
      const seconds = (performance.now() - began) / 1000;
      parts = [...service.usage()]
        .map(([part, { cpu, waited }]) => {
          const since = before.get(part) ?? { cpu: 0, waited: 0 };
          const [used, wanted] = [(cpu - since.cpu) / seconds, (waited - since.waited) / seconds];
          return `${part} ${used.toFixed(2)} (${wanted.toFixed(2)} more wanted)`;
        })
        .join(', ');
    };
    const { measured, passed, figures } = await besideAnother(service, receiver, acting, LIMIT);
    // A PDF that is not ready in time is one.
    const failed = done.filter(
      ({ kind, statuses }) => kind !== 'PDF' && Object.keys(statuses).some((status) => /^5/.test(status)),
    );
    return {
      name: 'another company while one does its worst of every kind',
      measured: `${measured}; cores used by ${parts}; ${done.map(words).join(', ')}`,
      limit: `at most ${LIMIT.requests} and ${LIMIT.deliveries} of before, and no 5xx`,
      passed: passed && failed.length === 0,
      figures,
    };
  } finally {
    hostile.kill();
    await receiver.stop();
  }
}

/** Starts the attackers. They would have machines of their own, so they give way to everything else, with a session of their own. */
async function startHostile({ address, token }: Service, target: string): Promise<ChildProcess> {
  const file = fileURLToPath(new URL('worst-process.ts', import.meta.url));
  const node = { file: process.execPath, args: ['--import', 'tsx', file, address, token, target] };
  const command = givingWay(node, constants.priority.PRIORITY_LOW);
  const hostile = spawn(command.file, command.args, { detached: true, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  await once(hostile, 'message');
  return hostile;
}

function words({ kind, statuses, took }: Done): string {
  const entries = Object.entries(statuses);
  const count = entries.reduce((sum, [, one]) => sum + one, 0);
  return `${kind} ${entries.map((entry) => entry.join('×')).join(' ')} (${(took / count).toFixed(0)} ms)`;
}
