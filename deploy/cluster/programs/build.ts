/** Programs that are built once with Go, from their own modules, and kept in the user's cache. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage, StartError } from '../../../runtime/errors.ts';
import { cacheDirectory } from '../../../runtime/files.ts';
import { goInstall, onPath } from '../../../runtime/go-install.ts';
import { withProgress } from '../../../runtime/progress.ts';

/** The release of which the Temporal CLI is made, so that most of it is in Go's cache already. */
const TEMPORAL = 'v1.29.1';
const PROGRAMS = {
  'temporal-server': `go.temporal.io/server/cmd/server@${TEMPORAL}`,
  'temporal-sql-tool': `go.temporal.io/server/cmd/tools/sql@${TEMPORAL}`,
  caddy: 'github.com/caddyserver/caddy/v2/cmd/caddy@v2.11.9',
} as const;
const BUILD_MS = 20 * 60_000;

/** Returns the path of a program, which is built on the first call. @throws StartError if it cannot be built */
export async function builtProgram(name: keyof typeof PROGRAMS): Promise<string> {
  const module = PROGRAMS[name];
  const folder = join(cacheDirectory(), `${name}-${module.replace(/^.*@v/, '')}`);
  const path = join(folder, name);
  if (existsSync(path)) return path;
  const draft = join(folder, `draft-${randomBytes(4).toString('hex')}`);
  mkdirSync(draft, { recursive: true });
  try {
    const build = () => goInstall(module, draft, process.env, AbortSignal.timeout(BUILD_MS));
    renameSync(await withProgress(`${name}: building it with Go (once)`, console.log, build), path);
    return path;
  } catch (error) {
    throw new StartError(`${name} cannot be had: ${errorMessage(error)}`);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Returns a program of the PATH, or the one that a variable names (`PGBOUNCER`); undefined if there is none. */
export function installedProgram(name: string): string | undefined {
  const given = process.env[name.toUpperCase()];
  return given ? given : onPath(name, process.env)[0];
}
