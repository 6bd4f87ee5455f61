/** The service as `npm start` runs it, which starts again what has died. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { partProcesses } from '../processes.ts';
import { openService } from '../service.ts';
import { type Harm, STOPPED_MS, signal, type Target } from './target.ts';

const PARTS = ['PostgreSQL', 'Temporal', 'worker', 'API', 'Chromium'] as const;
const MENDED_MS = 60_000;
const LOOK_MS = 200;

export async function openOneMachine(): Promise<Target> {
  const service = await openService();
  return {
    ...service,
    ownerUrl: () => service.ownerUrl,
    temporal: { address: service.temporalAddress, namespace: 'default' },
    mails: join(service.dataDir, 'mail'),
    // A part dies more often than it stands still.
    harms: PARTS.flatMap((part) => [
      killed(service.root, part),
      killed(service.root, part),
      stopped(service.root, part),
    ]),
    async mended() {
      const until = performance.now() + MENDED_MS;
      while (performance.now() < until && !(await isReady(service.address))) await sleep(LOOK_MS);
    },
  };
}

function killed(root: number, part: string): Harm {
  const kind = 'killed';
  return {
    part,
    kind,
    async do() {
      // Its first process, on which its others depend. Chromium runs while something is printed.
      const pids = partProcesses(root, part).slice(0, 1);
      signal(pids, 'SIGKILL');
      return pids.length > 0;
    },
  };
}

function stopped(root: number, part: string): Harm {
  return {
    part,
    kind: 'stopped',
    async do() {
      const pids = partProcesses(root, part);
      signal(pids, 'SIGSTOP');
      await sleep(STOPPED_MS);
      signal(pids, 'SIGCONT');
      return pids.length > 0;
    },
  };
}

async function isReady(address: string): Promise<boolean> {
  return fetch(`${address}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}
