/**
 * `npm run backup`: backs up the service of `npm start`, which may run meanwhile, into a new folder: the database and the keys. Temporal's
 * state is not part of it: the database knows what must run.
 */
import { createHash } from 'node:crypto';
import { cpSync, createWriteStream, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Command } from 'commander';
import { loadConfig } from '../../config/index.ts';
import { SERVICE_VERSION } from '../../config/version.ts';
import { type DataDirectory, openDataDirectory } from '../data-dir.ts';
import { errorMessage, StartError } from '../errors.ts';
import { keptSecret, readIfThere } from '../files.ts';
import { lockDataDirectory } from '../lock.ts';
import { postgresUrl } from '../postgres.ts';
import { answers } from '../postgres-client.ts';
import { baseBackup } from './base-backup.ts';
import { type BackupNote, backupFolder } from './files.ts';
import { withOwnServer } from './own-server.ts';

const command = new Command('backup')
  .description('Backs up the service of npm start into a new folder')
  .option('--to <folder>', 'where the folder is made; by default backups in DATA_DIR')
  .option('--without-keys', 'leaves the keys out: without them, stored secrets cannot be read', false)
  .parse();

try {
  await main(command.opts<{ to?: string; withoutKeys: boolean }>());
} catch (error) {
  console.error(error instanceof StartError ? error.message : `The backup failed: ${errorMessage(error)}`);
  process.exitCode = 1;
}

async function main(options: { to?: string; withoutKeys: boolean }): Promise<void> {
  const { NODE_ENV: _, ...env } = process.env;
  const { dataDir, database } = loadConfig(env);
  if (database.url !== undefined) {
    throw new StartError(
      'DATABASE_URL names a server of your own: back it up with its own tools (docs/deployment.md, Backup)',
    );
  }
  const begun = Date.now();
  const data = openDataDirectory(dataDir);
  if (!existsSync(data.postgres))
    throw new StartError(`${data.root} has no database: set DATA_DIR to that of npm start`);
  const parent = resolve(options.to ?? join(data.root, 'backups'));
  const name = new Date(begun).toISOString().slice(0, 19).replaceAll(':', '-');
  const folder = join(parent, name);
  const draft = `${folder}.partial`;
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  try {
    const files = backupFolder(draft);
    if (!options.withoutKeys) cpSync(data.keys, files.keys, { recursive: true });
    const written = await fromServer(data, (url) => writeArchive(url, files.archive));
    const note: BackupNote = {
      format: 1,
      service: SERVICE_VERSION,
      postgres: readIfThere(join(data.postgres, 'PG_VERSION'))?.trim() ?? '',
      ...written,
    };
    writeFileSync(files.note, `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600, flush: true });
    renameSync(draft, folder);
    const seconds = ((Date.now() - begun) / 1000).toFixed(1);
    console.log(`${folder}: ${(note.bytes / 1e6).toFixed(1)} MB in ${seconds} s, with the state of ${note.backedUpAt}`);
    if (!options.withoutKeys) console.log('It has the keys: keep it as safe as the service itself.');
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Calls with the address of the running server, or starts it. */
async function fromServer<T>(data: DataDirectory, work: (url: string) => Promise<T>): Promise<T> {
  const port = /^DATABASE_URL=.*@127\.0\.0\.1:(\d+)\//m.exec(readIfThere(data.connections) ?? '')?.[1];
  const password = keptSecret(data.keys, 'postgres-password');
  const running = { directory: data.postgres, port: Number(port), password, durable: true };
  // A service that was killed has left its address behind.
  if (port !== undefined && (await answers(postgresUrl(running, 'postgres')))) {
    return await work(postgresUrl(running, 'postgres'));
  }
  const lock = await lockDataDirectory(data.root);
  try {
    return await withOwnServer(data, data.postgres, console.log, (server) => work(postgresUrl(server, 'postgres')));
  } finally {
    lock.release();
  }
}

/** Writes the archive, to the disk. @returns what the note says of it */
async function writeArchive(url: string, path: string): Promise<Pick<BackupNote, 'backedUpAt' | 'bytes' | 'sha256'>> {
  const hash = createHash('sha256');
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  // Flushed to the disk at the end.
  const target = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(await baseBackup(url), createGzip({ level: 1 }), counted, target);
  return { backedUpAt: new Date().toISOString(), bytes, sha256: hash.digest('hex') };
}
