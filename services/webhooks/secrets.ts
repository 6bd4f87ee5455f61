/** The secrets that sign a webhook's deliveries: stored encrypted, replaced with an overlap. */
import { randomBytes } from 'node:crypto';
import type { Webhook } from '../../db/models/webhooks.ts';
import { seal, unseal } from '../encryption/seal.ts';
import { STANDARD_PREFIX } from './sign.ts';

const OVERLAP_MS = 24 * 60 * 60 * 1000;
/** Each signature makes the headers longer; of more rotations within the overlap the oldest secrets end early. */
const MAX_RETIRED = 4;
const SECRET_BYTES = 32;

/** A secret that a rotation has replaced. */
interface Retired {
  readonly secret: string;
  /** The moment from which it signs no more, ISO 8601. */
  readonly until: string;
}

/** The columns that hold a webhook's secrets. */
export type StoredSecrets = Pick<Webhook, 'secretEncrypted' | 'retiredSecretsEncrypted'>;
type Owner = Pick<Webhook, 'tenantId' | 'id'>;

/**
 * A secret that signs at once and alone: those before it sign no more, as a leaked one must not.
 * @param secret null for none
 */
export function onlySecret(key: string | undefined, owner: Owner, secret: string | null): StoredSecrets {
  return {
    secretEncrypted: secret === null ? null : seal(key, placeOf(owner), secret),
    retiredSecretsEncrypted: null,
  };
}

/**
 * A new secret beside which the one before it signs for another 24 hours.
 * @param given null: one is generated, in the form of Standard Webhooks
 */
export function rotated(
  key: string | undefined,
  webhook: Owner & StoredSecrets,
  given: string | null,
  now: Date,
): { readonly secret: string; readonly previousUntil: string | null; readonly stored: StoredSecrets } {
  const secret = given ?? `${STANDARD_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
  const until = new Date(now.getTime() + OVERLAP_MS).toISOString();
  const current = currentOf(key, webhook);
  const retired = [...(current === null ? [] : [{ secret: current, until }]), ...retiredOf(key, webhook, now)]
    .filter((old) => old.secret !== secret)
    .slice(0, MAX_RETIRED);
  return {
    secret,
    previousUntil: retired[0]?.until ?? null,
    stored: {
      secretEncrypted: seal(key, placeOf(webhook), secret),
      retiredSecretsEncrypted: retired.length === 0 ? null : seal(key, retiredPlace(webhook), JSON.stringify(retired)),
    },
  };
}

/** The secrets that sign at a moment, the newest first; none for a webhook that is not signed. */
export function signingSecrets(key: string | undefined, webhook: Owner & StoredSecrets, now: Date): string[] {
  const current = currentOf(key, webhook);
  return current === null ? [] : [current, ...retiredOf(key, webhook, now).map((old) => old.secret)];
}

function currentOf(key: string | undefined, webhook: Owner & StoredSecrets): string | null {
  return webhook.secretEncrypted === null ? null : unseal(key, placeOf(webhook), webhook.secretEncrypted);
}

function retiredOf(key: string | undefined, webhook: Owner & StoredSecrets, now: Date): Retired[] {
  if (webhook.retiredSecretsEncrypted === null) return [];
  const list = JSON.parse(unseal(key, retiredPlace(webhook), webhook.retiredSecretsEncrypted)) as Retired[];
  return list.filter((old) => Date.parse(old.until) > now.getTime());
}

/** What a stored secret is bound to. */
function placeOf({ tenantId, id }: Owner): string {
  return `webhook/${tenantId}/${id}`;
}

function retiredPlace(owner: Owner): string {
  return `${placeOf(owner)}/retired`;
}
