import assert from 'node:assert/strict';
import type { Database } from '../../db/database.ts';
import { query } from '../../db/sql.ts';
import { eventually } from './worker.ts';

/** Only of this database: others of the same server have locks of their own. */
const WAITING = `select count(distinct pid)::int as count from pg_locks join pg_stat_activity using (pid)
  where not granted and datname = current_database()`;

/** Waits until so many wait for locks that others hold. @param ms longest wait */
export async function untilBlocked(database: Database, least = 1, ms?: number): Promise<void> {
  await eventually(async () => {
    const [waiting] = await database.withSystem((trx) => query<{ count: number }>(trx, WAITING, {}));
    assert.ok((waiting?.count ?? 0) >= least, `${waiting?.count} wait for a lock`);
  }, ms);
}
