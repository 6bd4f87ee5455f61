/** `npm run rebuild-balances`: rebuilds the balances that reports read, for all companies or for the given ids. */
import { argv } from 'node:process';
import { loadConfig } from '../config/index.ts';
import { withLocalService } from '../config/local.ts';
import { Database } from '../db/database.ts';
import { Tenant } from '../db/models/access/access.ts';
import { rebuildBalances } from '../services/ledger/accounting/balances/sum-entries.ts';

try {
  // This command needs none of the secrets for serving.
  const { NODE_ENV: _, ...env } = process.env;
  const { directUrl: url } = loadConfig(withLocalService(env)).database;
  if (url === undefined) throw new Error('No database: start the service on this machine, or give DATABASE_URL');
  const database = new Database({ url, poolSize: 1, applicationName: 'rebuild-balances' });
  try {
    const companies = await database.withSystem(async (trx) => await Tenant.query(trx).select('id').orderBy('id'));
    const ids = companies.map(({ id }) => id);
    const asked = argv.slice(2);
    const unknown = asked.filter((id) => !ids.includes(id));
    if (unknown.length > 0) throw new Error(`There is no company ${unknown.join(', ')}`);
    for (const tenantId of asked.length > 0 ? asked : ids) {
      await rebuildBalances(database, { tenantId });
      console.log(`${tenantId}: balances rebuilt`);
    }
  } finally {
    await database.close();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
