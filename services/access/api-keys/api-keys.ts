/**
 * API keys: credentials for machines. A key belongs to one company and has a role there, within the present rights of whoever answers for
 * it (`../sessions/key-rights.ts`). It is shown once and stored hashed.
 */
import { asSystem } from '../../../db/as-system.ts';
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { ApiKey, User } from '../../../db/models/access/access.ts';
import { findRow } from '../../../db/queries/find.ts';
import { query } from '../../../db/sql.ts';
import { assertVersion, insertRow, patchRow } from '../../../db/write.ts';
import { keyPermissionFaults, lacking } from '../../../domain/access/api-keys/rights.ts';
import type { Machine } from '../../../domain/actors.ts';
import { invalidMember, notFound, ServiceError, validationFailed } from '../../../domain/errors.ts';
import { CUSTOM, heldPermissions, type StoredRights } from '../../../domain/grants.ts';
import { type Actor, requireOwnerFor } from '../members/owners.ts';
import { chosenRole, type Held, heldRole, type RoleChoice } from '../roles/held.ts';
import { loadKeyStatus } from '../sessions/key-rights.ts';
import { API_KEY_PREFIX, hashSecret, newSecret } from '../sessions/secrets.ts';
import { checkExpiry, checkOrigin, defaultExpiry, isLater } from './expiry.ts';

/** Whoever creates or changes keys: a person, or a program with a key. */
export type KeyActor = Actor & { readonly permissions: ReadonlySet<string>; readonly machine?: Machine | null };

type Maker = Pick<ApiKey, 'createdBy' | 'createdByName' | 'takenOverBy'>;

/** A new key. Its role is viewer by default. */
export interface NewKey extends RoleChoice {
  readonly name: string;
  /** In place of a role. */
  readonly permissions?: readonly string[];
  readonly expiresAt?: string | null;
}

/** Reads a key of the tenant. @throws ServiceError not_found */
export async function getApiKey(reader: Reader, id: string): Promise<ApiKey> {
  const apiKey = await findRow(reader, ApiKey, { id });
  if (apiKey === undefined) throw notFound('The API key');
  return apiKey;
}

/**
 * Creates a key. The machine sends `secret` as its Bearer token; it is never shown again. A key made with another key expires no later than
 * that, and is deleted with it.
 * @param input.expiresAt defaults to a year from now, or to the end of the calling key if that is earlier; null for never
 * @throws ServiceError validation_failed (already expired; a permission that cannot be given), forbidden (only owners create keys for
 * owners, or keys that never expire; nobody creates one that may do more than they may, or lives longer)
 */
export async function createApiKey(
  trx: Db,
  ctx: Context,
  actor: KeyActor,
  input: NewKey,
): Promise<{ readonly apiKey: ApiKey; readonly secret: string }> {
  const { name } = input;
  const rights = await chosenRights(trx, actor, input);
  requireRights(actor, rights);
  const calling = await findCallingKey(trx, actor);
  const expiresAt = input.expiresAt === undefined ? defaultExpiry(ctx, calling) : input.expiresAt;
  checkExpiry(ctx, actor, calling, expiresAt);
  const secret = newSecret(API_KEY_PREFIX);
  const maker = calling === null ? await findPerson(trx, ctx) : answeringPerson(calling);
  const madeWith = calling?.id ?? null;
  const values = { name, ...rights, expiresAt, keyHash: hashSecret(secret), lastUsedAt: null, madeWith, ...maker };
  return { apiKey: await insertRow(trx, ctx, ApiKey, values), secret };
}

/**
 * Changes name or expiry. An earlier expiry holds for the keys made with it, too.
 * @throws ServiceError not_found, stale_version, validation_failed, forbidden (as for `createApiKey`)
 */
export async function changeApiKey(
  trx: Db,
  ctx: Context,
  actor: KeyActor,
  id: string,
  changes: { readonly name?: string; readonly expiresAt?: string | null },
  expectedVersion: number | null,
): Promise<ApiKey> {
  const apiKey = await getApiKey(trx, id);
  assertVersion(apiKey, expectedVersion);
  requireRights(actor, apiKey);
  const { expiresAt } = changes;
  if (expiresAt !== undefined && expiresAt !== apiKey.expiresAt) {
    checkExpiry(ctx, actor, await findCallingKey(trx, actor), expiresAt);
    const origin = apiKey.madeWith === null ? null : await getApiKey(trx, apiKey.madeWith);
    checkOrigin(origin, expiresAt, 'A key expires no later than the key that it was made with');
    const outliving = (await keysMadeWith(trx, id)).filter((made) => isLater(made.expiresAt, expiresAt));
    await changeAll(trx, ctx, outliving, { expiresAt });
  }
  return await patchRow(trx, ctx, ApiKey, apiKey, changes);
}

/** Deletes a key and those made with it; they stop working at once. @throws ServiceError not_found, stale_version, forbidden */
export async function deleteApiKey(
  trx: Db,
  ctx: Context,
  actor: KeyActor,
  id: string,
  expectedVersion: number | null,
): Promise<void> {
  const apiKey = await getApiKey(trx, id);
  assertVersion(apiKey, expectedVersion);
  requireRights(actor, apiKey);
  const changes = new Changes(ctx);
  for (const each of [apiKey, ...(await keysMadeWith(trx, id))]) changes.delete(ApiKey, each);
  await changes.write(trx);
}

/**
 * Makes the calling owner answer for a key and those made with it, so that they work again although their creator has left.
 * @throws ServiceError not_found, stale_version, forbidden, invalid_transition (its creator is still a member)
 */
export async function takeOverApiKey(
  trx: Db,
  ctx: Context,
  actor: KeyActor,
  id: string,
  expectedVersion: number | null,
): Promise<ApiKey> {
  const apiKey = await getApiKey(trx, id);
  assertVersion(apiKey, expectedVersion);
  if (actor.role !== 'owner' || ctx.userId === null) {
    throw new ServiceError('forbidden', 'Only a person who is an owner can take over an API key');
  }
  if ((await loadKeyStatus(trx, id)) === 'active') {
    throw new ServiceError(
      'invalid_transition',
      'The API key cannot be taken over because whoever answers for it is a member',
    );
  }
  const takenOver = { takenOverBy: ctx.userId };
  await changeAll(trx, ctx, await keysMadeWith(trx, id), takenOver);
  return await patchRow(trx, ctx, ApiKey, apiKey, takenOver);
}

async function changeAll(trx: Db, ctx: Context, keys: readonly ApiKey[], values: Partial<ApiKey>): Promise<void> {
  const changes = new Changes(ctx);
  for (const key of keys) changes.change(ApiKey, key, values);
  await changes.write(trx);
}

const MADE_WITH = `with recursive made as (
    select id from api_keys where made_with = :id::uuid
    union select k.id from api_keys k join made on k.made_with = made.id)
  select id from made`;

/** Finds the keys made with a key, directly or by way of others. */
async function keysMadeWith(trx: Db, id: string): Promise<ApiKey[]> {
  const made = await query<{ id: string }>(trx, MADE_WITH, { id });
  return made.length === 0
    ? []
    : await ApiKey.query(trx).whereIn(
        'id',
        made.map((key) => key.id),
      );
}

/** The key that calls; null for people. */
async function findCallingKey(trx: Db, { machine }: KeyActor): Promise<ApiKey | null> {
  return machine?.kind === 'api_key' ? await getApiKey(trx, machine.id) : null;
}

/** The person who answers for a key answers for those made with it. */
function answeringPerson({ createdBy, createdByName, takenOverBy }: ApiKey): Maker {
  return { createdBy, createdByName, takenOverBy };
}

async function findPerson(trx: Db, ctx: Context): Promise<Maker> {
  const { userId } = ctx;
  const user = userId === null ? undefined : await asSystem(trx, ctx, () => User.query(trx).findById(userId));
  return { createdBy: userId, createdByName: user?.name ?? null, takenOverBy: null };
}

/** The rights that a new key is to have. @throws ServiceError validation_failed */
async function chosenRights(trx: Db, actor: KeyActor, key: NewKey): Promise<Held> {
  const { permissions } = key;
  if (permissions === undefined) return (await chosenRole(trx, actor, key)) ?? heldRole('viewer');
  if (key.roleId !== undefined)
    throw invalidMember('/roleId', 'not_applicable', 'cannot be given together with permissions');
  if (key.role !== undefined)
    throw invalidMember('/role', 'not_applicable', 'cannot be given together with permissions');
  const faults = keyPermissionFaults(permissions, '/permissions');
  if (faults.length > 0) throw validationFailed(faults);
  return { role: CUSTOM, roleId: null, permissions: [...permissions].sort() };
}

/** Requires the caller to have all rights of a key. @throws ServiceError forbidden */
function requireRights(actor: KeyActor, key: StoredRights): void {
  requireOwnerFor(actor, key.role);
  const missing = lacking(heldPermissions(key), actor.permissions);
  if (missing.length > 0) {
    const what = key.role === CUSTOM ? missing.join(', ') : key.role;
    throw new ServiceError('forbidden', `You cannot create, change or delete a key that may do more than you: ${what}`);
  }
}
