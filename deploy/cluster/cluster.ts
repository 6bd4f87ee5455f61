/** A cluster of processes on one machine: its parts in the order in which they start, and what is done with them. */
import { resolve } from 'node:path';
import { StartError } from '../../runtime/errors.ts';
import { balancerPart } from './balancer.ts';
import { agreeOnStandby, createDatabases, databasePart, failOver } from './databases.ts';
import { Place } from './place.ts';
import { pgbouncerProgram, pointPool, poolPart } from './pool.ts';
import { type Part, runningPid, signalPart, startPart, stopPart } from './processes.ts';
import { API_PROCESSES, apiPart, helperPart, migrate, WORKERS, workerPart } from './service.ts';
import { createNamespace, TEMPORAL_NODES, temporalPart, updateTemporalSchema } from './temporal.ts';

const OWN_RELEASE = resolve(import.meta.dirname, '../..');

export class Cluster {
  readonly place: Place;
  readonly #print: (line: string) => void;

  constructor(place: Place, print: (line: string) => void = console.log) {
    this.place = place;
    this.#print = print;
  }

  /** @param port at which clients find the service */
  static async open(folder: string, port: number, print?: (line: string) => void): Promise<Cluster> {
    return new Cluster(await Place.open(folder, port), print);
  }

  /** All parts; PgBouncer is one where it is installed. */
  parts(): Part[] {
    const { place } = this;
    const pgbouncer = pgbouncerProgram();
    return [
      databasePart(place, place.primary),
      databasePart(place, place.standby),
      ...(pgbouncer === undefined ? [] : [poolPart(place, pgbouncer)]),
      ...TEMPORAL_NODES.map((name) => temporalPart(place, name)),
      helperPart(place, 'files'),
      helperPart(place, 'mail'),
      balancerPart(place),
      ...WORKERS.map((name) => workerPart(place, name)),
      ...API_PROCESSES.map((name) => apiPart(place, name)),
    ];
  }

  /** @throws StartError naming the parts if there is none with that name */
  part(name: string): Part {
    const parts = this.parts();
    const found = parts.find((part) => part.name === name);
    if (found !== undefined) return found;
    throw new StartError(`There is no part ${name}: it must be one of ${parts.map((part) => part.name).join(', ')}`);
  }

  isRunning(name: string): boolean {
    return runningPid(this.place, name) !== undefined;
  }

  /** Starts what does not run. @param release folder of the service that its processes run */
  async startAll(release = OWN_RELEASE): Promise<void> {
    const { place } = this;
    if (pgbouncerProgram() === undefined) {
      this.#print('No PgBouncer of 1.21 or newer (PATH, PGBOUNCER): processes connect to PostgreSQL themselves');
    }
    for (const part of this.parts()) {
      if (part.name === TEMPORAL_NODES[0]) await updateTemporalSchema(place);
      if (part.name === WORKERS[0]) {
        await createNamespace(place);
        await migrate(place, release);
      }
      await this.start(part.name, release);
      if (part.name === place.primary) await createDatabases(place);
    }
  }

  async start(name: string, release = OWN_RELEASE): Promise<void> {
    if (this.isRunning(name)) return;
    this.#print(`${name}: starting`);
    await startPart(this.place, this.part(name), release);
    await this.#changed(name);
  }

  async stop(name: string): Promise<void> {
    await stopPart(this.place, this.part(name));
    await this.#changed(name);
  }

  /** Ends a part as a failure does: with SIGKILL. It stays away until it is started. */
  async kill(name: string): Promise<void> {
    this.part(name);
    await signalPart(this.place, name, 'SIGKILL');
    await this.#changed(name);
  }

  async stopAll(): Promise<void> {
    for (const { name } of this.parts().reverse()) {
      if (this.isRunning(name)) this.#print(`${name}: stopping`);
      // With its standby gone, a primary would wait for it with its last commits.
      await this.stop(name);
    }
  }

  /** Makes the standby the primary; the old one is killed, and comes back as the standby when it is started. */
  async failOver(): Promise<void> {
    await failOver(this.place);
    if (this.isRunning('pgbouncer')) await pointPool(this.place);
  }

  /**
   * Migrates, and replaces the service's processes one after the other.
   * @param each called with the name of each before it is replaced
   * @param release folder of the service to go on with
   */
  async roll(
    each: (name: string) => void = (name) => this.#print(`${name}: replacing`),
    release = OWN_RELEASE,
  ): Promise<void> {
    await migrate(this.place, release);
    for (const name of [...WORKERS, ...API_PROCESSES]) {
      each(name);
      await this.stop(name);
      await this.start(name, release);
    }
  }

  /** A server that has come or gone changes for whom the primary waits. */
  async #changed(name: string): Promise<void> {
    const { place } = this;
    if (name === place.primary || name === place.standby) await agreeOnStandby(place);
  }
}
