/** Creates batches with the first goods received of them. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
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
  const wanted = [
    ...new Map(named.map((batch) => [batchKey(batch), { ...batch, id: newId(), auditId: newId() }])).values(),
  ];
  // In a fixed order, so that two receipts of the same batches wait for each other instead of deadlocking.
  wanted.sort((one, other) => (batchKey(one) < batchKey(other) ? -1 : 1));
  const bindings = {
    wanted: JSON.stringify(wanted),
    tenant: ctx.tenantId,
    now: ctx.now.toISOString(),
    userId: ctx.userId,
    actor: ctx.actor,
    requestId: ctx.requestId,
  };
  await query(
    trx,
    `with wanted as (
       select * from json_to_recordset(:wanted::json) as w(id uuid, "auditId" uuid, "itemId" uuid, "batchNum" text, "expiryDate" date)
     ), written as (
       insert into batches (id, tenant_id, item_id, batch_num, expiry_date, status, version, created_at, updated_at)
       select id, :tenant, "itemId", "batchNum", "expiryDate",
         case when (select (value ->> 'autoConfirmBatches')::boolean from settings where name = 'flags') then 'confirmed' else 'pending' end,
         1, :now::timestamptz, :now::timestamptz
       from wanted
       on conflict (tenant_id, item_id, batch_num) do nothing returning *
     )
     insert into audit_logs (id, tenant_id, entity_type, entity_id, action, user_id, actor, request_id, old_value, new_value, created_at)
     select wanted."auditId", :tenant, 'Batch', b.id, 'CREATE', :userId::uuid, :actor, :requestId, null, json_build_object('id', b.id,
       'itemId', b.item_id, 'batchNum', b.batch_num, 'expiryDate', b.expiry_date, 'status', b.status, 'version', b.version), :now::timestamptz
     from written b join wanted on wanted.id = b.id`,
    bindings,
  );
  const rows = await query<{ id: string; itemId: string; batchNum: string; expiryDate: string | null }>(
    trx,
    `select b.id, b.item_id as "itemId", b.batch_num as "batchNum", b.expiry_date as "expiryDate"
     from json_to_recordset(:wanted::json) as w("itemId" uuid, "batchNum" text)
     join batches b on b.item_id = w."itemId" and b.batch_num = w."batchNum"`,
    { wanted: bindings.wanted },
  );
  const known = new Map(rows.map((row) => [batchKey(row), row]));
  const faults = named.flatMap((batch) => {
    const current = known.get(batchKey(batch))?.expiryDate ?? null;
    if (batch.expiryDate === null || batch.expiryDate === current) return [];
    const message = `batch ${batch.batchNum} expires ${current ?? 'never'}`;
    return [{ pointer: `${batch.pointer}/expiryDate`, code: 'wrong_date', message }];
  });
  if (faults.length > 0) throw validationFailed(faults);
  return new Map(rows.map((row) => [batchKey(row), row.id]));
}
