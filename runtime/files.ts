/** Files that several starts may write at once, or that a killed start may leave half-written: always whole or absent. */
import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { codeOf } from './errors.ts';

/** Replaces a file in one step, readable by the owner only. */
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
 * Creates a file in one step, readable by the owner only.
 * @returns false when it exists already; it is left as it is
 */
export function createWhole(path: string, content: string): boolean {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    writeFileSync(draft, content, { mode: 0o600 });
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** A file's text, or undefined when there is none. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** The secret kept in `directory/name`: made on the first call (32 random bytes, base64url), the same ever after. */
export function keptSecret(directory: string, name: string): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, name);
  createWhole(path, randomBytes(32).toString('base64url'));
  return readFileSync(path, 'utf8').trim();
}

/**
 * The user's cache folder of this service: what is built or unpacked once for all projects and data directories.
 * @param env usually `process.env`
 */
export function cacheDirectory(env: NodeJS.ProcessEnv = process.env): string {
  const name = 'business-management-service';
  const candidates = [
    join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), name),
    join(tmpdir(), `${name}-${userInfo().uid}`),
  ];
  for (const path of candidates) {
    try {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      const probe = join(path, `.probe-${randomBytes(6).toString('hex')}`);
      writeFileSync(probe, '');
      rmSync(probe);
      return path;
    } catch (error) {
      // A home that can't be written to is usual for service users: the next candidate serves.
      if (codeOf(error) === undefined) throw error;
    }
  }
  throw new Error(`no cache folder can be written: tried ${candidates.join(', ')}`);
}
