/** Secrets that have to be read again (webhook keys) are stored encrypted: AES-256-GCM, bound to where they belong. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { ServiceError } from '../../domain/errors.ts';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a text.
 * @param key the service's ENCRYPTION_KEY
 * @param belongsTo what the secret is for, such as `webhook/<tenant>/<id>`: it can be opened for nothing else
 * @throws ServiceError unavailable without a key
 */
export function seal(key: string | undefined, belongsTo: string, text: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', derived(key), iv);
  cipher.setAAD(Buffer.from(belongsTo));
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), encrypted]);
}

/**
 * Decrypts what `seal` made.
 * @throws Error when key or place differ, or when it was tampered with; ServiceError unavailable without a key
 */
export function unseal(key: string | undefined, belongsTo: string, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', derived(key), sealed.subarray(0, IV_BYTES));
  decipher.setAAD(Buffer.from(belongsTo));
  decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
}

function derived(key: string | undefined): Buffer {
  if (key === undefined) {
    throw new ServiceError('unavailable', 'Secrets cannot be stored: start the service with ENCRYPTION_KEY set');
  }
  return Buffer.from(hkdfSync('sha256', key, '', 'stored-secrets', 32));
}
