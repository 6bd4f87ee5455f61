import assert from 'node:assert/strict';
import { Database, type Db } from '../../db/database.ts';
import { addCompany, type TestCompany, testCompany } from '../helpers/company.ts';

const TENANT = `select current_setting('app.tenant_id') as tenant, (select count(*)::int from partners) as partners`;

describe('a pooled connection', () => {
  let company: TestCompany;
  let database: Database;
  let tenants: readonly string[];
  before(async () => {
    company = await testCompany();
    const other = await addCompany(company.database, company.url);
    tenants = [company.ctx.tenantId, other.ctx.tenantId];
    database = new Database({ url: company.url, poolSize: 1, applicationName: 'test' });
  });
  after(async () => {
    await database?.close();
    await company?.close();
  });

  const shown = async (db: Db) => ((await db.raw(TENANT)) as { rows: unknown[] }).rows;
  type Use = (tenantId: string) => Promise<unknown>;
  const reads: Readonly<Record<string, Use>> = {
    'a prepared read': (tenantId) => database.readPrepared({ tenantId }, TENANT, {}),
    'a read': (tenantId) => database.readTenant({ tenantId }, shown),
    'a transaction': (tenantId) => database.withTenant({ tenantId }, shown),
    'a snapshot': (tenantId) => database.snapshot({ tenantId }, shown),
  };
  const uses: Readonly<Record<string, Use>> = {
    ...reads,
    'a failed transaction': (tenantId) =>
      assert.rejects(
        database.withTenant({ tenantId }, () => Promise.reject(new Error('no'))),
        /no/,
      ),
    'a failed read': (tenantId) => assert.rejects(database.readTenant({ tenantId }, (db) => db.raw('select 1/0'))),
    'a system transaction': () => database.withSystem((trx) => trx.raw('select 1')),
  };

  for (const [earlier, use] of Object.entries(uses)) {
    for (const [later, read] of Object.entries(reads)) {
      it(`shows ${later} its own company after ${earlier}, whoever had it`, async () => {
        for (const before of tenants) {
          for (const tenant of tenants) {
            await use(before);
            assert.deepEqual(await read(tenant), [{ tenant, partners: 2 }]);
          }
        }
      });
    }
  }
});
