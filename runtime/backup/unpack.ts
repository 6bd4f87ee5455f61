/** Unpacks a base backup. */
import { chownSync, mkdirSync, rmSync } from 'node:fs';
import type { Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar-fs';
import { postgresUser } from '../postgres-user.ts';

/**
 * Unpacks the archive of a base backup into a new data directory of the user as whom PostgreSQL runs.
 * @param archive the tar archive, and what it goes through before: decompression, for example
 * @param directory replaced if it exists
 */
export async function unpack(archive: readonly [Readable, ...Duplex[]], directory: string): Promise<void> {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { mode: 0o700 });
  const { ids } = postgresUser(directory);
  // The user has another number on another machine.
  const owned =
    ids === undefined ? {} : { map: (header: { uid?: number; gid?: number }) => Object.assign(header, ids) };
  await pipeline([...archive, extract(directory, owned as object)]);
  if (ids !== undefined) chownSync(directory, ids.uid, ids.gid);
}
