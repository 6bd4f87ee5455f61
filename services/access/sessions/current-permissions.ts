/** Current permissions of a principal for whom the service works in the background. */
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { parseMachine } from '../../../domain/actors.ts';
import { heldPermissions, type StoredRights } from '../../../domain/grants.ts';
import { grantedPermissions } from '../../../domain/integrations/plugins/permissions.ts';
import type { Permission } from '../../../domain/permissions.ts';
import { currentRights, type FoundRights, RIGHTS_COLUMNS } from './key-rights.ts';

/** A user, or the actor in the audit log: `api_key:<id>` or `plugin:<id>`. */
export interface Principal {
  readonly userId: string | null;
  readonly actor: string | null;
}

const USER_SQL = `select m.role, m.permissions from memberships m join users u on u.id = m.user_id
  where m.user_id = :userId::uuid and m.active and u.active`;
const KEY_SQL = `select ${RIGHTS_COLUMNS} from api_keys k
  where k.id = :id::uuid and (k.expires_at is null or k.expires_at > :now::timestamptz)`;
const PLUGIN_SQL = `select permissions from plugins where id = :id::uuid and status = 'enabled'`;
const NONE: ReadonlySet<Permission> = new Set();

/** Loads the current permissions; none if the user left or is locked, the key has expired or is suspended, or the plugin is disabled. */
export async function loadPermissions(
  reader: Reader,
  { userId, actor }: Principal,
  now: Date,
): Promise<ReadonlySet<Permission>> {
  if (userId !== null) {
    const [member] = await query<StoredRights>(reader, USER_SQL, { userId });
    return member === undefined ? NONE : heldPermissions(member);
  }
  const machine = parseMachine(actor);
  if (machine === null) return NONE;
  const { kind, id } = machine;
  if (kind === 'api_key') {
    const [key] = await query<FoundRights>(reader, KEY_SQL, { id, now: now.toISOString() });
    return (key && currentRights(key)?.permissions) ?? NONE;
  }
  const [plugin] = await query<{ permissions: string[] }>(reader, PLUGIN_SQL, { id });
  return grantedPermissions(plugin?.permissions ?? []);
}
