/** Objects in the store and their rows. Objects without a kept row are removed, so that none is left behind. */
import pMap from 'p-map';
import type { Context } from '../../../db/context.ts';
import type { Database, Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { notFound } from '../../../domain/errors.ts';
import type { ObjectStore } from '../../platform/files/objects/object-store.ts';
import { assertStored } from '../../platform/storage/budget.ts';

/** Age at which an unfinished upload counts as abandoned; no request takes as long. */
const ABANDONED = '1 hour';
/** Maximum concurrent removals. */
const REMOVAL_CONCURRENCY = 8;

/** The key of a file in the object store. */
export function objectKey(tenantId: string, id: string): string {
  return `${tenantId}/${id}`;
}

/**
 * Records an object that is about to be stored, with its room. The transaction commits before the upload begins.
 * @param size in bytes
 * @throws ServiceError storage_full, body_too_large
 */
export async function claimObject(trx: Db, ctx: Context, id: string, size: number): Promise<void> {
  const { tenantId, now } = ctx;
  await query(
    trx,
    `insert into stored_objects (id, tenant_id, state, changed_at, size) values (:id, :tenantId, 'pending', :now, :size)`,
    { id, tenantId, now: now.toISOString(), size },
  );
  await assertStored(trx, ctx, size, 'budget');
}

/** Keeps a stored object, within the transaction that needs it. @throws ServiceError not_found if it took too long and was removed */
export async function keepObject(trx: Db, id: string): Promise<void> {
  const kept = await query(
    trx,
    `update stored_objects set state = 'kept' where id = :id and state = 'pending' returning 1`,
    { id },
  );
  if (kept.length === 0) throw notFound('The stored file');
}

/** Removes objects of deleted files and of abandoned uploads. @returns the number removed */
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
  await pMap(objects, ({ id, tenantId }) => store.remove(objectKey(tenantId, id)), {
    concurrency: REMOVAL_CONCURRENCY,
  });
  const ids = objects.map(({ id }) => id);
  await database.withSystem((trx) => query(trx, 'delete from stored_objects where id = any(:ids)', { ids }));
  return objects.length;
}
