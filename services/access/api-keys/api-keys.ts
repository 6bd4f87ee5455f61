/**
 * API keys: credentials for machines. A key belongs to one company, has a role there, and outlives the membership of its creator. It is
 * shown once and stored hashed.
 */

import { asSystem } from '../../../db/as-system.ts';
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { ApiKey, User } from '../../../db/models/access/access.ts';
import { findRow } from '../../../db/queries/find.ts';
import { assertVersion, insertRow, patchRow, removeRow } from '../../../db/write.ts';
import type { Machine } from '../../../domain/actors.ts';
import { invalidMember, notFound, ServiceError } from '../../../domain/errors.ts';
import type { Role } from '../../../domain/permissions.ts';
import { counted } from '../../../domain/words.ts';
import { alertOwners } from '../../messages/notifications/notify.ts';
import { type Actor, requireOwnerFor } from '../members/owners.ts';
import { API_KEY_PREFIX, hashSecret, newSecret } from '../sessions/secrets.ts';

/** Maximum keys that a notification lists by name. */
const MAX_NAMES = 20;

/** Reads a key of the tenant. @throws ServiceError not_found */
export async function getApiKey(reader: Reader, id: string): Promise<ApiKey> {
  const apiKey = await findRow(reader, ApiKey, { id });
  if (apiKey === undefined) throw notFound('The API key');
  return apiKey;
}

/**
 * Creates a key. The machine sends `secret` as its Bearer token; it is never shown again.
 * @param input.expiresAt defaults to a year from now; null for never
 * @throws ServiceError validation_failed (already expired), forbidden (only owners create keys for owners, or keys that never expire)
 */
export async function createApiKey(
  trx: Db,
  ctx: Context,
  actor: Actor & { readonly machine?: Machine | null },
  input: { readonly name: string; readonly role?: Role; readonly expiresAt?: string | null },
): Promise<{ readonly apiKey: ApiKey; readonly secret: string }> {
  const { name, role = 'viewer', expiresAt = aYearLater(ctx.now) } = input;
  requireOwnerFor(actor, role);
  checkExpiry(ctx, actor, expiresAt);
  const secret = newSecret(API_KEY_PREFIX);
  const maker = await findCreator(trx, ctx, actor.machine ?? null);
  const values = { name, role, expiresAt, keyHash: hashSecret(secret), lastUsedAt: null, ...maker };
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
  if (changes.expiresAt !== undefined) checkExpiry(ctx, actor, changes.expiresAt);
  return await patchRow(trx, ctx, ApiKey, apiKey, changes);
}

/** Deletes a key; it stops working at once. @throws ServiceError not_found, stale_version, forbidden */
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

/** Finds the keys created by a user who is leaving, and notifies the owners, since these keys still give access. */
export async function notifyOfRemainingKeys(trx: Db, ctx: Context, user: User): Promise<ApiKey[]> {
  const made: ApiKey[] = await ApiKey.query(trx).where({ created_by: user.id }).orderBy(['name', 'id']);
  const keys = made.filter(({ expiresAt }) => expiresAt === null || Date.parse(expiresAt) > ctx.now.getTime());
  if (keys.length === 0) return keys;
  const names = keys.slice(0, MAX_NAMES).map(({ name, role }) => `${name} (${role})`);
  const unnamed = keys.length - MAX_NAMES;
  const more = unnamed > 0 ? ` and ${unnamed} more` : '';
  const moreEs = unnamed > 0 ? ` y ${unnamed} más` : '';
  await alertOwners(trx, ctx, {
    title: `${user.name} has left and had created ${counted(keys.length, 'API key')} that still work`,
    body: `The keys belong to the company and stay valid: ${names.join(', ')}${more}. Delete those that ${user.name} may know.`,
    es: {
      title: `${user.name} ha dejado la empresa: siguen valiendo claves de API que había creado (${keys.length})`,
      body:
        `Las claves pertenecen a la empresa y siguen siendo válidas: ${names.join(', ')}${moreEs}. Elimine las que ` +
        `${user.name} pueda conocer.`,
    },
    metadata: { user_id: user.id, api_key_ids: keys.map(({ id }) => id) },
  });
  return keys;
}

/** Finds the user responsible for a key: its creator, or the one responsible for the key that created it. */
async function findCreator(
  trx: Db,
  ctx: Context,
  machine: Machine | null,
): Promise<Pick<ApiKey, 'createdBy' | 'createdByName'>> {
  if (machine?.kind === 'api_key') {
    const { createdBy, createdByName } = await getApiKey(trx, machine.id);
    return { createdBy, createdByName };
  }
  const { userId } = ctx;
  const user = userId === null ? undefined : await asSystem(trx, ctx, () => User.query(trx).findById(userId));
  return { createdBy: userId, createdByName: user?.name ?? null };
}

function checkExpiry(ctx: Context, actor: Actor, expiresAt: string | null): void {
  if (expiresAt === null) {
    if (actor.role === 'owner') return;
    throw new ServiceError('forbidden', 'Only an owner can create an API key that never expires; send expiresAt');
  }
  if (Date.parse(expiresAt) <= ctx.now.getTime()) {
    throw invalidMember('/expiresAt', 'out_of_range', 'must be in the future');
  }
}

function aYearLater(now: Date): string {
  const end = new Date(now);
  end.setUTCFullYear(end.getUTCFullYear() + 1);
  return end.toISOString();
}
