import type { Database, Db } from '../../../db/database.ts';

/** Age in seconds of the oldest event waiting for the relay; 0 if none waits. Excludes dead events. */
export function outboxLagSeconds(database: Database): Promise<number> {
  return database.withSystem(lagSeconds);
}

/** Like `outboxLagSeconds`. @param trx a system transaction */
export async function lagSeconds(trx: Db): Promise<number> {
  const oldest: { age: string } | undefined = await trx('outbox')
    .whereNull('processed_at')
    .whereNull('dead_at')
    .orderBy('seq')
    .first(trx.raw(`extract(epoch from clock_timestamp() - created_at) as age`));
  return Math.max(0, Math.round(Number(oldest?.age ?? 0)));
}
