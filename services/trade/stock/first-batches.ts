/** Makes items batch-tracked with the first receipt that names batches. */
import type { Db } from '../../../db/database.ts';
import { ConcurrentChange } from '../../../db/errors.ts';
import { Item } from '../../../db/models/records/master-data.ts';
import { query } from '../../../db/sql.ts';
import { type FieldError, validationFailed } from '../../../domain/errors.ts';

/** Goods of an item that are received. */
export interface Receipt {
  readonly itemId: string;
  readonly inBatches: boolean;
  /** Pointer to the line in the body. */
  readonly pointer: string;
}

/**
 * Finds the items that become batch-tracked: untracked ones without stock that are received in batches. From then on nothing is received
 * without a batch: the item's places are locked, and `checkPlainReceipts` sees the change.
 * @returns the items, locked
 * @throws ServiceError validation_failed when it has stock without batch, or another line receives it without batch
 */
export async function findFirstBatches(trx: Db, receipts: readonly Receipt[]): Promise<readonly Item[]> {
  const named = receipts.filter(({ inBatches }) => inBatches).map(({ itemId }) => itemId);
  if (named.length === 0) return [];
  const untracked = () => Item.query(trx).whereIn('id', named).where({ batch_tracked: false, stock_tracked: true });
  const candidates = (await untracked()).map(({ id }) => id);
  if (candidates.length === 0) return [];
  // Locks places before items, in the same order as moves of goods; a place created meanwhile locks its item, which is waited for.
  await lockedPlaces(trx, candidates);
  const items = await untracked().orderBy('id').forUpdate();
  const starting = new Set(items.map(({ id }) => id));
  const places = await lockedPlaces(trx, candidates);
  const without = new Set(
    places.filter(({ batchId, onHand }) => batchId === null && Number(onHand) !== 0).map(({ itemId }) => itemId),
  );
  const faults = receipts.flatMap(({ itemId, inBatches, pointer }): FieldError[] => {
    const at = `${pointer}/batchDetails`;
    if (!starting.has(itemId)) return [];
    if (!inBatches) {
      return [
        {
          pointer: at,
          code: 'required',
          message: 'is required because another line starts tracking the item by batch',
        },
      ];
    }
    const message = 'cannot be given because the item has stock without batch; sell it or count it to zero first';
    return without.has(itemId) ? [{ pointer: at, code: 'stock_without_batch', message }] : [];
  });
  if (faults.length > 0) throw validationFailed(faults);
  return items;
}

function lockedPlaces(trx: Db, items: readonly string[]) {
  return query<{ itemId: string; batchId: string | null; onHand: string }>(
    trx,
    `select item_id as "itemId", batch_id as "batchId", on_hand as "onHand" from stock_levels
     where item_id = any(:items::uuid[]) order by item_id, warehouse_id, batch_id nulls first, zone_id nulls first for update`,
    { items },
  );
}

/**
 * Checks again, after the places were locked, that items received without batch are still untracked.
 * @throws ConcurrentChange when tracking has started since the document was read
 */
export async function checkPlainReceipts(trx: Db, receipts: readonly Receipt[]): Promise<void> {
  const plain = receipts.filter(({ inBatches }) => !inBatches).map(({ itemId }) => itemId);
  if (plain.length === 0) return;
  const [begun] = await query<{ id: string }>(
    trx,
    'select id from items where id = any(:items::uuid[]) and batch_tracked limit 1',
    { items: [...new Set(plain)] },
  );
  if (begun !== undefined) throw new ConcurrentChange();
}
