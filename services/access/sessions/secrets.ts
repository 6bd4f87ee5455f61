/**
 * Random bearer secrets (refresh tokens, API keys, tokens of plugins). Only their SHA-256 is stored, which is enough for secrets of this
 * length.
 */
import { createHash, randomBytes } from 'node:crypto';

/** Prefix of every API key: distinguishes it from a token, and lets scanners find leaked keys. */
export const API_KEY_PREFIX = 'bms_';
/** Prefix of the tokens of plugins. */
export const PLUGIN_PREFIX = 'bmsp_';

/** Generates 256 random bits as URL-safe text, after the prefix. */
export function newSecret(prefix = ''): string {
  return prefix + randomBytes(32).toString('base64url');
}

/** Hashes a secret for storage. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
