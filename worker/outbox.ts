/** `npm run outbox` lists dead events, `npm run outbox -- repeat` hands them over again. */
import { Command, InvalidArgumentError } from 'commander';
import { loadConfig } from '../config/index.ts';
import { withLocalService } from '../config/local.ts';
import { Database } from '../db/database.ts';
import { countDeadEvents, listDeadEvents, repeatDeadEvents } from '../services/platform/outbox/dead.ts';

const SHOWN = 100;

const command = new Command('outbox').description(
  'Shows events that were set aside because they could not be handed over',
);
command
  .command('list', { isDefault: true })
  .description(`lists the oldest ${SHOWN}, with the reason`)
  .action(() => withDatabase(list));
command
  .command('repeat')
  .description('hands them over again: all, or those with the given ids')
  .argument('[ids...]', 'ids as `list` shows them', collectIds, [])
  .action((ids: string[]) => withDatabase((database) => repeat(database, ids)));
try {
  await command.parseAsync();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function list(database: Database): Promise<void> {
  const { count, events } = await database.withSystem(async (trx) => {
    return { count: await countDeadEvents(trx), events: await listDeadEvents(trx, SHOWN) };
  });
  for (const { id, tenantId, event, entityType, entityId, deadAt, error } of events) {
    console.log(`${id}  ${deadAt}  company ${tenantId}  ${event}  ${entityType} ${entityId}\n    ${error}`);
  }
  console.log(`${count} set aside${count > events.length ? `, the oldest ${events.length} shown` : ''}`);
}

async function repeat(database: Database, ids: readonly string[]): Promise<void> {
  const repeated = await database.withSystem((trx) => repeatDeadEvents(trx, ids.length === 0 ? null : ids));
  console.log(`${repeated} will be handed over again`);
}

async function withDatabase(work: (database: Database) => Promise<void>): Promise<void> {
  // This command needs none of the secrets for serving.
  const { NODE_ENV: _, ...env } = process.env;
  const { directUrl: url } = loadConfig(withLocalService(env)).database;
  if (url === undefined) throw new Error('No database: start the service on this machine, or give DATABASE_URL');
  const connection = new Database({ url, poolSize: 1, applicationName: 'outbox' });
  try {
    await work(connection);
  } finally {
    await connection.close();
  }
}

function collectIds(id: string, before: string[]): string[] {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) throw new InvalidArgumentError('an id must be a UUID');
  return [...before, id];
}
