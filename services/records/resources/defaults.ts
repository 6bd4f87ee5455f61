import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { lockDefaults } from '../../../db/locks.ts';
import type { TenantModel, TenantModelClass } from '../../../db/models/base.ts';
import { columnName } from '../../../db/models/columns.ts';
import { patchRow } from '../../../db/write.ts';

type Row = Record<string, unknown>;

/**
 * Clears `isDefault` of the previous default, if any, so that another row can become the default.
 * @param within members whose values each have one default; empty for one per tenant
 * @param next the row that becomes the default
 */
export async function replaceDefault<M extends TenantModel>(
  trx: Db,
  ctx: Context,
  model: TenantModelClass<M>,
  within: readonly string[],
  next: Row,
): Promise<void> {
  await lockDefaults(trx, ctx, model);
  const conditions = Object.fromEntries(within.map((member) => [columnName(member), next[member]]));
  const existing = (await model
    .query(trx)
    .findOne({ ...conditions, is_default: true })
    .forUpdate()) as M | undefined;
  if (existing !== undefined && existing.id !== next.id) {
    await patchRow(trx, ctx, model, existing, { isDefault: false } as unknown as Partial<M> & Row);
  }
}

/**
 * Fills in `isDefault` if the client leaves it out: the first row of its kind becomes the default.
 * @param within members whose values each have one default
 */
export async function withFirstAsDefault(trx: Db, table: string, within: readonly string[], values: Row): Promise<Row> {
  if (values.isDefault !== null) return values;
  const same = Object.fromEntries(within.map((member) => [columnName(member), values[member]]));
  const other: unknown = await trx(table).where(same).first('id');
  return { ...values, isDefault: other === undefined };
}
