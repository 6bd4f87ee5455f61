import type { Database } from '../../db/database.ts';

/** Seconds since the oldest event that still waits for the relay was written; 0 when none waits. What was set aside does not wait. */
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
