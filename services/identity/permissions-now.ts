/** What somebody may do for whom the service works later. */
import type { Reader } from '../../db/database.ts';
import { query } from '../../db/sql.ts';
import { machineOf } from '../../domain/actors.ts';
import { isRole, type Permission, ROLES } from '../../domain/permissions.ts';
import { grantedOf } from '../../domain/plugins/permissions.ts';

/** A user, or else the actor of the audit log: `api_key:<id>` or `plugin:<id>`. */
export interface Principal {
  readonly userId: string | null;
  readonly actor: string | null;
}

const USER_SQL = `select m.role from memberships m join users u on u.id = m.user_id
  where m.user_id = :userId::uuid and m.active and u.active`;
const KEY_SQL = `select role from api_keys where id = :id::uuid and (expires_at is null or expires_at > :now::timestamptz)`;
const PLUGIN_SQL = `select permissions from plugins where id = :id::uuid and status = 'enabled'`;
const NONE: ReadonlySet<Permission> = new Set();

/** What they may do in the company now: nothing if they have left it, are locked, or their key has expired or plugin is disabled. */
export async function permissionsNow(
  reader: Reader,
  { userId, actor }: Principal,
  now: Date,
): Promise<ReadonlySet<Permission>> {
  if (userId !== null) return ofRole(await query(reader, USER_SQL, { userId }));
  const machine = machineOf(actor);
  if (machine === null) return NONE;
  const { kind, id } = machine;
  if (kind === 'api_key') return ofRole(await query(reader, KEY_SQL, { id, now: now.toISOString() }));
  const [plugin] = await query<{ permissions: string[] }>(reader, PLUGIN_SQL, { id });
  return grantedOf(plugin?.permissions ?? []);
}

function ofRole([found]: readonly { readonly role: string }[]): ReadonlySet<Permission> {
  return found !== undefined && isRole(found.role) ? ROLES[found.role].permissions : NONE;
}
