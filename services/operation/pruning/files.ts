import { opendir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Deletes up to `limit` files of a folder that were last written before a given time. @returns the number deleted */
export async function deleteOldFiles(folder: string, before: Date, limit: number): Promise<number> {
  let deleted = 0;
  for await (const path of listFiles(folder)) {
    if (deleted === limit) break;
    if ((await stat(path)).mtime >= before) continue;
    await rm(path);
    deleted++;
  }
  return deleted;
}

/** Yields the files of a folder; none if it does not exist. */
async function* listFiles(folder: string): AsyncGenerator<string> {
  try {
    for await (const entry of await opendir(folder)) if (entry.isFile()) yield join(folder, entry.name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
