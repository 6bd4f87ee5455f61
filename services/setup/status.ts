import type { Database } from '../../db/database.ts';

/** Whether any worker gave a sign of life lately, by the clock of the database, as workers sign. */
export async function isWorkerAlive(database: Database): Promise<boolean> {
  return await database.withSystem(
    async (trx) =>
      (await trx('workers').whereRaw(`seen_at > clock_timestamp() - interval '30 seconds'`).first('id')) !== undefined,
  );
}
