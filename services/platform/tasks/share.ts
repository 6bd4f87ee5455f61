/** Limits a company's share of long work: indivisible work runs one at a time per company. */
import type { Context } from '../../../db/context.ts';
import type { Database, Db } from '../../../db/database.ts';
import type { Task } from '../../../db/models/platform/tasks.ts';
import { query } from '../../../db/sql.ts';

/**
 * Takes the company's slot for long work until the transaction ends.
 * @returns false while another transaction of the company holds it
 */
export async function takeLongWorkSlot(trx: Db, tenantId: string): Promise<boolean> {
  const [row] = await query<{ taken: boolean }>(
    trx,
    `select pg_try_advisory_xact_lock(hashtextextended('long_work:' || :tenantId, 0)) as taken`,
    { tenantId },
  );
  return row?.taken ?? false;
}

/** Checks, without taking it, whether the slot is free, and how many tasks of the kind are ahead of this one. */
export async function isLongWorkSlotFree(
  database: Database,
  ctx: Context,
  { id, kind }: Task,
): Promise<{ readonly free: boolean; readonly before: number }> {
  return database.withTenant(ctx, async (trx) => {
    const [row] = await query<{ before: number }>(
      trx,
      `select count(*)::int as before from tasks t join tasks mine on mine.id = :id::uuid
       where t.kind = :kind and t.status = 'running' and (t.created_at, t.id) < (mine.created_at, mine.id)`,
      { id, kind },
    );
    return { free: await takeLongWorkSlot(trx, ctx.tenantId), before: row?.before ?? 0 };
  });
}
