/** One start per data directory: a second one is refused. */
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from './errors.ts';
import { createWhole, readIfThere, writeWhole } from './files.ts';
import { processIdentity } from './process-identity.ts';

export interface Lock {
  /** Notifies waiting starts that this one is about to end. */
  stopping(): void;
  release(): void;
}

interface Holder {
  readonly pid: number;
  readonly identity: string | undefined;
  readonly stopping: boolean;
}

/**
 * Locks the data directory. Takes over a lock whose process is gone; waits for one that is being released.
 * @throws StartError if another start holds it
 */
export async function lockDataDirectory(dataDir: string): Promise<Lock> {
  const path = join(dataDir, 'supervisor.lock');
  const mine: Holder = { pid: process.pid, identity: processIdentity(process.pid), stopping: false };
  const begun = Date.now();
  while (!createWhole(path, JSON.stringify(mine))) {
    const text = readIfThere(path);
    const holder = text === undefined ? undefined : parseHolder(text);
    if (text === undefined) continue;
    if (holder === undefined || processIdentity(holder.pid) !== holder.identity) {
      removeStale(path, text);
      continue;
    }
    // Waits a moment even if the holder is not stopping: its terminal may just have been closed.
    if (Date.now() - begun > (holder.stopping ? 12_000 : 1500)) {
      throw new StartError(
        `Already running on this DATA_DIR (process ${holder.pid}): stop it first, or set DATA_DIR (and the ports) to others`,
      );
    }
    await sleep(100);
  }
  return {
    stopping: () => writeWhole(path, JSON.stringify({ ...mine, stopping: true })),
    release: () => rmSync(path, { force: true }),
  };
}

/** Removes the lock only if it is still the one that was read: another start may have taken it over in between. */
function removeStale(path: string, text: string): void {
  const aside = `${path}.${process.pid}.stale`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const taken = readIfThere(aside);
  if (taken !== undefined && taken !== text) createWhole(path, taken);
  rmSync(aside, { force: true });
}

function parseHolder(text: string): Holder | undefined {
  try {
    const value = JSON.parse(text) as Partial<Holder>;
    if (typeof value.pid !== 'number' || typeof value.identity !== 'string') return undefined;
    return { pid: value.pid, identity: value.identity, stopping: value.stopping === true };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
