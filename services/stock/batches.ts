/** Creates batches with the first goods received of them. */
import { Changes } from '../../db/changes/changes.ts';
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { Batch } from '../../db/models/stock.ts';
import { query } from '../../db/sql.ts';
import { validationFailed } from '../../domain/errors.ts';

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

export function batchKey({ itemId, batchNum }: Pick<NamedBatch, 'itemId' | 'batchNum'>): string {
  return `${itemId} ${batchNum}`;
}

/**
 * Finds the named batches and creates new ones: confirmed with the flag autoConfirmBatches, else pending.
 * @throws ServiceError validation_failed when one exists with another expiry date
 */
export async function ensureBatches(trx: Db, ctx: Context, named: readonly NamedBatch[]): Promise<BatchIds> {
  if (named.length === 0) return new Map();
  const wanted = [...new Map(named.map((batch) => [batchKey(batch), batch])).values()];
  // In a fixed order, so that two receipts of the same batches wait for each other instead of deadlocking.
  wanted.sort((one, other) => (batchKey(one) < batchKey(other) ? -1 : 1));
  const found = await findBatches(trx, wanted);
  const known = new Map<string, FoundBatch>(found.map((batch) => [batchKey(batch), batch]));
  const missing = found.flatMap(({ id, itemId, batchNum, newExpiryDate: expiryDate, newStatus: status }) =>
    id === null ? [{ itemId, batchNum, expiryDate, status }] : [],
  );
  const made = await new Changes(ctx).createMissing(Batch, missing, ['itemId', 'batchNum']).write(trx, Batch);
  // Somebody else may have made some of them meanwhile.
  for (const batch of made.length < missing.length ? await findBatches(trx, wanted) : made)
    known.set(batchKey(batch), batch);
  const faults = named.flatMap((batch) => {
    const current = known.get(batchKey(batch))?.expiryDate ?? null;
    if (batch.expiryDate === null || batch.expiryDate === current) return [];
    const message = `batch ${batch.batchNum} expires ${current ?? 'never'}`;
    return [{ pointer: `${batch.pointer}/expiryDate`, code: 'wrong_date', message }];
  });
  if (faults.length > 0) throw validationFailed(faults);
  return new Map([...known].map(([key, { id }]) => [key, id as string]));
}

interface FoundBatch {
  readonly itemId: string;
  readonly batchNum: string;
  /** Null where there is none yet. */
  readonly id: string | null;
  readonly expiryDate: string | null;
}

/** What a batch gets that is made now. */
interface NewBatch {
  readonly newExpiryDate: string | null;
  readonly newStatus: Batch['status'];
}

/** The batches as they are known, in the order in which they are asked for. */
async function findBatches(trx: Db, wanted: readonly NamedBatch[]): Promise<(FoundBatch & NewBatch)[]> {
  return await query(
    trx,
    `select w."itemId", w."batchNum", b.id, b.expiry_date as "expiryDate", w."expiryDate" as "newExpiryDate",
       case when (select (value ->> 'autoConfirmBatches')::boolean from settings where name = 'flags') then 'confirmed' else 'pending'
         end as "newStatus"
     from rows from (json_to_recordset(:wanted::json) as ("itemId" uuid, "batchNum" text, "expiryDate" date)) with ordinality as w
     left join batches b on b.item_id = w."itemId" and b.batch_num = w."batchNum"
     order by w.ordinality`,
    { wanted: JSON.stringify(wanted) },
  );
}
