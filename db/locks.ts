/**
 * Advisory locks, held until the transaction ends. Nobody waits for one with a connection in hand: a transaction that finds it taken ends,
 * and is repeated when it is free (`db/turns.ts`).
 */
import type { Context } from './context.ts';
import type { Db } from './database.ts';
import { LockHeld } from './errors.ts';
import { query } from './sql.ts';

/**
 * Takes the lock on a name. Names within a company contain its id.
 * @throws LockHeld if another transaction has it: this one must end, and is repeated
 */
export async function lockName(trx: Db, name: string): Promise<void> {
  await take(trx, 'pg_try_advisory_xact_lock', name);
}

/** Takes the lock on a name, which others may share. @throws LockHeld if another transaction has it alone */
export async function shareName(trx: Db, name: string): Promise<void> {
  await take(trx, 'pg_try_advisory_xact_lock_shared', name);
}

async function take(trx: Db, lock: string, name: string): Promise<void> {
  const [row] = await query<{ taken: boolean }>(trx, `select ${lock}(hashtextextended(:name, 0)) as taken`, { name });
  if (row?.taken !== true) throw new LockHeld(name);
}

/** Serializes concurrent changes of a table's default row. */
export async function lockDefaults(
  trx: Db,
  { tenantId }: Pick<Context, 'tenantId'>,
  { tableName }: { readonly tableName: string },
): Promise<void> {
  await lockName(trx, `default:${tenantId}:${tableName}`);
}
