/** Ways to harm a cluster. */
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../../deploy/cluster/cluster.ts';
import { runningPid, signalPart } from '../../deploy/cluster/processes.ts';
import type { CuttableProxy } from '../../test/helpers/proxy.ts';
import { withDescendants } from '../processes.ts';
import type { ServiceManager } from './service-manager.ts';
import { type Harm, STOPPED_MS, signal } from './target.ts';

const CUT_MS = 3000;
const DELAY_MS = 50;
const SLOW_MS = 10_000;
const FULL_MS = 5000;
const FILL_BYTES = 16 * 1024 * 1024;

/**
 * All ways.
 * @param links proxies before parts
 * @param disk folder of the cluster, if it has a disk of its own
 */
export function clusterHarms(
  cluster: Cluster,
  manager: ServiceManager,
  links: Readonly<Record<string, CuttableProxy>>,
  disk: string | null,
): Harm[] {
  return [
    ...cluster.parts().flatMap(({ name }) => [killed(cluster, name), stopped(cluster, name)]),
    failedOver(cluster, manager),
    ...Object.entries(links).flatMap(linkHarms),
    ...(disk === null ? [] : [full(disk)]),
  ];
}

function killed(cluster: Cluster, part: string): Harm {
  return {
    part,
    kind: 'killed',
    async do() {
      const isThere = cluster.isRunning(part);
      await signalPart(cluster.place, part, 'SIGKILL');
      return isThere;
    },
  };
}

function stopped(cluster: Cluster, part: string): Harm {
  return {
    part,
    kind: 'stopped',
    async do() {
      const pid = runningPid(cluster.place, part);
      // Processes of PostgreSQL lead groups of their own.
      const pids = pid === undefined ? [] : withDescendants(pid);
      signal(pids, 'SIGSTOP');
      await sleep(STOPPED_MS);
      signal(pids, 'SIGCONT');
      return pids.length > 0;
    },
  };
}

/** The primary dies for good, and the standby takes over; the old one comes back as the standby. */
function failedOver(cluster: Cluster, manager: ServiceManager): Harm {
  return {
    part: 'primary',
    kind: 'failed over',
    async do() {
      const { place } = cluster;
      let isThere = false;
      await manager.aside(async () => {
        isThere = cluster.isRunning(place.primary) && cluster.isRunning(place.standby);
        if (isThere) await cluster.failOver();
      });
      return isThere;
    },
  };
}

/** A proxy before a part refuses everything, lets nothing through, or lets it through late. */
function linkHarms([part, link]: [string, CuttableProxy]): Harm[] {
  const name = `link to ${part}`;
  return [
    harmForAWhile(name, 'cut off', CUT_MS, link.down, link.up),
    harmForAWhile(name, 'silent', CUT_MS, link.hold, link.flow),
    harmForAWhile(
      name,
      'slow',
      SLOW_MS,
      () => link.delay(DELAY_MS),
      () => link.delay(0),
    ),
  ];
}

function full(folder: string): Harm {
  const path = join(folder, 'filler');
  return harmForAWhile(
    'disk',
    'full',
    FULL_MS,
    () => fill(path),
    () => rmSync(path, { force: true }),
  );
}

function harmForAWhile(part: string, kind: string, ms: number, begin: () => void, end: () => void): Harm {
  return {
    part,
    kind,
    async do() {
      begin();
      await sleep(ms);
      end();
      return true;
    },
  };
}

/** Writes a file until the disk is full. */
function fill(path: string): void {
  const file = openSync(path, 'w');
  const block = Buffer.alloc(FILL_BYTES);
  try {
    for (let length = block.length; length > 0; ) {
      try {
        writeSync(file, block, 0, length);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        // What is left for smaller writes, too.
        length = Math.floor(length / 2);
      }
    }
  } finally {
    closeSync(file);
  }
}
