/** The service's own processes in a cluster, and what they need besides the databases: an object store and a mail server. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { databaseUrl, serverUrl } from './databases.ts';
import { type Place, SERVERS } from './place.ts';
import { poolUrl } from './pool.ts';
import { type Part, runningPid, runStep } from './processes.ts';
import { NAMESPACE, TEMPORAL_NODES } from './temporal.ts';

export const API_PROCESSES = ['api-1', 'api-2', 'api-3'] as const;
/** Workers as in docker-compose.temporal.yml, each twice. */
const QUEUES = {
  documents: 'documents,mail',
  webhooks: 'webhooks',
  tasks: 'tasks,automations',
  pdf: 'pdf,report-files',
} as const;
export const WORKERS = Object.keys(QUEUES).flatMap((kind) => [`worker-${kind}-1`, `worker-${kind}-2`]);

/** Seconds in which a balancer notices that a process is about to end, and in which its requests end. */
const STOP_DELAY = 3;
const STOP = 25;
const STOP_MS = (STOP_DELAY + STOP + 10) * 1000;

export function apiPart(place: Place, name: string): Part {
  return {
    name,
    command: (release) =>
      program(release, 'api/server', [], { ...environment(place), HOST: '127.0.0.1', PORT: String(place.port(name)) }),
    async isReady() {
      const answer = await fetch(`http://127.0.0.1:${place.port(name)}/health/ready`).catch(() => undefined);
      return answer?.ok === true;
    },
    stopSignal: 'SIGTERM',
    stopMs: STOP_MS,
  };
}

export function workerPart(place: Place, name: string): Part {
  const queues = QUEUES[name.split('-')[1] as keyof typeof QUEUES];
  return {
    name,
    command(release) {
      // By its log it is known when it works.
      const env = { ...environment(place), LOG_LEVEL: 'info' };
      return program(release, 'worker/main', ['--grace', String(STOP), '--queues', queues], env);
    },
    isReady: (log) => log.includes('"Working on '),
    stopSignal: 'SIGTERM',
    stopMs: STOP_MS,
  };
}

/** The object store, and the server that takes mails. */
export function helperPart(place: Place, name: 'files' | 'mail'): Part {
  const script = new URL(`programs/${name === 'files' ? 'object-store' : 'mail-server'}.ts`, import.meta.url).pathname;
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const args = ['--import', loader, script, place.path('data', name), String(place.port(name))];
  return {
    name,
    command: () => ({ file: process.execPath, args }),
    isReady: (log) => log.includes('Keeps '),
    stopSignal: 'SIGTERM',
    stopMs: 5000,
  };
}

/** Brings the schema to that of a release. */
export async function migrate(place: Place, release: string): Promise<void> {
  await runStep('db/migrate', program(release, 'db/migrate', [], environment(place)));
}

/** Runs a command of the service in the cluster, such as `db/verify`. */
export function program(release: string, module: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  return { file: process.execPath, args: [join(release, 'runtime/run.mjs'), module, ...args], env, cwd: release };
}

/** The settings of the service's processes; what this process has been given is kept where the cluster does not decide it. */
export function environment(place: Place): NodeJS.ProcessEnv {
  const isPooled = runningPid(place, 'pgbouncer') !== undefined && !place.isPlain;
  const url = (login: 'bms_service' | 'bms_owner') =>
    place.isPlain ? serverUrl(place, login, place.primary) : databaseUrl(place, login);
  const ports = [...SERVERS, 'pgbouncer', 'temporal', 'files', 'mail', ...API_PROCESSES, 'balancer'];
  const frontends = TEMPORAL_NODES.map((node) => `${node}-frontend`);
  return {
    LOG_LEVEL: 'info',
    OUTBOUND_ALLOWED_TARGETS: '',
    ...process.env,
    NODE_ENV: 'production',
    DATA_DIR: place.path('data', 'service'),
    APP_URL: `http://127.0.0.1:${place.port('balancer')}`,
    DATABASE_URL: isPooled ? poolUrl(place) : url('bms_service'),
    DATABASE_DIRECT_URL: url('bms_service'),
    DATABASE_STANDBY_URL: serverUrl(place, 'bms_service', place.standby),
    MIGRATION_DATABASE_URL: url('bms_owner'),
    TEMPORAL_ADDRESS: place.address('temporal'),
    TEMPORAL_NAMESPACE: NAMESPACE,
    WORKER_VERSIONING: 'true',
    JWT_SECRET: place.secret('jwt-secret'),
    ENCRYPTION_KEY: place.secret('encryption-key'),
    S3_ENDPOINT: `http://${place.address('files')}`,
    S3_BUCKET: 'attachments',
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER',
    MAIL_FROM: 'cluster@example.test',
    SMTP_URL: `smtp://${place.address('mail')}`,
    TRUST_PROXY: '1',
    STOP_DELAY_SECONDS: String(STOP_DELAY),
    STOP_SECONDS: String(STOP),
    SERVICE_ADDRESSES: [...ports, ...frontends].map((name) => `127.0.0.1:${place.port(name)}`).join(','),
  };
}
