/** API keys: how machines get in. A key belongs to one company and has a role there; it is shown once and stored hashed. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { ApiKey } from '../../db/models/identity.ts';
import { assertVersion, insertRow, patchRow, removeRow } from '../../db/write.ts';
import { invalidMember, notFound } from '../../domain/errors.ts';
import type { Role } from '../../domain/permissions.ts';
import { type Actor, requireOwnerFor } from './owners.ts';
import { API_KEY_PREFIX, hashSecret, newSecret } from './secrets.ts';

/** A key of the tenant. @throws ServiceError not_found */
export async function getApiKey(db: Db, id: string): Promise<ApiKey> {
  const apiKey = await ApiKey.query(db).findById(id);
  if (apiKey === undefined) throw notFound('The API key');
  return apiKey;
}

/**
 * Creates a key. `secret` is what the machine sends as its Bearer token; it cannot be had again.
 * @throws ServiceError validation_failed (expired already), forbidden (an owner's key is made by an owner)
 */
export async function createApiKey(
  trx: Db,
  ctx: Context,
  actor: Actor,
  input: { readonly name: string; readonly role?: Role; readonly expiresAt?: string | null },
): Promise<{ readonly apiKey: ApiKey; readonly secret: string }> {
  const { name, role = 'viewer', expiresAt = null } = input;
  requireOwnerFor(actor, role);
  checkExpiry(ctx, expiresAt);
  const secret = newSecret(API_KEY_PREFIX);
  const values = { name, role, expiresAt, keyHash: hashSecret(secret), createdBy: ctx.userId };
  return { apiKey: await insertRow(trx, ctx, ApiKey, values), secret };
}

/** Changes name or expiry. @throws ServiceError not_found, stale_version, validation_failed, forbidden */
export async function changeApiKey(
  trx: Db,
  ctx: Context,
  actor: Actor,
  id: string,
  changes: { readonly name?: string; readonly expiresAt?: string | null },
  expectedVersion: number | null,
): Promise<ApiKey> {
  const apiKey = await getApiKey(trx, id);
  assertVersion(apiKey, expectedVersion);
  requireOwnerFor(actor, apiKey.role);
  checkExpiry(ctx, changes.expiresAt ?? null);
  return await patchRow(trx, ctx, ApiKey, apiKey, changes);
}

/** Deletes a key, which ends its use at once. @throws ServiceError not_found, stale_version, forbidden */
export async function deleteApiKey(
  trx: Db,
  ctx: Context,
  actor: Actor,
  id: string,
  expectedVersion: number | null,
): Promise<void> {
  const apiKey = await getApiKey(trx, id);
  assertVersion(apiKey, expectedVersion);
  requireOwnerFor(actor, apiKey.role);
  await removeRow(trx, ctx, ApiKey, apiKey);
}

function checkExpiry(ctx: Context, expiresAt: string | null): void {
  if (expiresAt !== null && Date.parse(expiresAt) <= ctx.now.getTime()) {
    throw invalidMember('/expiresAt', 'out_of_range', 'must be in the future');
  }
}
