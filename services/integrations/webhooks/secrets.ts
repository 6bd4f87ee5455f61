/** Signing secrets of webhooks and plugins: stored encrypted, rotated with an overlap. */
import { randomBytes } from 'node:crypto';
import type { Webhook } from '../../../db/models/integrations/webhooks.ts';
import {
  type EncryptionKeys,
  retiredSecretsPlace,
  SealError,
  seal,
  unseal,
  webhookSecretPlace,
} from '../../platform/encryption/seal.ts';
import { STANDARD_PREFIX } from './envelope.ts';

const OVERLAP_MS = 24 * 60 * 60 * 1000;
/** Each signature makes the headers longer; with more rotations within the overlap the oldest secrets end early. */
const MAX_RETIRED = 4;
const SECRET_BYTES = 32;

/** A secret that a rotation has replaced. */
interface Retired {
  readonly secret: string;
  /** Time at which it stops signing, ISO 8601. */
  readonly until: string;
}

/** The columns that hold a webhook's secrets. */
export type StoredSecrets = Pick<Webhook, 'secretEncrypted' | 'retiredSecretsEncrypted'>;
type Owner = Pick<Webhook, 'tenantId' | 'id'>;

/**
 * Stores a secret that replaces all others at once, since a leaked one must not sign any more.
 * @param secret null for none
 */
export function onlySecret(keys: EncryptionKeys, owner: Owner, secret: string | null): StoredSecrets {
  return {
    secretEncrypted: secret === null ? null : seal(keys, webhookSecretPlace(owner), secret),
    retiredSecretsEncrypted: null,
  };
}

/**
 * Replaces the secret; the previous one also signs for another 24 hours, if it can be decrypted.
 * @param given null to generate one, in the form of Standard Webhooks
 */
export function rotateSecrets(
  keys: EncryptionKeys,
  webhook: Owner & StoredSecrets,
  given: string | null,
  now: Date,
): { readonly secret: string; readonly previousUntil: string | null; readonly stored: StoredSecrets } {
  const secret = given ?? `${STANDARD_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
  const until = new Date(now.getTime() + OVERLAP_MS).toISOString();
  const before = readableSecrets(() => {
    const current = currentSecret(keys, webhook);
    return [...(current === null ? [] : [{ secret: current, until }]), ...retiredSecrets(keys, webhook, now)];
  });
  const retired = before.filter((old) => old.secret !== secret).slice(0, MAX_RETIRED);
  return {
    secret,
    previousUntil: retired[0]?.until ?? null,
    stored: {
      secretEncrypted: seal(keys, webhookSecretPlace(webhook), secret),
      retiredSecretsEncrypted:
        retired.length === 0 ? null : seal(keys, retiredSecretsPlace(webhook), JSON.stringify(retired)),
    },
  };
}

/** The secrets that sign at a moment, newest first; none for an unsigned webhook. @throws SealError */
export function signingSecrets(keys: EncryptionKeys, webhook: Owner & StoredSecrets, now: Date): string[] {
  const current = currentSecret(keys, webhook);
  return current === null ? [] : [current, ...retiredSecrets(keys, webhook, now).map((old) => old.secret)];
}

/** The signing secrets; null if no key decrypts them: the key was lost, and only a new secret helps. */
export function openableSecrets(
  keys: EncryptionKeys,
  webhook: Owner & StoredSecrets,
  now: Date,
): readonly string[] | null {
  try {
    return signingSecrets(keys, webhook, now);
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}

/** Error for secrets that cannot be decrypted. */
export const SECRET_LOST = 'Its secret cannot be opened: rotate-secret makes another';

function currentSecret(keys: EncryptionKeys, webhook: Owner & StoredSecrets): string | null {
  return webhook.secretEncrypted === null ? null : unseal(keys, webhookSecretPlace(webhook), webhook.secretEncrypted);
}

function retiredSecrets(keys: EncryptionKeys, webhook: Owner & StoredSecrets, now: Date): Retired[] {
  if (webhook.retiredSecretsEncrypted === null) return [];
  const list = JSON.parse(unseal(keys, retiredSecretsPlace(webhook), webhook.retiredSecretsEncrypted)) as Retired[];
  return list.filter((old) => Date.parse(old.until) > now.getTime());
}

/** Reads secrets that are being replaced; those that cannot be decrypted count as none. */
function readableSecrets(secrets: () => Retired[]): Retired[] {
  try {
    return secrets();
  } catch (error) {
    if (error instanceof SealError) return [];
    throw error;
  }
}
