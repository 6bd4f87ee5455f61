/** Temporal's own server on PostgreSQL: two nodes, each with all four services, that share their work. */
import { writeFileSync } from 'node:fs';
import { bareEnvironment } from '../../runtime/environment.ts';
import { waitForTemporal } from '../../runtime/temporal.ts';
import { findTemporalCli } from '../../runtime/temporal-cli.ts';
import { type Place, SERVERS, type TemporalService } from './place.ts';
import { type Part, runStep } from './processes.ts';
import { builtProgram } from './programs/build.ts';

export const TEMPORAL_NODES = ['temporal-1', 'temporal-2'] as const;
export const NAMESPACE = 'default';
const DYNAMIC_CONFIG = new URL('../temporal/dynamic-config.yaml', import.meta.url).pathname;
const NAMESPACE_SCRIPT = new URL('../temporal/namespace.sh', import.meta.url).pathname;
const RETENTION = '30d';

export function temporalPart(place: Place, name: (typeof TEMPORAL_NODES)[number]): Part {
  return {
    name,
    async command() {
      // JSON is YAML too.
      writeFileSync(place.path('settings', `${name}.yaml`), JSON.stringify(nodeSettings(place, name), null, 2), {
        mode: 0o600,
      });
      const args = ['--root', place.path(), '--config', 'settings', '--env', name, '--allow-no-auth', 'start'];
      return { file: await builtProgram('temporal-server'), args, env: bareEnvironment() };
    },
    isReady: () => listens(`127.0.0.1:${place.port(`${name}-frontend`)}`),
    stopSignal: 'SIGTERM',
    stopMs: 30_000,
  };
}

/** Brings both databases to the schema of the program; what is there is skipped. */
export async function updateTemporalSchema(place: Place): Promise<void> {
  const tool = await builtProgram('temporal-sql-tool');
  const env = { ...bareEnvironment(), SQL_PASSWORD: place.secret('temporal') };
  for (const [database, schema] of [
    ['temporal', 'temporal'],
    ['temporal_visibility', 'visibility'],
  ] as const) {
    const login = ['--plugin', 'postgres12_pgx', '--ep', '127.0.0.1', '--port', String(place.port(place.primary))];
    const connection = [...login, '--user', 'temporal', '--database', database];
    const steps = [
      ['setup-schema', '--version', '0.0'],
      ['update-schema', '--schema-name', `postgresql/v12/${schema}`],
    ];
    for (const step of steps)
      await runStep(`temporal-sql-tool ${step[0]}`, { file: tool, args: [...connection, ...step], env });
  }
}

/** Creates the namespace, or sets its retention. */
export async function createNamespace(place: Place): Promise<void> {
  const cli = await findTemporalCli({ env: process.env, print: console.log });
  const env = {
    ...bareEnvironment(),
    PATH: `${cli.replace(/\/[^/]*$/, '')}:${process.env.PATH}`,
    TEMPORAL_ADDRESS: `127.0.0.1:${place.port('temporal')}`,
    TEMPORAL_NAMESPACE: NAMESPACE,
    RETENTION,
  };
  await runStep('deploy/temporal/namespace.sh', { file: '/bin/sh', args: [NAMESPACE_SCRIPT], env });
}

function nodeSettings(place: Place, node: string) {
  const store = (databaseName: string, maxConns: number) => ({
    sql: {
      pluginName: 'postgres12_pgx',
      databaseName,
      // Both servers: the driver finds the one that can be written to, also after a failover.
      connectAddr: SERVERS.map((name) => `127.0.0.1:${place.port(name)}`).join(','),
      connectAttributes: { target_session_attrs: 'read-write' },
      connectProtocol: 'tcp',
      user: 'temporal',
      password: place.secret('temporal'),
      maxConns,
      maxIdleConns: maxConns,
      maxConnLifetime: '1h',
    },
  });
  const service = (name: TemporalService) => ({
    rpc: {
      grpcPort: place.port(`${node}-${name}`),
      membershipPort: place.port(`${node}-${name}-members`),
      bindOnLocalHost: true,
    },
  });
  return {
    log: { stdout: true, level: 'warn' },
    persistence: {
      defaultStore: 'default',
      visibilityStore: 'visibility',
      // Cannot be changed later.
      numHistoryShards: 16,
      datastores: { default: store('temporal', 20), visibility: store('temporal_visibility', 10) },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services: {
      frontend: service('frontend'),
      history: service('history'),
      matching: service('matching'),
      worker: service('worker'),
    },
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: {
          enabled: true,
          initialFailoverVersion: 1,
          rpcName: 'frontend',
          rpcAddress: `127.0.0.1:${place.port(`${node}-frontend`)}`,
        },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    dynamicConfigClient: { filepath: DYNAMIC_CONFIG, pollInterval: '60s' },
  };
}

async function listens(address: string): Promise<boolean> {
  return waitForTemporal(address, AbortSignal.timeout(1000)).then(
    () => true,
    () => false,
  );
}
