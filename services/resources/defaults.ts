import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import type { TenantModel, TenantModelClass } from '../../db/models/base.ts';
import { patchRow } from '../../db/write.ts';

type Row = Record<string, unknown>;

/**
 * Makes room for a new default: the one before it, if any, is none any more from this transaction on.
 * @param within members within whose values there is one default; none = one in the tenant
 * @param next the row that is to become the default
 */
export async function replaceDefault<M extends TenantModel>(
  trx: Db,
  ctx: Context,
  model: TenantModelClass<M>,
  within: readonly string[],
  next: Row,
): Promise<void> {
  // Two new defaults at the same time take over one after the other.
  await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`default:${ctx.tenantId}:${model.tableName}`]);
  const conditions = Object.fromEntries(within.map((member) => [columnOf(member), next[member]]));
  const present = (await model
    .query(trx)
    .findOne({ ...conditions, is_default: true })
    .forUpdate()) as M | undefined;
  if (present !== undefined && present.id !== next.id) {
    await patchRow(trx, ctx, model, present, { isDefault: false } as unknown as Partial<M> & Row);
  }
}

function columnOf(member: string): string {
  return member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
