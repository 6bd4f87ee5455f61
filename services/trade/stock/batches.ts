/** Finds the batches of incoming goods, and plans the new ones. */
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import type { Batch } from '../../../db/models/trade/stock.ts';
import { query } from '../../../db/sql.ts';
import { validationFailed } from '../../../domain/errors.ts';

export interface NamedBatch {
  readonly itemId: string;
  readonly batchNum: string;
  /** null = not given; the batch keeps its date. */
  readonly expiryDate: string | null;
  /** Pointer into the body. */
  readonly pointer: string;
}

/** Ids of batches by `batchKey`. */
export type BatchIds = ReadonlyMap<string, string>;

/** A batch to create with the first goods received of it. */
export type NewBatch = Pick<Batch, 'id' | 'itemId' | 'batchNum' | 'expiryDate' | 'status'>;

export interface PlannedBatches {
  readonly ids: BatchIds;
  readonly created: readonly NewBatch[];
}

export function batchKey({ itemId, batchNum }: Pick<NamedBatch, 'itemId' | 'batchNum'>): string {
  return `${itemId} ${batchNum}`;
}

/**
 * Finds the named batches and plans the missing ones: confirmed if the flag autoConfirmBatches is set, otherwise pending.
 * @throws ServiceError validation_failed if one exists, or is named twice, with another expiry date
 */
export async function planBatches(trx: Db, named: readonly NamedBatch[]): Promise<PlannedBatches> {
  if (named.length === 0) return { ids: new Map(), created: [] };
  const wanted = [...new Map(named.map((batch) => [batchKey(batch), batch])).values()];
  // In a fixed order, so that two receipts that create the same batches wait for each other instead of deadlocking.
  wanted.sort((one, other) => (batchKey(one) < batchKey(other) ? -1 : 1));
  const found = await findBatches(trx, wanted);
  const created = found.flatMap(({ id, itemId, batchNum, newExpiryDate: expiryDate, newStatus: status }) =>
    id === null ? [{ id: newId(), itemId, batchNum, expiryDate, status }] : [],
  );
  const known = [...found.filter(({ id }) => id !== null), ...created];
  checkExpiryDates(named, new Map(known.map((batch) => [batchKey(batch), batch.expiryDate])));
  return { ids: new Map(known.map((batch) => [batchKey(batch), batch.id as string])), created };
}

/** @param known expiry dates by `batchKey` */
function checkExpiryDates(named: readonly NamedBatch[], known: ReadonlyMap<string, string | null>): void {
  const faults = named.flatMap((batch) => {
    const current = known.get(batchKey(batch)) ?? null;
    if (batch.expiryDate === null || batch.expiryDate === current) return [];
    const message = `batch ${batch.batchNum} expires ${current ?? 'never'}`;
    return [{ pointer: `${batch.pointer}/expiryDate`, code: 'wrong_date', message }];
  });
  if (faults.length > 0) throw validationFailed(faults);
}

interface FoundBatch {
  readonly itemId: string;
  readonly batchNum: string;
  /** Null if it does not exist yet. */
  readonly id: string | null;
  readonly expiryDate: string | null;
  /** Expiry date and status of the batch if it is created now. */
  readonly newExpiryDate: string | null;
  readonly newStatus: Batch['status'];
}

/** Finds batches in the given order. */
async function findBatches(trx: Db, wanted: readonly NamedBatch[]): Promise<FoundBatch[]> {
  return await query(
    trx,
    `select w."itemId", w."batchNum", b.id, b.expiry_date as "expiryDate", w."expiryDate" as "newExpiryDate",
       case when (select (value ->> 'autoConfirmBatches')::boolean from settings where name = 'flags')
         or (select serial_tracked from items where id = w."itemId") then 'confirmed' else 'pending'
         end as "newStatus"
     from rows from (json_to_recordset(:wanted::json) as ("itemId" uuid, "batchNum" text, "expiryDate" date)) with ordinality as w
     left join batches b on b.item_id = w."itemId" and b.batch_num = w."batchNum"
     order by w.ordinality`,
    { wanted: JSON.stringify(wanted) },
  );
}
