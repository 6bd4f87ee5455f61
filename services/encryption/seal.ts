/** Secrets that have to be read again (webhook keys) are stored encrypted: AES-256-GCM, bound to where they belong. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Config } from '../../config/index.ts';
import { ServiceError } from '../../domain/errors.ts';

const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Before the id of the key; what was sealed before keys had ids begins with its IV. */
const MARK = Buffer.from('bms\u0001', 'latin1');
const ID_BYTES = 4;

/** The keys of stored secrets: the first one seals, each opens what it has sealed. Empty without ENCRYPTION_KEY. */
export type EncryptionKeys = readonly string[];

/** ENCRYPTION_KEY, and the one before it. */
export function encryptionKeysOf({ encryptionKey, encryptionKeyPrevious }: Config): EncryptionKeys {
  return [encryptionKey, encryptionKeyPrevious].filter((key) => key !== undefined);
}

/** A stored value that cannot be opened: none of the keys has sealed it, or it was changed, or belongs elsewhere. */
export class SealError extends Error {
  override readonly name = 'SealError';
  override readonly message = 'It cannot be opened with the present keys';
}

/**
 * Encrypts a text.
 * @param belongsTo what the secret is for, such as `webhook/<tenant>/<id>`: it can be opened for nothing else
 * @throws ServiceError unavailable without a key
 */
export function seal(keys: EncryptionKeys, belongsTo: string, text: string): Buffer {
  const { prefix, secret } = firstOf(keys);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', secret, iv);
  cipher.setAAD(Buffer.from(belongsTo));
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([prefix, iv, cipher.getAuthTag(), encrypted]);
}

/**
 * Decrypts what `seal` made.
 * @throws SealError when no key fits or the place differs, or when it was tampered with
 */
export function unseal(keys: EncryptionKeys, belongsTo: string, sealed: Buffer): string {
  for (const { prefix, secret } of keys.map(derived)) {
    const marked = sealed.subarray(0, prefix.length).equals(prefix)
      ? opened(secret, belongsTo, sealed, prefix.length)
      : null;
    const text = marked ?? opened(secret, belongsTo, sealed, 0);
    if (text !== null) return text;
  }
  throw new SealError();
}

/** What everything begins with that the first of the keys seals. @throws ServiceError unavailable without a key */
export function sealedPrefix(keys: EncryptionKeys): Buffer {
  return firstOf(keys).prefix;
}

function opened(secret: Buffer, belongsTo: string, sealed: Buffer, from: number): string | null {
  const [iv, tag] = [from + IV_BYTES, from + IV_BYTES + TAG_BYTES];
  if (sealed.length < tag) return null;
  const decipher = createDecipheriv('aes-256-gcm', secret, sealed.subarray(from, iv));
  decipher.setAAD(Buffer.from(belongsTo));
  decipher.setAuthTag(sealed.subarray(iv, tag));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(tag)), decipher.final()]).toString('utf8');
  } catch {
    return null; // another key's, another place's, or changed: the caller decides
  }
}

interface Derived {
  /** The mark and the key's id. */
  readonly prefix: Buffer;
  readonly secret: Buffer;
}

const known = new Map<string, Derived>();

function derived(key: string): Derived {
  const before = known.get(key);
  if (before !== undefined) return before;
  const id = Buffer.from(hkdfSync('sha256', key, '', 'id-of-the-key', ID_BYTES));
  const secret = Buffer.from(hkdfSync('sha256', key, '', 'stored-secrets', 32));
  const made = { prefix: Buffer.concat([MARK, id]), secret };
  known.set(key, made);
  return made;
}

function firstOf([key]: EncryptionKeys): Derived {
  if (key === undefined) {
    throw new ServiceError('unavailable', 'Secrets cannot be stored: start the service with ENCRYPTION_KEY set');
  }
  return derived(key);
}
