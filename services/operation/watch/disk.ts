/** Measures the space on the disks that hold the service's data. */
import { stat, statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { DiskSpace } from '../../../domain/messages/notifications/alerts.ts';

/**
 * Measures the disks of `dataDir` and of the embedded database and mails in it, each disk once. A database elsewhere must be monitored
 * there.
 * @throws Error if the system cannot tell
 */
export async function measureDisks(dataDir: string): Promise<DiskSpace[]> {
  const paths = await Promise.all(['', 'postgres', 'mail'].map((part) => findExistingFolder(resolve(dataDir, part))));
  const disks = new Map(paths.reverse().map(({ path, disk }) => [disk, path]));
  return await Promise.all([...disks.values()].map(measureDisk));
}

/** Finds the closest existing folder: one created later will be on its parent's disk. */
async function findExistingFolder(path: string): Promise<{ path: string; disk: number }> {
  try {
    return { path, disk: (await stat(path)).dev };
  } catch (error) {
    const gone = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!gone || dirname(path) === path) throw error;
    return await findExistingFolder(dirname(path));
  }
}

async function measureDisk(path: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(path);
  return { host: hostname(), path, freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
