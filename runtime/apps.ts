/** Starts this service's own parts, with their environment. */
import { randomUUID } from 'node:crypto';
import type { Config } from '../config/index.ts';
import { ownModule } from './command.ts';
import type { DataDirectory } from './data-dir.ts';
import { apiProcesses } from './defaults.ts';
import { StartError } from './errors.ts';
import { keptSecret, previousSecret } from './files.ts';
import { givingWay } from './niceness.ts';
import type { Servers } from './servers.ts';
import type { Supervisor } from './supervisor.ts';

export interface AppPart {
  readonly name: string;
  /** Path from the project's root, without its ending. */
  readonly module: string;
  readonly args?: readonly string[];
  /** Options of Node, and variables, for it alone. */
  readonly node?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Its niceness: how far it gives way while the processor is busy. */
  readonly niceness?: number;
  /**
   * Resolves once the part is ready; later parts start in the meantime. Without it, later parts start when this one has ended.
   * @param address of the API
   */
  readonly ready?: (address: string, signal: AbortSignal) => Promise<void>;
  /** Time for it to stop before it is killed; all parts share this time. */
  readonly stopMs?: number;
}

const READY_MS = 120_000;

/** Below 2,048 MB, V8 lets the heap grow to twice the live data before a full collection, instead of four times. */
const HEAP = '--max-old-space-size=2000';

/** Builds the environment of the parts: the given one, completed by what was found, started and generated. */
export function appEnvironment(
  config: Config,
  env: NodeJS.ProcessEnv,
  data: DataDirectory,
  servers: Servers,
  port: number,
): NodeJS.ProcessEnv {
  return {
    ...env,
    // By default glibc keeps freed memory in up to eight heaps for each core.
    MALLOC_ARENA_MAX: env.MALLOC_ARENA_MAX ?? '2',
    NODE_OPTIONS: env.NODE_OPTIONS ?? HEAP,
    DATABASE_URL: servers.databaseUrl,
    MIGRATION_DATABASE_URL: servers.migrationUrl,
    TEMPORAL_ADDRESS: servers.temporalAddress,
    TEMPORAL_NAMESPACE: config.temporal.namespace,
    SERVICE_START_ID: randomUUID(),
    HOST: config.api.host,
    PORT: String(port),
    API_PROCESSES: String(apiProcesses(config, env)),
    DATA_DIR: data.root,
    JWT_SECRET: config.auth.jwtSecret ?? keptSecret(data.keys, 'jwt-secret'),
    JWT_SECRET_PREVIOUS: config.auth.jwtSecretPrevious ?? previousSecret(data.keys, 'jwt-secret'),
    ENCRYPTION_KEY: config.encryptionKey ?? keptSecret(data.keys, 'encryption-key'),
    ENCRYPTION_KEY_PREVIOUS: config.encryptionKeyPrevious ?? previousSecret(data.keys, 'encryption-key'),
    SERVICE_ADDRESSES: servers.addresses.join(','),
    ...(servers.temporal?.ui === undefined ? {} : { TEMPORAL_UI_URL: env.TEMPORAL_UI_URL ?? servers.temporal.ui }),
  };
}

/**
 * Starts the parts, and resolves once all are ready.
 * @throws StartError when one fails or isn't ready in time
 */
export async function startApps(
  apps: readonly AppPart[],
  env: NodeJS.ProcessEnv,
  address: string,
  supervisor: Supervisor,
  print: (line: string) => void,
): Promise<void> {
  const starting: Promise<void>[] = [];
  for (const { name, module, args = [], node = [], niceness = 0, ready, stopMs = 2000, ...part } of apps) {
    const own = ownModule(module, args, { ...part.env, ...env });
    const plain = { ...own, args: [...node, ...own.args] };
    const command = niceness === 0 ? plain : givingWay(plain, niceness, env);
    if (ready === undefined) {
      print(`${name}: running`);
      const { code, output } = await supervisor.run(name, command);
      if (code !== 0) throw new StartError(`${name} failed (exit code ${code}):\n${output}`);
      continue;
    }
    print(`${name}: starting`);
    const started = supervisor.start({
      name,
      command,
      output: { terminal: true },
      ownModule: true,
      ready: (signal) => within(READY_MS, name, signal, (limited) => ready(address, limited)),
      stopSignal: 'SIGTERM',
      stopMs,
    });
    starting.push(started);
  }
  await Promise.all(starting);
}

async function within(
  ms: number,
  name: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const limit = AbortSignal.timeout(ms);
  try {
    await work(AbortSignal.any([signal, limit]));
  } catch (error) {
    if (limit.aborted && !signal.aborted)
      throw new StartError(`${name} was not ready within ${ms / 1000} s: see its output above`);
    throw error;
  }
}
