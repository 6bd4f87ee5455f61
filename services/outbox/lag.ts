import type { Database } from '../../db/database.ts';

/** Age in seconds of the oldest event waiting for the relay; 0 when none waits. Dead events do not wait. */
export async function outboxLagSeconds(database: Database): Promise<number> {
  return await database.withSystem(async (trx) => {
    const oldest: { age: string } | undefined = await trx('outbox')
      .whereNull('processed_at')
      .whereNull('dead_at')
      .orderBy('seq')
      .first(trx.raw(`extract(epoch from clock_timestamp() - created_at) as age`));
    return Math.max(0, Math.round(Number(oldest?.age ?? 0)));
  });
}
