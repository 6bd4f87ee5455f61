/** Members of the company as to-dos are assigned to them. */
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';

export interface AskedMember {
  readonly userId: string;
  readonly role: string;
  /** Their language; null for the company's. */
  readonly locale: string | null;
}

/** Finds an active member by their id or address; undefined if there is none, or they have left. */
export async function findMember(
  reader: Reader,
  who: { readonly userId?: string; readonly address?: string },
): Promise<AskedMember | undefined> {
  const sql = `select m.user_id as "userId", m.role, u.locale from memberships m join users u on u.id = m.user_id
    where m.active and u.active and (u.id = :userId::uuid or lower(u.email) = lower(:address::text))`;
  const [found] = await query<AskedMember>(reader, sql, { userId: who.userId ?? null, address: who.address ?? null });
  return found;
}
