/**
 * `npm run restored`: after the database was restored from a backup, holds what was under way at its time and may have been done since. Run
 * it before any worker starts; `npm run restore` does so itself.
 */
import { Command, InvalidArgumentError } from 'commander';
import { loadConfig } from '../config/index.ts';
import { withLocalService } from '../config/local.ts';
import { Database } from '../db/database.ts';
import { query } from '../db/sql.ts';
import { holdDoubtfulWork } from '../services/operation/doubtful-work/hold.ts';
import type { Held } from '../services/operation/doubtful-work/restored.ts';
import { days } from './days.ts';
import { mailHandlers } from './mail-handlers.ts';

const DAY_MS = 86_400_000;

const command = new Command('restored')
  .description('Holds what was under way at the time of the backup from which the database was restored')
  .option('--as-of <time>', 'the time whose state was restored; by default that of the last change', time)
  .option('--days <n>', 'how far back to look for deliveries that had not arrived', days, 7)
  .parse();
const options = command.opts<{ asOf?: Date; days: number }>();
try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function main(): Promise<void> {
  // This command needs none of the secrets for serving.
  const { NODE_ENV: _, ...env } = process.env;
  const config = loadConfig(withLocalService(env));
  const { directUrl: url } = config.database;
  if (url === undefined) throw new Error('No database: give DATABASE_URL');
  const database = new Database({ url, poolSize: 4, applicationName: 'restored' });
  try {
    const backedUpAt = options.asOf ?? (await lastChange(database));
    if (backedUpAt === null) {
      console.log('Nothing was under way: the database is empty');
      return;
    }
    const now = new Date();
    const since = new Date(backedUpAt.getTime() - options.days * DAY_MS);
    const held = await holdDoubtfulWork({ database, mailHandlers: mailHandlers(config) }, { backedUpAt, now, since });
    console.log(
      `Restored to ${backedUpAt.toISOString()}. Held, and listed for the owners of each company: ${inWords(held)}`,
    );
  } finally {
    await database.close();
  }
}

/** The time of the last event; null without any. Nothing else was changed later. */
async function lastChange(database: Database): Promise<Date | null> {
  const [last] = await database.withSystem((trx) =>
    query<{ at: string | null }>(trx, 'select max(created_at)::text as at from outbox', {}),
  );
  return last?.at == null ? null : new Date(last.at);
}

function inWords({ mails, deliveries, runs, automations, tasks, submissions }: Held): string {
  return (
    `${mails} mails, ${deliveries} deliveries, ${runs} runs of automations, ${automations} automations paused, ${tasks} tasks, ` +
    `${submissions} invoices for FACe`
  );
}

function time(text: string): Date {
  const parsed = new Date(text);
  if (/^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(parsed.getTime())) return parsed;
  throw new InvalidArgumentError('must be a time such as 2026-11-28T10:00:00Z');
}
