/** A kind of service manager for a cluster. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../../deploy/cluster/cluster.ts';
import { SERVERS } from '../../deploy/cluster/place.ts';
import { pgbouncerProgram } from '../../deploy/cluster/pool.ts';
import { runningPid } from '../../deploy/cluster/processes.ts';
import { API_PROCESSES, WORKERS } from '../../deploy/cluster/service.ts';
import { TEMPORAL_NODES } from '../../deploy/cluster/temporal.ts';

/** It waits a moment before it starts again what has died. */
const AWAY_MS = 1000;
const LOOK_MS = 500;

/** Starts what has died, as systemd or Kubernetes does. */
export class ServiceManager {
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

/** Names of the parts of a cluster. */
export function everyPart(): string[] {
  const pool = pgbouncerProgram() === undefined ? [] : ['pgbouncer'];
  return [...SERVERS, ...pool, ...TEMPORAL_NODES, 'files', 'mail', 'balancer', ...WORKERS, ...API_PROCESSES];
}
