/** Encrypts secrets that must be readable again (webhook keys): AES-256-GCM, bound to their place. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Config } from '../../../config/index.ts';
import { ServiceError } from '../../../domain/errors.ts';

const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Precedes the key's id; older values without a key id begin with their IV. */
const MARK = Buffer.from('bms\u0001', 'latin1');
const ID_BYTES = 4;

/** Keys of stored secrets: the first one encrypts, and all of them decrypt. Empty without ENCRYPTION_KEY. */
export type EncryptionKeys = readonly string[];

/** Returns ENCRYPTION_KEY and the previous one. */
export function configuredKeys({ encryptionKey, encryptionKeyPrevious }: Config): EncryptionKeys {
  return [encryptionKey, encryptionKeyPrevious].filter((key) => key !== undefined);
}

/** Thrown for a stored value that cannot be decrypted: its key is unknown, or it was tampered with or moved. */
export class SealError extends Error {
  override readonly name = 'SealError';
  override readonly message = 'The value cannot be decrypted with the current keys';
}

/**
 * Encrypts a text.
 * @param belongsTo its place, such as `webhook/<tenant>/<id>`; it cannot be decrypted for any other
 * @throws ServiceError unavailable without a key
 */
export function seal(keys: EncryptionKeys, belongsTo: string, text: string): Buffer {
  const { prefix, secret } = currentKey(keys);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', secret, iv);
  cipher.setAAD(Buffer.from(belongsTo));
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([prefix, iv, cipher.getAuthTag(), encrypted]);
}

/**
 * Decrypts a text encrypted by `seal`.
 * @throws SealError if no key fits, the place differs, or it was tampered with
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

/** The prefix of all values encrypted with the first key. @throws ServiceError unavailable without a key */
export function sealedPrefix(keys: EncryptionKeys): Buffer {
  return currentKey(keys).prefix;
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
    return null; // Another key's, another place's, or tampered with: the caller decides.
  }
}

interface Derived {
  /** The mark and the key's id. */
  readonly prefix: Buffer;
  readonly secret: Buffer;
}

const derivedKeys = new Map<string, Derived>();

function derived(key: string): Derived {
  const before = derivedKeys.get(key);
  if (before !== undefined) return before;
  const id = Buffer.from(hkdfSync('sha256', key, '', 'id-of-the-key', ID_BYTES));
  const secret = Buffer.from(hkdfSync('sha256', key, '', 'stored-secrets', 32));
  const made = { prefix: Buffer.concat([MARK, id]), secret };
  derivedKeys.set(key, made);
  return made;
}

function currentKey([key]: EncryptionKeys): Derived {
  if (key === undefined) {
    throw new ServiceError('unavailable', 'Secrets cannot be stored: start the service with ENCRYPTION_KEY set');
  }
  return derived(key);
}

interface Owner {
  readonly tenantId: string;
  readonly id: string;
}

/** The place of the signing secret of a webhook or plugin. */
export function webhookSecretPlace({ tenantId, id }: Owner): string {
  return `webhook/${tenantId}/${id}`;
}

/** The place of signing secrets replaced by rotations. */
export function retiredSecretsPlace(owner: Owner): string {
  return `${webhookSecretPlace(owner)}/retired`;
}

/** The place of the values of headers of a webhook or automation. */
export function headersPlace({ tenantId, id }: Owner): string {
  return `headers/${tenantId}/${id}`;
}

/** The place of the answers of a run's calls. */
export function answersPlace({ tenantId, id }: Owner): string {
  return `answers/${tenantId}/${id}`;
}

/** The place of the key of a company's certificate. */
export function certificatePlace({ tenantId, id }: Owner): string {
  return `certificate/${tenantId}/${id}`;
}

/** The place of the private key that identifies this service to push services. */
export function pushKeyPlace(): string {
  return 'push_keys/vapid';
}

/** The place of the answer stored for an Idempotency-Key. */
export function keptAnswerPlace(
  tenantId: string,
  { caller, path, key }: { readonly caller: string; readonly path: string; readonly key: string },
): string {
  return JSON.stringify(['idempotency', tenantId, caller, path, key]);
}
