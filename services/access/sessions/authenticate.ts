/**
 * Authenticates callers. A cached caller is dropped with any change of its rows, so a removed membership takes effect at once.
 */
import type { Database } from '../../../db/database.ts';
import { isUuid } from '../../../db/ids.ts';
import { prepared } from '../../../db/sql.ts';
import type { Rights } from '../../../domain/access/api-keys/rights.ts';
import type { Machine } from '../../../domain/actors.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { heldPermissions, ruledRole, type StoredRights } from '../../../domain/grants.ts';
import { grantedPermissions } from '../../../domain/integrations/plugins/permissions.ts';
import type { Permission, Role } from '../../../domain/permissions.ts';
import { VERSION_COUNTER } from '../../records/custom-fields/definitions.ts';
import { verifyAccessToken } from './access-tokens.ts';
import { bearerToken } from './bearer.ts';
import type { CallerCache } from './caller-cache.ts';
import { currentRights, type FoundRights, RIGHTS_COLUMNS } from './key-rights.ts';
import { API_KEY_PREFIX, hashSecret, PLUGIN_PREFIX } from './secrets.ts';

export interface Identity {
  readonly tenantId: string;
  /** null for machines: API keys and plugins. */
  readonly userId: string | null;
  readonly machine: Machine | null;
  /** The user whose rights bound those of an API key; null for all others. */
  readonly answeringId: string | null;
  /** The session of the access token; null for machines. */
  readonly sessionId: string | null;
  readonly role: Role;
  readonly permissions: ReadonlySet<Permission>;
  /** Version of the company's custom fields (services/records/custom-fields/definitions.ts); 0 if it has never had any. */
  readonly customFieldsVersion: number;
}

export interface AuthenticateEnv {
  readonly database: Database;
  readonly jwtSecret: string;
  readonly jwtSecretPrevious?: string | undefined;
  readonly now: Date;
  /** Without it, each call queries the database. */
  readonly callers?: CallerCache | undefined;
}

/** Minimum interval between records of a key's last use. */
const USE_INTERVAL_MS = 60_000;

/** Query of a member. Their session has ended if all its refresh tokens are revoked, by logout, a new password or a stolen token. */
const MEMBER_SQL = `select m.role, m.permissions, ${customFieldsVersion('m')}, not exists (
    select 1 from refresh_tokens t where t.family_id = :session::uuid and t.user_id = m.user_id and t.revoked_at is null) as session_ended
  from memberships m join users u on u.id = m.user_id where m.user_id = :user and m.active and u.active limit 1`;

/**
 * Checks the credentials of a request.
 * @param bearer the Authorization header, or just the token
 * @param tenantHeader x-tenant-id; without it the token's own company
 * @throws ServiceError unauthorized, invalid_token, token_expired, not_a_member, bad_request (x-tenant-id is no UUID)
 */
export async function authenticate(
  env: AuthenticateEnv,
  bearer: string | undefined,
  tenantHeader: string | undefined,
): Promise<Identity> {
  const token = bearerToken(bearer);
  if (token.startsWith(API_KEY_PREFIX)) return await authenticateKey(env, token, tenantHeader);
  if (token.startsWith(PLUGIN_PREFIX)) return await authenticatePlugin(env, token, tenantHeader);
  const claims = verifyAccessToken(env, token);
  const tenantId = requestedTenant(tenantHeader) ?? claims.tenantId;
  const { userId, sessionId } = claims;
  const member = await readThroughCache(
    env,
    `${tenantId} ${userId} ${sessionId}`,
    () => [tenantId, userId],
    async () => {
      const bindings = { user: userId, session: sessionId };
      const [found] = await prepared<Member>(env.database.reader({ tenantId }), MEMBER_SQL, bindings);
      return found;
    },
  );
  if (member === undefined) throw notAMember();
  if (member.session_ended) throw new ServiceError('invalid_token', 'The session has ended; log in again');
  return {
    tenantId,
    userId,
    machine: null,
    answeringId: null,
    sessionId,
    customFieldsVersion: Number(member.custom_fields_version),
    ...memberRights(member),
  };
}

interface Member extends Versioned, StoredRights {
  readonly session_ended: boolean;
}

interface FoundKey extends Versioned, FoundRights {
  readonly id: string;
  readonly tenant_id: string;
  readonly rights: Rights;
  readonly expires_at: string | null;
  /** As last known to this process. */
  last_used_at: string | null;
}

/** Reads through the cache, if there is one. */
async function readThroughCache<T>(
  { callers }: AuthenticateEnv,
  key: string,
  from: (found: T) => readonly string[],
  read: () => Promise<T | undefined>,
): Promise<T | undefined> {
  return callers === undefined ? read() : callers.get(key, from, read);
}

/** Finds a key with its current rights. @throws ServiceError not_a_member while it is suspended, which is not cached */
async function findKey({ database }: AuthenticateEnv, keyHash: Buffer): Promise<FoundKey | undefined> {
  const found = await database.withSystem(
    async (trx): Promise<Omit<FoundKey, 'rights'> | undefined> =>
      await trx('api_keys as k')
        .where({ key_hash: keyHash })
        .first(
          'k.id',
          'k.tenant_id',
          'k.expires_at',
          'k.last_used_at',
          trx.raw(RIGHTS_COLUMNS),
          trx.raw(customFieldsVersion('k')),
        ),
  );
  if (found === undefined) return undefined;
  const rights = currentRights(found);
  if (rights === null) throw suspended(found.id);
  return { ...found, rights };
}

async function authenticateKey(env: AuthenticateEnv, key: string, tenantHeader: string | undefined): Promise<Identity> {
  const keyHash = hashSecret(key);
  const found = await readThroughCache(
    env,
    `key ${keyHash.toString('base64')}`,
    ({ id, tenant_id, answering_id }) => [id, tenant_id, ...(answering_id === null ? [] : [answering_id])],
    () => findKey(env, keyHash),
  );
  if (found === undefined) throw new ServiceError('invalid_token', 'The API key is not valid');
  if (found.expires_at !== null && Date.parse(found.expires_at) <= env.now.getTime()) {
    throw new ServiceError('token_expired', 'The API key has expired');
  }
  const tenantId = requestedTenant(tenantHeader) ?? found.tenant_id;
  if (tenantId !== found.tenant_id) throw notAMember();
  await recordUse(env, found);
  const { id, answering_id: answeringId, rights, custom_fields_version: version } = found;
  return {
    tenantId,
    userId: null,
    machine: { kind: 'api_key', id },
    answeringId,
    sessionId: null,
    customFieldsVersion: Number(version),
    ...rights,
  };
}

interface FoundPlugin extends Versioned {
  readonly id: string;
  readonly tenant_id: string;
  readonly permissions: readonly string[];
}

/** A plugin acts as a viewer with the permissions that it was granted instead of the role's. */
async function authenticatePlugin(env: AuthenticateEnv, token: string, header: string | undefined): Promise<Identity> {
  const tokenHash = hashSecret(token);
  const found = await readThroughCache(
    env,
    `plugin ${tokenHash.toString('base64')}`,
    ({ id, tenant_id }) => [id, tenant_id],
    async () =>
      await env.database.withSystem(
        async (trx): Promise<FoundPlugin | undefined> =>
          await trx('plugins as p')
            .where({ token_hash: tokenHash, status: 'enabled' })
            .first('id', 'tenant_id', 'permissions', trx.raw(customFieldsVersion('p'))),
      ),
  );
  if (found === undefined) throw new ServiceError('invalid_token', 'The token of the plugin is not valid');
  if ((requestedTenant(header) ?? found.tenant_id) !== found.tenant_id) throw notAMember();
  return {
    tenantId: found.tenant_id,
    userId: null,
    machine: { kind: 'plugin', id: found.id },
    answeringId: null,
    sessionId: null,
    customFieldsVersion: Number(found.custom_fields_version),
    role: 'viewer',
    permissions: grantedPermissions(found.permissions),
  };
}

/**
 * Records the last use of a key, to the minute. Adds no version and no event, skips locked keys, and never fails a request.
 */
async function recordUse({ database, now }: AuthenticateEnv, key: FoundKey): Promise<void> {
  if (key.last_used_at !== null && now.getTime() - Date.parse(key.last_used_at) < USE_INTERVAL_MS) return;
  key.last_used_at = now.toISOString();
  const note = database.withSystem((trx) =>
    trx.raw(
      `update api_keys set last_used_at = ? where id in (select id from api_keys where id = ? for update skip locked)`,
      [key.last_used_at, key.id],
    ),
  );
  // A database that is temporarily read-only still serves reads; the next request tries again.
  await note.catch(() => undefined);
}

interface Versioned {
  readonly custom_fields_version: string | number;
}

/** SQL column that reads the version of the custom fields together with the caller, which saves a query per request. */
function customFieldsVersion(alias: string): string {
  return `coalesce((select c.next from counters c where c.tenant_id = ${alias}.tenant_id and c.name = '${VERSION_COUNTER}'), 0)
    as custom_fields_version`;
}

function requestedTenant(header: string | undefined): string | undefined {
  const tenantId = header?.trim();
  if (tenantId === undefined) return undefined;
  if (!isUuid(tenantId)) throw new ServiceError('bad_request', 'x-tenant-id must be the UUID of a company');
  return tenantId.toLowerCase();
}

function memberRights(member: StoredRights): Rights {
  const role = ruledRole(member.role);
  if (role === null) throw notAMember();
  return { role, permissions: heldPermissions(member) };
}

function suspended(id: string): ServiceError {
  return new ServiceError(
    'not_a_member',
    'The API key is suspended because whoever answers for it is no active member; an owner can take it over: ' +
      `POST /api/api-keys/${id}/take-over`,
  );
}

function notAMember(): ServiceError {
  return new ServiceError('not_a_member', 'You have no active membership in this company');
}
