/** Random bearer secrets (refresh tokens, API keys). Only their SHA-256 is stored: they are too long to be guessed from it. */
import { createHash, randomBytes } from 'node:crypto';

/** Begins every API key, so that it can be told from a token, and found when it leaks. */
export const API_KEY_PREFIX = 'bms_';

/** 256 random bits as URL-safe text, after the prefix. */
export function newSecret(prefix = ''): string {
  return prefix + randomBytes(32).toString('base64url');
}

/** What is stored of a secret. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
