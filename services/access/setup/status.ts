import type { Database } from '../../../db/database.ts';

/** Whether any worker has sent a heartbeat within 30 seconds, by the database's clock, which workers use too. */
export async function isWorkerAlive(database: Database): Promise<boolean> {
  return await database.withSystem(
    async (trx) =>
      (await trx('workers').whereRaw(`seen_at > clock_timestamp() - interval '30 seconds'`).first('id')) !== undefined,
  );
}
