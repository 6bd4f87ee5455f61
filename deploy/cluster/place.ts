/** Where a cluster is: a folder with the ports, secrets, data and logs of its parts. */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { keptSecret, readIfThere, writeWhole } from '../../runtime/files.ts';
import { freePort } from '../../runtime/ports.ts';

/** The two PostgreSQL servers, one of which is the primary. */
export const SERVERS = ['postgres-1', 'postgres-2'] as const;
export type ServerName = (typeof SERVERS)[number];

/** The four services of a Temporal node listen twice each, for calls and for each other. */
const TEMPORAL_SERVICES = ['frontend', 'history', 'matching', 'worker'] as const;
export type TemporalService = (typeof TEMPORAL_SERVICES)[number];
const TEMPORAL_PORTS = ['temporal-1', 'temporal-2'].flatMap((node) =>
  TEMPORAL_SERVICES.flatMap((service) => [`${node}-${service}`, `${node}-${service}-members`]),
);
const PORTS = [...SERVERS, 'pgbouncer', ...TEMPORAL_PORTS, 'temporal', 'files', 'mail', 'api-1', 'api-2', 'api-3'];

interface Kept {
  ports: Record<string, number>;
  primary: ServerName;
  /** Whether the service is given the primary alone, which is what 1.0.0 knows. */
  isPlain?: boolean;
  /** Ports at which others reach a part, where that is not its own: of a proxy in between. */
  links?: Record<string, number>;
}

export class Place {
  readonly folder: string;
  #kept: Kept;

  private constructor(folder: string, kept: Kept) {
    this.folder = folder;
    this.#kept = kept;
  }

  /** Opens the folder; on the first call free ports are chosen. @param port of the balancer, where clients ask */
  static async open(path: string, port: number): Promise<Place> {
    const folder = resolve(path);
    // PostgreSQL, started by root, runs as another user.
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    for (const name of ['data', 'logs', 'processes', 'settings']) {
      mkdirSync(join(folder, name), { recursive: true, mode: name === 'settings' ? 0o755 : 0o700 });
    }
    const text = readIfThere(join(folder, 'cluster.json'));
    const kept: Kept = text === undefined ? { ports: {}, primary: 'postgres-1' } : JSON.parse(text);
    for (const name of PORTS) kept.ports[name] ??= await freePort();
    kept.ports.balancer = port;
    const place = new Place(folder, kept);
    // Commands must work on a full disk, too.
    if (JSON.stringify(kept) !== JSON.stringify(text === undefined ? null : JSON.parse(text))) place.#keep();
    return place;
  }

  /** The port on which a part listens. */
  port(name: string): number {
    const port = this.#kept.ports[name];
    if (port === undefined) throw new Error(`There is no port of ${name}`);
    return port;
  }

  /** host:port at which the service reaches a part. */
  address(name: string): string {
    return `127.0.0.1:${this.#kept.links?.[name] ?? this.port(name)}`;
  }

  /** Puts proxies before parts, for all processes that start from now on. */
  link(ports: Record<string, number>): void {
    this.#kept.links = ports;
    this.#keep();
  }

  get isPlain(): boolean {
    return this.#kept.isPlain === true;
  }

  set isPlain(value: boolean) {
    this.#kept.isPlain = value;
    this.#keep();
  }

  get primary(): ServerName {
    return this.#kept.primary;
  }

  set primary(name: ServerName) {
    this.#kept.primary = name;
    this.#keep();
  }

  get standby(): ServerName {
    return this.primary === 'postgres-1' ? 'postgres-2' : 'postgres-1';
  }

  secret(name: string): string {
    return keptSecret(join(this.folder, 'keys'), name);
  }

  path(...names: string[]): string {
    return join(this.folder, ...names);
  }

  #keep(): void {
    writeWhole(join(this.folder, 'cluster.json'), `${JSON.stringify(this.#kept, null, 2)}\n`);
  }
}
