/**
 * Who answers for an API key: the person who took it over, or else whoever made it. A key has no right that this person has lost, and none
 * at all once they have left.
 */
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { keyRights, type Rights } from '../../../domain/access/api-keys/rights.ts';
import type { StoredRights } from '../../../domain/grants.ts';

export interface FoundRights extends StoredRights {
  /** The user who answers for the key; null for a key that the service itself made. */
  readonly answering_id: string | null;
  /** Their role and permissions in the company; null without an active membership. */
  readonly answering: StoredRights | null;
}

/** The user who answers for a key of the table `k`. */
const ANSWERING = 'coalesce(k.taken_over_by, k.created_by)';

/** Columns of `FoundRights` for the table `api_keys k`. */
export const RIGHTS_COLUMNS = `k.role, k.permissions, ${ANSWERING} as answering_id, (
  select json_build_object('role', m.role, 'permissions', m.permissions) from memberships m join users u on u.id = m.user_id
  where m.tenant_id = k.tenant_id and m.user_id = ${ANSWERING} and m.active and u.active) as answering`;

/** The keys as they are shown: suspended if whoever answers for them is no active member. */
export const SHOWN_KEYS = `select k.*, case when ${ANSWERING} is null or exists (
    select from memberships m join users u on u.id = m.user_id
    where m.user_id = ${ANSWERING} and m.active and u.active) then 'active' else 'suspended' end as status
  from api_keys k`;

export const KEY_STATUSES = ['active', 'suspended'] as const;
export type KeyStatus = (typeof KEY_STATUSES)[number];

/** Reads whether a key works, apart from its expiry. */
export async function loadKeyStatus(reader: Reader, id: string): Promise<KeyStatus> {
  const [found] = await query<{ status: KeyStatus }>(reader, `select status from (${SHOWN_KEYS}) k where id = :id`, {
    id,
  });
  return found?.status ?? 'suspended';
}

/** The current rights of a key; null while it is suspended, or if its role no longer exists. */
export function currentRights({ answering_id: id, answering, ...key }: FoundRights): Rights | null {
  if (id === null) return keyRights(key, null);
  return answering === null ? null : keyRights(key, answering);
}
