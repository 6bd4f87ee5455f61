/** The only door from the work of one company to the data of another (decision 0367). */
import type { Context } from '../../../db/context.ts';
import { type Db, type Reader, switchScope } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { parseMachine } from '../../../domain/actors.ts';
import { heldPermissions, type StoredRights } from '../../../domain/grants.ts';
import type { Permission } from '../../../domain/permissions.ts';

/** Names the company, although row-level security does too: in a wrong scope it finds nobody. */
const MEMBER_SQL = `select m.role, m.permissions from memberships m join users u on u.id = m.user_id
  where m.tenant_id = :companyId::uuid and m.user_id = :userId::uuid and m.active and u.active`;

/** Reads the permissions that a person has now in the company that the reader is in; none without an active membership. */
export async function memberPermissions(
  reader: Reader,
  companyId: string,
  userId: string,
): Promise<ReadonlySet<Permission>> {
  const [member] = await query<StoredRights>(reader, MEMBER_SQL, { companyId, userId });
  return member === undefined ? new Set() : heldPermissions(member);
}

/**
 * Runs `work` within another company if the acting person has a permission there, which is read there now; then returns to the company of
 * `ctx`. API keys and plugins belong to one company and have none elsewhere. If `work` throws, the caller must let the transaction
 * roll back.
 * @param trx a transaction or a snapshot
 * @returns null if they lack the permission, are no active member, or there is no such company: callers must not tell these apart
 */
export async function inOtherCompany<T>(
  trx: Db,
  ctx: Context,
  { companyId, permission }: { readonly companyId: string; readonly permission: Permission },
  work: (there: Context) => Promise<T>,
): Promise<{ readonly result: T } | null> {
  if (ctx.userId === null || parseMachine(ctx.actor) !== null) return null;
  await switchScope(trx, { tenantId: companyId });
  const permissions = await memberPermissions(trx, companyId, ctx.userId);
  const found = permissions.has(permission) ? { result: await work({ ...ctx, tenantId: companyId }) } : null;
  await switchScope(trx, ctx);
  return found;
}
