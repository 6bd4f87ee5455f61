/** Objects in the store and their rows: an object without a kept row is removed, so that none is left behind. */
import pMap from 'p-map';
import type { Context } from '../../db/context.ts';
import type { Database, Db } from '../../db/database.ts';
import { query } from '../../db/sql.ts';
import { notFound } from '../../domain/errors.ts';
import type { ObjectStore } from '../objects/store.ts';

/** An upload that has not ended by then never will: requests are shorter. */
const ABANDONED = '1 hour';
/** Removals at the same time. */
const AT_ONCE = 8;

/** Where the store has a file. */
export function keyOf(tenantId: string, id: string): string {
  return `${tenantId}/${id}`;
}

/** Notes an object that is about to be stored. Its transaction ends before the object is there. */
export async function claimObject(trx: Db, { tenantId, now }: Context, id: string): Promise<void> {
  await query(
    trx,
    `insert into stored_objects (id, tenant_id, state, changed_at) values (:id, :tenantId, 'pending', :now)`,
    { id, tenantId, now: now.toISOString() },
  );
}

/** Keeps a stored object, within the transaction that needs it. @throws ServiceError not_found when it took too long and was removed */
export async function keepObject(trx: Db, id: string): Promise<void> {
  const kept = await query(
    trx,
    `update stored_objects set state = 'kept' where id = :id and state = 'pending' returning 1`,
    { id },
  );
  if (kept.length === 0) throw notFound('The stored file');
}

/**
 * Removes objects whose files were deleted, and those of uploads that never ended.
 * @returns how many
 */
export async function removeObjects(
  database: Database,
  store: ObjectStore | null,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<number> {
  if (store === null) return 0;
  const objects = await database.withSystem((trx) =>
    query<{ id: string; tenantId: string }>(
      trx,
      `update stored_objects set state = 'gone' where id in (
         select id from stored_objects
         where state = 'gone' or state = 'pending' and changed_at < :now::timestamptz - interval '${ABANDONED}'
         order by changed_at limit :limit::integer for update skip locked)
       returning id, tenant_id as "tenantId"`,
      { now: now.toISOString(), limit },
    ),
  );
  await pMap(objects, ({ id, tenantId }) => store.remove(keyOf(tenantId, id)), { concurrency: AT_ONCE });
  const ids = objects.map(({ id }) => id);
  await database.withSystem((trx) => query(trx, 'delete from stored_objects where id = any(:ids)', { ids }));
  return objects.length;
}
