import type { Database } from '../../db/database.ts';

/** A worker writes its sign of life more often than this. */
const WORKER_SILENT_MS = 30_000;

/** Whether any worker gave a sign of life lately. */
export async function isWorkerAlive(database: Database, now: Date): Promise<boolean> {
  const since = new Date(now.getTime() - WORKER_SILENT_MS).toISOString();
  return await database.withSystem(
    async (trx) => (await trx('workers').where('seen_at', '>', since).first('id')) !== undefined,
  );
}
