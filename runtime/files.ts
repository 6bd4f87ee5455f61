/** Writes files that several starts may write at once, or that a killed start may leave unfinished: always complete or absent. */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  constants,
  existsSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCode } from './errors.ts';

/** Replaces a file atomically, readable only by the owner. */
export function writeWhole(path: string, content: string): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    writeFileSync(draft, content, { mode: 0o600 });
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Creates a file atomically, readable only by the owner.
 * @returns false when it already exists; it is left as it is, and nothing is written: the disk may be full
 */
export function createWhole(path: string, content: string): boolean {
  if (existsSync(path)) return false;
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    writeFileSync(draft, content, { mode: 0o600 });
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Creates a folder atomically, readable by everybody: fills a temporary folder, then renames it, so that it is complete or absent. An
 * existing folder is left as it is.
 */
export async function createWholeFolder(path: string, fill: (draft: string) => void | Promise<void>): Promise<void> {
  if (existsSync(path)) return;
  const draft = `${path}.${randomBytes(4).toString('hex')}.draft`;
  mkdirSync(draft, { recursive: true });
  try {
    await fill(draft);
    for (const entry of ['.', ...readdirSync(draft, { recursive: true, encoding: 'utf8' })]) open(join(draft, entry));
    renameSync(draft, path);
  } catch (error) {
    // Another process has created the same folder.
    if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Makes a folder readable and executable for everybody, writable only by the owner: archives have their own permissions. */
function open(path: string): void {
  const { mode, uid, gid } = lstatSync(path);
  if (process.getuid?.() === 0 && (uid !== 0 || gid !== 0)) lchownSync(path, 0, 0);
  if ((mode & constants.S_IFMT) !== constants.S_IFLNK) chmodSync(path, mode & 0o100 ? 0o755 : 0o644);
}

/** Returns a file's text; undefined if it does not exist. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Returns the secret stored in `directory/name`: generated on the first call (32 random bytes, base64url), then always the same. */
export function keptSecret(directory: string, name: string): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, name);
  createWhole(path, randomBytes(32).toString('base64url'));
  return readFileSync(path, 'utf8').trim();
}

/** Returns the previous secret, if somebody has moved it to `<name>-previous`; otherwise empty. */
export function previousSecret(directory: string, name: string): string {
  return readIfThere(join(directory, `${name}-previous`))?.trim() ?? '';
}

const NAME = 'business-management-service';

/**
 * Returns the user's cache folder of this service, for files built or unpacked once for all projects and data directories.
 * @param env usually `process.env`
 */
export function cacheDirectory(env: NodeJS.ProcessEnv = process.env): string {
  const own = join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), NAME);
  return firstWritable([own, join(tmpdir(), `${NAME}-${process.getuid?.() ?? 0}`)], 0o700);
}

/**
 * Returns the cache folder for programs that run as another user if this one is root, whose own cache they cannot read.
 * @param env usually `process.env`
 */
export function sharedCacheDirectory(env: NodeJS.ProcessEnv = process.env): string {
  if (process.getuid?.() !== 0) return cacheDirectory(env);
  return firstWritable([join(env.XDG_CACHE_HOME || '/var/cache', NAME), join(tmpdir(), `${NAME}-shared`)], 0o755);
}

function firstWritable(candidates: readonly string[], mode: number): string {
  for (const path of candidates) {
    try {
      mkdirSync(path, { recursive: true, mode });
      // Somebody else could change files in their own folder, so nothing is run from it.
      if (process.getuid !== undefined && statSync(path).uid !== process.getuid()) continue;
      const probe = join(path, `.probe-${randomBytes(6).toString('hex')}`);
      writeFileSync(probe, '');
      rmSync(probe);
      return path;
    } catch (error) {
      // Service users often have no writable home: the next candidate is used.
      if (errorCode(error) === undefined) throw error;
    }
  }
  throw new Error(`no cache folder is writable: tried ${candidates.join(', ')}`);
}
