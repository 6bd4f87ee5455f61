/** A kind of service manager for a cluster. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../../deploy/cluster/cluster.ts';

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
    while (this.#dead().length > 0) await sleep(LOOK_MS);
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
    // One that cannot be started now (a full disk, a primary that is away) is tried again.
    await Promise.all(this.#dead().map((name) => this.#cluster.start(name).catch(() => undefined)));
  }

  #dead(): string[] {
    const names = this.#cluster.parts().map(({ name }) => name);
    return names.filter((name) => !this.#cluster.isRunning(name));
  }
}
