/**
 * `npm run restore -- <folder>`: restores a backup into an empty DATA_DIR. What was under way at its time may have been done since, so it
 * is held and listed for the owners of each company, before anything can start it.
 */
import { cpSync, createReadStream, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createGunzip } from 'node:zlib';
import { Command } from 'commander';
import { loadConfig } from '../../config/index.ts';
import { ownModule } from '../command.ts';
import { type DataDirectory, openDataDirectory } from '../data-dir.ts';
import { errorMessage, StartError } from '../errors.ts';
import { keptSecret, readIfThere } from '../files.ts';
import { lockDataDirectory } from '../lock.ts';
import { prepareLogins } from '../postgres-logins.ts';
import { DATABASE } from '../servers.ts';
import { backupFolder, checkArchive, readNote } from './files.ts';
import { withOwnServer } from './own-server.ts';
import { unpack } from './unpack.ts';

const command = new Command('restore')
  .description('Restores a backup of npm run backup into an empty DATA_DIR')
  .argument('<folder>', 'the folder of the backup')
  .parse();

try {
  await main(resolve(command.args[0] as string));
} catch (error) {
  console.error(error instanceof StartError ? error.message : `The restore failed: ${errorMessage(error)}`);
  process.exitCode = 1;
}

async function main(folder: string): Promise<void> {
  const { NODE_ENV: _, ...env } = process.env;
  const { dataDir, database } = loadConfig(env);
  if (database.url !== undefined) {
    throw new StartError(
      'DATABASE_URL names a server of your own: restore it with its own tools, then run npm run restored',
    );
  }
  const begun = Date.now();
  const note = readNote(folder);
  const data = openDataDirectory(dataDir);
  const lock = await lockDataDirectory(data.root);
  // Under another name until it is complete, so that npm start never meets half of it.
  const draft = `${data.postgres}.new-restored`;
  try {
    requireEmpty(data);
    await checkArchive(folder, note);
    restoreKeys(folder, data);
    await unpack([createReadStream(backupFolder(folder).archive), createGunzip()], draft);
    await holdDoubtful(data, draft, note.backedUpAt);
    renameSync(draft, data.postgres);
  } finally {
    rmSync(draft, { recursive: true, force: true });
    lock.release();
  }
  const seconds = ((Date.now() - begun) / 1000).toFixed(1);
  console.log(
    `${data.root} has the state of ${note.backedUpAt} (${seconds} s). Next: npm start, then npm run reconcile.`,
  );
}

/** @throws StartError if something would be overwritten, or would go on by itself */
function requireEmpty(data: DataDirectory): void {
  const full = [data.postgres, data.temporalFile].find((path) => existsSync(path));
  if (full === undefined) return;
  throw new StartError(
    `${full} exists: a backup is restored into an empty place, so move it away or set DATA_DIR to another folder`,
  );
}

/** @throws StartError if there are keys of another service, or none */
function restoreKeys(folder: string, data: DataDirectory): void {
  const { keys } = backupFolder(folder);
  if (!existsSync(keys)) {
    if (existsSync(join(data.keys, 'postgres-password'))) return;
    throw new StartError(`The backup has no keys: put them into ${data.keys} first`);
  }
  const other = readdirSync(keys).find((name) => {
    const own = readIfThere(join(data.keys, name));
    return own !== undefined && own !== readIfThere(join(keys, name));
  });
  if (other !== undefined) {
    throw new StartError(`${join(data.keys, other)} is another key than that of the backup: move it away first`);
  }
  cpSync(keys, data.keys, { recursive: true });
}

/** Brings the schema up to this version, and holds what was under way. */
async function holdDoubtful(data: DataDirectory, directory: string, backedUpAt: string): Promise<void> {
  await withOwnServer(data, directory, console.log, async (server, supervisor) => {
    const { url, migrationUrl } = await prepareLogins(server, data.keys, DATABASE);
    const env = {
      ...process.env,
      DATA_DIR: data.root,
      DATABASE_URL: url,
      MIGRATION_DATABASE_URL: migrationUrl,
      ENCRYPTION_KEY: process.env.ENCRYPTION_KEY ?? keptSecret(data.keys, 'encryption-key'),
    };
    for (const [module, args] of [
      ['db/migrate', []],
      ['worker/restored', ['--as-of', backedUpAt]],
    ] as const) {
      const { code, output } = await supervisor.run(module, ownModule(module, args, env));
      console.log(output);
      if (code !== 0) throw new StartError(`${module} failed (exit code ${code}): nothing was restored`);
    }
  });
}
