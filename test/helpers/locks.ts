import assert from 'node:assert/strict';
import type { Database } from '../../db/database.ts';
import { eventually } from './worker.ts';

/** Waits until somebody waits for a lock that somebody else holds. */
export async function untilBlocked(database: Database): Promise<void> {
  await eventually(async () => {
    const waiting = await database.withSystem((trx) => trx('pg_locks').where({ granted: false }).first('pid'));
    assert.ok(waiting, 'nobody waits for a lock');
  });
}
