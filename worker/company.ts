/**
 * `npm run company -- export <company> <file>` and `… import <file>`: moves a company between databases of the same release. Nobody may
 * change it after the export, so that nothing is lost; what was under way then is held where it is imported, as after a restore.
 * `… find <text>` tells the ids and short names of companies.
 */
import { Command } from 'commander';
import { loadConfig } from '../config/index.ts';
import { withLocalService } from '../config/local.ts';
import { exportCompany } from '../db/company/export.ts';
import { importCompany } from '../db/company/import.ts';
import { Database } from '../db/database.ts';
import { primaryClient } from '../db/primary.ts';
import { query } from '../db/sql.ts';
import { holdDoubtfulWork } from '../services/operation/doubtful-work/hold.ts';
import { mailHandlers } from './mail-handlers.ts';

const DAY_MS = 86_400_000;
/** Deliveries of older events are taken for made. */
const DAYS = 7;
/** How long the relay leaves waiting events of an imported company alone: until their work is held. */
const HELD = '10 minutes';
const GO_ON = `update outbox set locked_until = null where tenant_id = :id::uuid and processed_at is null and dead_at is null`;

interface Found {
  readonly id: string;
  readonly company: string;
  readonly name: string;
}

/** Companies listed at most. */
const MOST = 100;
const FIND = `select id, coalesce(short_name, slug) as company, name from tenants
  where name ilike $1 or tax_id ilike $1 or short_name ilike $1 or slug ilike $1 order by name, id limit ${MOST}`;

const command = new Command('company').description(
  'Finds companies, and moves one between databases of the same release',
);
command
  .command('find')
  .description('lists companies with their ids and short names, by which their workflows are found')
  .argument('[text]', 'a part of the name, the tax id or the short name', '')
  .action(listed);
command
  .command('export')
  .description('writes all data of a company to a new file')
  .argument('<company>', 'its id or short name')
  .argument('<file>', 'the new file, for example company.jsonl.gz')
  .action(exported);
command
  .command('import')
  .description('reads a company from a file into a database that does not have it')
  .argument('<file>', 'the file')
  .action(imported);
try {
  await command.parseAsync();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function listed(text: string): Promise<void> {
  const { rows } = await asOwner((client) => client.query<Found>(FIND, [`%${text.replaceAll(/[\\%_]/g, '\\$&')}%`]));
  for (const { id, company, name } of rows) console.log(`${company.padEnd(14)}${id}  ${name}`);
  if (rows.length === 0) throw new Error(`There is no company with ${text} in its name, tax id or short name`);
  if (rows.length === MOST) console.log('… there may be more: give more of the name');
}

async function exported(company: string, file: string): Promise<void> {
  await asOwner(async (client) => {
    const { company: found, rows } = await exportCompany(client, company, file, new Date());
    console.log(
      `${file}: ${found.name} (${found.id}), ${rows} rows. It has personal data and sealed secrets: keep it safe.`,
    );
  });
}

async function imported(file: string): Promise<void> {
  const { header, rows } = await asOwner((client) => importCompany(client, file, HELD));
  const { id, name } = header.company;
  const config = configuration();
  const { directUrl: url } = config.database;
  if (url === undefined) throw new Error('No database: give DATABASE_URL');
  const database = new Database({ url, poolSize: 2, applicationName: 'company' });
  try {
    const backedUpAt = new Date(header.asOf);
    const since = new Date(backedUpAt.getTime() - DAYS * DAY_MS);
    const restored = { backedUpAt, now: new Date(), since, only: id };
    const held = await holdDoubtfulWork({ database, mailHandlers: mailHandlers(config) }, restored);
    await database.withSystem((trx) => query(trx, GO_ON, { id }));
    const numbers = Object.entries(held).map(([kind, count]) => `${count} ${kind}`);
    console.log(
      `${name} (${id}): ${rows} rows. Held, and listed for its owners: ${numbers.join(', ')}. Next: npm run reconcile.`,
    );
  } finally {
    await database.close();
  }
}

async function asOwner<T>(work: (client: ReturnType<typeof primaryClient>) => Promise<T>): Promise<T> {
  const url = configuration().database.migrationUrl;
  if (url === undefined)
    throw new Error('No database: start the service on this machine, or give MIGRATION_DATABASE_URL');
  const client = primaryClient(url, { application_name: 'company', options: '-c timezone=UTC' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function configuration() {
  // This command needs none of the secrets for serving.
  const { NODE_ENV: _, ...env } = process.env;
  return loadConfig(withLocalService(env));
}
