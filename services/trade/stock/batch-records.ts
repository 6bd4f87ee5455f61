/** Batches as records: reading them, releasing them for sale, correcting when they expire. */
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { Batch } from '../../../db/models/trade/stock.ts';
import { query } from '../../../db/sql.ts';
import { assertVersion, patchRow } from '../../../db/write.ts';
import { notFound, ServiceError } from '../../../domain/errors.ts';
import { type Decimal, toNumber } from '../../../domain/money.ts';

/** Batches with their item and quantity on hand. */
export const BATCHES_SQL = `
  select b.id, b.item_id, i.code as item_code, i.name as item_name, b.batch_num, b.expiry_date, b.status,
    (select coalesce(sum(l.on_hand), 0) from stock_levels l where l.batch_id = b.id) as on_hand, b.version, b.created_at, b.updated_at
  from batches b join items i on i.id = b.item_id`;

export interface BatchRow {
  readonly id: string;
  readonly item_id: string;
  readonly item_code: string;
  readonly item_name: string;
  readonly batch_num: string;
  readonly expiry_date: string | null;
  readonly status: string;
  readonly on_hand: Decimal;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export function batchToJson(row: BatchRow) {
  return {
    id: row.id,
    itemId: row.item_id,
    itemCode: row.item_code,
    itemName: row.item_name,
    batchNum: row.batch_num,
    expiryDate: row.expiry_date,
    status: row.status,
    onHand: toNumber(row.on_hand),
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** @throws ServiceError not_found */
export async function readBatch(reader: Reader, id: string) {
  const [row] = await query<BatchRow>(reader, `${BATCHES_SQL} where b.id = :id`, { id });
  if (row === undefined) throw notFound('This batch');
  return batchToJson(row);
}

/**
 * Releases a pending batch for sale.
 * @param ifMatch the version that the caller saw; null when it does not matter
 * @throws ServiceError not_found, stale_version, invalid_transition
 */
export async function confirmBatch(trx: Db, ctx: Context, id: string, ifMatch: number | null) {
  const batch = await lockBatch(trx, id, ifMatch);
  if (batch.status !== 'pending') {
    throw new ServiceError(
      'invalid_transition',
      `Batch ${batch.batchNum} cannot be confirmed because it is already ${batch.status}`,
    );
  }
  await patchRow(trx, ctx, Batch, batch, { status: 'confirmed' });
  return await readBatch(trx, id);
}

/** Corrects the expiry date of a batch. @throws ServiceError not_found, stale_version */
export async function changeBatch(
  trx: Db,
  ctx: Context,
  id: string,
  changes: { readonly expiryDate?: string | null },
  ifMatch: number | null,
) {
  const batch = await lockBatch(trx, id, ifMatch);
  const { expiryDate = batch.expiryDate } = changes;
  await patchRow(trx, ctx, Batch, batch, { expiryDate });
  return await readBatch(trx, id);
}

async function lockBatch(trx: Db, id: string, ifMatch: number | null): Promise<Batch> {
  const batch = await Batch.query(trx).findById(id).forUpdate();
  if (batch === undefined) throw notFound('This batch');
  assertVersion(batch, ifMatch);
  return batch;
}
