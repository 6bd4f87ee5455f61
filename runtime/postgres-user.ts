/**
 * The user as whom PostgreSQL runs, since it refuses to run as root. Started by root, it runs as the owner of its data directory, at first
 * `nobody`, and keeps one capability: to pass through folders that are closed to that user (a project under /root).
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import type { Command } from './command.ts';
import { StartError } from './errors.ts';

export interface PostgresUser {
  /** undefined = the current user. */
  readonly ids: { readonly uid: number; readonly gid: number } | undefined;
  /** Makes a command run as that user. */
  as(command: Command): Command;
}

/**
 * Returns the user as whom PostgreSQL runs.
 * @param dataDirectory its data directory, which may not exist yet
 */
export function postgresUser(dataDirectory: string): PostgresUser {
  if (process.getuid?.() !== 0) return { ids: undefined, as: (command) => command };
  const owner = statSync(dataDirectory, { throwIfNoEntry: false });
  const ids = owner !== undefined && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : nobody();
  const capability = traversalCapability();
  const setpriv = spawnSync('setpriv', ['--version']).status === 0;
  if (capability === undefined || !setpriv) return { ids, as: (command) => ({ ...command, ...ids }) };
  const prefix = [
    `--reuid=${ids.uid}`,
    `--regid=${ids.gid}`,
    '--clear-groups',
    `--inh-caps=+${capability}`,
    `--ambient-caps=+${capability}`,
  ];
  return {
    ids,
    as: (command) => ({ ...command, file: 'setpriv', args: [...prefix, command.file, ...command.args] }),
  };
}

function nobody(): { uid: number; gid: number } {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('nobody:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined) {
    throw new StartError(
      'PostgreSQL does not run as root, and there is no user "nobody" to run it as: start as another user, or set DATABASE_URL',
    );
  }
  return { uid: Number(uid), gid: Number(gid) };
}

/** Returns the weaker of the two capabilities for closed folders that this process has (containers often lack the first). */
function traversalCapability(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const line = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'));
  const effective = BigInt(`0x${line?.[1] ?? '0'}`);
  if ((effective & 4n) !== 0n) return 'dac_read_search';
  if ((effective & 2n) !== 0n) return 'dac_override';
  return undefined;
}
