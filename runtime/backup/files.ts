/** The files of a backup: a folder with the database's archive, the keys, and a note about both. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { StartError } from '../errors.ts';
import { readIfThere } from '../files.ts';

export interface BackupFolder {
  /** The database's files: a tar archive, compressed by gzip. */
  readonly archive: string;
  readonly keys: string;
  readonly note: string;
}

/** The note about a backup. */
export interface BackupNote {
  readonly format: 1;
  /** Version of the service that made it. */
  readonly service: string;
  /** Major version of PostgreSQL. */
  readonly postgres: string;
  /** Time whose state it has, ISO 8601. */
  readonly backedUpAt: string;
  /** Bytes of the archive, compressed. */
  readonly bytes: number;
  /** SHA-256 of the archive, hexadecimal. */
  readonly sha256: string;
}

export function backupFolder(path: string): BackupFolder {
  return { archive: join(path, 'postgres.tar.gz'), keys: join(path, 'keys'), note: join(path, 'backup.json') };
}

/** @throws StartError if the folder has no backup that this version can read */
export function readNote(path: string): BackupNote {
  const text = readIfThere(backupFolder(path).note);
  if (text === undefined) throw new StartError(`${path} has no backup: it must contain backup.json`);
  const note = JSON.parse(text) as BackupNote;
  if (note.format !== 1) throw new StartError(`${path} was made by a newer version of the service: use that version`);
  return note;
}

/** @throws StartError if the archive is not the one that was written */
export async function checkArchive(path: string, { sha256 }: BackupNote): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(backupFolder(path).archive), hash);
  if (hash.digest('hex') === sha256) return;
  throw new StartError(`The archive in ${path} is damaged: its checksum is not the one of backup.json`);
}
