/** The cluster of processes (deploy/cluster), on which a kind of service manager starts again what has died. */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster } from '../../deploy/cluster/cluster.ts';
import { databaseUrl, serverUrl } from '../../deploy/cluster/databases.ts';
import { SERVERS } from '../../deploy/cluster/place.ts';
import { pgbouncerProgram } from '../../deploy/cluster/pool.ts';
import { runningPid, signalPart } from '../../deploy/cluster/processes.ts';
import { API_PROCESSES, WORKERS } from '../../deploy/cluster/service.ts';
import { NAMESPACE, TEMPORAL_NODES } from '../../deploy/cluster/temporal.ts';
import { freePort } from '../../runtime/ports.ts';
import { type CuttableProxy, startProxy } from '../../test/helpers/proxy.ts';
import { withDescendants } from '../processes.ts';
import { LENIENT } from '../service.ts';
import { setUpCompany } from '../stage.ts';
import type { Fault } from './harm.ts';
import { type Harm, STOPPED_MS, signal, type Target } from './target.ts';

/** A service manager waits a moment before it starts again what has died. */
const AWAY_MS = 1000;
const CUT_MS = 3000;
const DELAY_MS = 50;
const SLOW_MS = 10_000;
const FULL_MS = 5000;
const LOOK_MS = 500;
/** Of the disk of its own that a cluster gets where that is allowed. */
const DISK = '6g';
const FILL_BYTES = 16 * 1024 * 1024;

export interface ClusterTarget extends Target {
  /** Replaces the service's processes one after the other by those of this release. */
  roll(): Promise<Fault[]>;
}

/** @param release folder of the service that its processes run; this one by default */
export async function openCluster(release?: string): Promise<ClusterTarget> {
  // 1.0.0 knows no list of targets.
  Object.assign(process.env, LENIENT, release === undefined ? {} : { WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true' });
  const folder = mkdtempSync(join(tmpdir(), 'cluster-'));
  const hasDisk = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK},mode=0755`, 'tmpfs', folder]).status === 0;
  const cluster = await Cluster.open(folder, await freePort(), () => undefined);
  const { place } = cluster;
  const links: Record<string, CuttableProxy> = {};
  for (const name of [...SERVERS, 'temporal']) links[name] = await startProxy(`127.0.0.1:${place.port(name)}`);
  place.link(Object.fromEntries(Object.entries(links).map(([name, { port }]) => [name, port])));
  if (release !== undefined) place.isPlain = true;
  const manager = new ServiceManager(cluster);
  const stop = async () => {
    await manager.stop();
    await cluster.stopAll();
    for (const link of Object.values(links)) await link.close();
    if (hasDisk) spawnSync('umount', [folder]);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await cluster.startAll(release);
    const address = `http://127.0.0.1:${place.port('balancer')}`;
    const company = await setUpCompany(address);
    manager.start();
    return {
      ...company,
      address,
      async roll() {
        const faults: Fault[] = [];
        const each = (part: string) => faults.push({ part, kind: 'replaced', at: performance.now() });
        await manager.aside(() => cluster.roll(each));
        return faults;
      },
      databaseUrl: databaseUrl(place, 'bms_service'),
      ownerUrl: () => serverUrl(place, 'bms_owner', place.primary),
      temporal: { address: `127.0.0.1:${place.port('temporal')}`, namespace: NAMESPACE },
      mails: place.path('data', 'mail'),
      harms: [
        ...everyPart().flatMap((part) => [killed(cluster, part), stopped(cluster, part)]),
        failedOver(cluster, manager),
        ...Object.entries(links).flatMap(([name, link]) => [cutOff(name, link), silent(name, link), slow(name, link)]),
        ...(hasDisk ? [full(folder)] : []),
      ],
      mended: () => manager.allRun(),
      fill: () => Promise.reject(new Error('A cluster is filled by requests')),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts what has died, as systemd or Kubernetes does. */
class ServiceManager {
  readonly #cluster: Cluster;
  #isOn = false;
  #round: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  start(): void {
    this.#isOn = true;
    this.#look();
  }

  async stop(): Promise<void> {
    this.#isOn = false;
    clearTimeout(this.#timer);
    await this.#round;
  }

  /** Does something during which it starts nothing. */
  async aside(work: () => Promise<void>): Promise<void> {
    await this.stop();
    await work();
    this.start();
  }

  async allRun(): Promise<void> {
    const { place } = this.#cluster;
    while (everyPart().some((name) => runningPid(place, name) === undefined)) await sleep(LOOK_MS);
    await this.#round;
  }

  #look(): void {
    this.#timer = setTimeout(() => {
      this.#round = this.#startDead().finally(() => {
        if (this.#isOn) this.#look();
      });
    }, AWAY_MS);
  }

  async #startDead(): Promise<void> {
    const { place } = this.#cluster;
    const dead = everyPart().filter((name) => runningPid(place, name) === undefined);
    // One that cannot be started now (a full disk, a primary that is away) is tried again.
    await Promise.all(dead.map((name) => this.#cluster.start(name).catch(() => undefined)));
  }
}

function everyPart(): string[] {
  const pool = pgbouncerProgram() === undefined ? [] : ['pgbouncer'];
  return [...SERVERS, ...pool, ...TEMPORAL_NODES, 'files', 'mail', 'balancer', ...WORKERS, ...API_PROCESSES];
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

function cutOff(part: string, link: CuttableProxy): Harm {
  return harmForAWhile(
    `link to ${part}`,
    'cut off',
    CUT_MS,
    () => link.down(),
    () => link.up(),
  );
}

function silent(part: string, link: CuttableProxy): Harm {
  return harmForAWhile(
    `link to ${part}`,
    'silent',
    CUT_MS,
    () => link.hold(),
    () => link.flow(),
  );
}

function slow(part: string, link: CuttableProxy): Harm {
  return harmForAWhile(
    `link to ${part}`,
    'slow',
    SLOW_MS,
    () => link.delay(DELAY_MS),
    () => link.delay(0),
  );
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
