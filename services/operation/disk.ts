/** How much space is left where the service keeps its data. */
import { stat, statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { DiskSpace } from '../../domain/notifications/alerts.ts';

/**
 * The disks of `dataDir`, and of the embedded database and of mails in it, each once. A database elsewhere has its own watch.
 * @throws Error when the system does not say
 */
export async function diskSpaces(dataDir: string): Promise<DiskSpace[]> {
  const paths = await Promise.all(['', 'postgres', 'mail'].map((part) => existing(resolve(dataDir, part))));
  const disks = new Map(paths.reverse().map(({ path, disk }) => [disk, path]));
  return await Promise.all([...disks.values()].map(spaceAt));
}

/** A folder that is made later will be on the disk of the one that it will be in. */
async function existing(path: string): Promise<{ path: string; disk: number }> {
  try {
    return { path, disk: (await stat(path)).dev };
  } catch (error) {
    const gone = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!gone || dirname(path) === path) throw error;
    return await existing(dirname(path));
  }
}

async function spaceAt(path: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(path);
  return { host: hostname(), path, freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
