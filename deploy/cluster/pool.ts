/** PgBouncer, where it is installed: many processes share few connections. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { bareEnvironment } from '../../runtime/environment.ts';
import { answers } from '../../runtime/postgres-client.ts';
import { postgresUser } from '../../runtime/postgres-user.ts';
import { serverUrl } from './databases.ts';
import type { Place } from './place.ts';
import { type Part, signalPart } from './processes.ts';
import { installedProgram } from './programs/build.ts';

/** The first one that keeps prepared statements apart in transaction mode. */
const LEAST = [1, 21] as const;
const SHARED = new URL('../pgbouncer.ini', import.meta.url).pathname;

let known: { readonly program: string | undefined } | null = null;

/** The program; undefined if there is none that is new enough. */
export function pgbouncerProgram(): string | undefined {
  known ??= { program: findProgram() };
  return known.program;
}

function findProgram(): string | undefined {
  const program = installedProgram('pgbouncer');
  if (program === undefined) return undefined;
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
  const isNew = Number(major) > LEAST[0] || (Number(major) === LEAST[0] && Number(minor) >= LEAST[1]);
  return isNew ? program : undefined;
}

export function poolPart(place: Place, program: string): Part {
  return {
    name: 'pgbouncer',
    command() {
      writeSettings(place);
      const users = `"bms_service" "${place.secret('bms_service')}"\n`;
      writeFileSync(place.path('settings', 'pgbouncer-users.txt'), users, { mode: 0o644 });
      const args = [place.path('settings', 'pgbouncer.ini')];
      // It does not run as root either.
      return postgresUser(place.path(place.primary)).as({ file: program, args, env: bareEnvironment() });
    },
    isReady: () => answers(poolUrl(place)),
    stopSignal: 'SIGINT',
    stopMs: 5000,
  };
}

export function poolUrl(place: Place): string {
  return `postgres://bms_service:${place.secret('bms_service')}@${place.address('pgbouncer')}/bms`;
}

/** Makes it connect to the primary. */
export async function pointPool(place: Place): Promise<void> {
  writeSettings(place);
  await signalPart(place, 'pgbouncer', 'SIGHUP');
}

function writeSettings(place: Place): void {
  const { hostname, port } = new URL(serverUrl(place, 'bms_service', place.primary));
  const settings = `[databases]
bms = host=${hostname} port=${port}
${readFileSync(SHARED, 'utf8')}
listen_addr = 127.0.0.1
listen_port = ${place.port('pgbouncer')}
auth_file = ${place.path('settings', 'pgbouncer-users.txt')}
`;
  writeFileSync(place.path('settings', 'pgbouncer.ini'), settings, { mode: 0o644 });
}
