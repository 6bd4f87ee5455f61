/** What somebody may do for whom the service works later. */
import type { Reader } from '../../db/database.ts';
import { query } from '../../db/sql.ts';
import { isRole, type Permission, ROLES } from '../../domain/permissions.ts';

/** A user, or else the actor of the audit log: `api_key:<id>`. */
export interface Principal {
  readonly userId: string | null;
  readonly actor: string | null;
}

const KEY = 'api_key:';
const USER_SQL = `select m.role from memberships m join users u on u.id = m.user_id
  where m.user_id = :userId::uuid and m.active and u.active`;
const KEY_SQL = `select role from api_keys where id = :id::uuid and (expires_at is null or expires_at > :now::timestamptz)`;
const NONE: ReadonlySet<Permission> = new Set();

/** What they may do in the company now: nothing if they have left it, are locked, or their key has expired. */
export async function permissionsNow(
  reader: Reader,
  { userId, actor }: Principal,
  now: Date,
): Promise<ReadonlySet<Permission>> {
  const rows = await rowsOf(reader, { userId, actor }, now);
  const role = rows[0]?.role;
  return role !== undefined && isRole(role) ? ROLES[role].permissions : NONE;
}

async function rowsOf(reader: Reader, { userId, actor }: Principal, now: Date): Promise<{ role: string }[]> {
  if (userId !== null) return await query(reader, USER_SQL, { userId });
  if (actor === null || !actor.startsWith(KEY)) return [];
  return await query(reader, KEY_SQL, { id: actor.slice(KEY.length), now: now.toISOString() });
}
