/** Advisory locks, held until the transaction ends. */
import type { Context } from './context.ts';
import type { Db } from './database.ts';

/** Waits for the lock on a name. Names within a company contain its id. */
export async function lockName(trx: Db, name: string): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [name]);
}

/** Waits for the shared lock on a name. */
export async function shareName(trx: Db, name: string): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock_shared(hashtextextended(?, 0))', [name]);
}

/** Serializes concurrent changes of a table's default row. */
export async function lockDefaults(
  trx: Db,
  { tenantId }: Pick<Context, 'tenantId'>,
  { tableName }: { readonly tableName: string },
): Promise<void> {
  await lockName(trx, `default:${tenantId}:${tableName}`);
}
