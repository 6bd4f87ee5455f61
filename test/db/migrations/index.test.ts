import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { newId } from '../../../db/ids.ts';
import { migrate } from '../../../db/migrate.ts';
import { MIGRATIONS, type Migration } from '../../../db/migrations/index.ts';
import { broken, verifyDatabase } from '../../../db/verify.ts';
import { addCompany, testCompany } from '../../helpers/company.ts';
import { furnish } from '../../helpers/furnished-company.ts';
import { appliedMigrations, dumpRows, restoreRows } from '../../helpers/release-data.ts';
import { testPostgres } from '../../helpers/servers.ts';
import { trade } from '../../helpers/traded-company.ts';

const PACKAGE = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const dumpFile = (version: string) => new URL(`./${version}.sql.gz`, import.meta.url);

/** Tables that the data of each version fills. */
const FILLED = [
  ...[
    'audit_logs',
    'outbox',
    'documents',
    'document_lines',
    'document_taxes',
    'document_instalments',
    'document_papers',
  ],
  ...[
    'stock_levels',
    'stock_movements',
    'stock_layers',
    'stock_operations',
    'payments',
    'payment_applications',
    'open_items',
  ],
  ...['journal_entries', 'journal_lines', 'journal_balances', 'bank_statement_lines', 'bank_rules', 'sepa_orders'],
  ...['employees', 'employee_contracts', 'payrolls', 'automations', 'webhooks', 'comments', 'custom_fields', 'series'],
];

/** Records the data of this version: a company that has done a bit of everything, beside one that has done nothing. */
async function record(): Promise<void> {
  const company = await testCompany();
  try {
    await addCompany(company.database, company.url);
    await trade(company);
    await furnish(company);
    const client = new pg.Client({ connectionString: company.url });
    await client.connect();
    try {
      writeFileSync(dumpFile(PACKAGE.version), gzipSync(await dumpRows(client), { level: 9 }));
    } finally {
      await client.end();
    }
  } finally {
    await company.close();
  }
}

/** `UPDATE_RELEASE_DATA=1 npx mocha test/db/migrations/index.test.ts` records the data of the version in package.json. */
describe('migrations of released data', function () {
  this.timeout(60_000);
  if (process.env.UPDATE_RELEASE_DATA) before(record);

  const recorded = readdirSync(new URL('.', import.meta.url)).filter((name) => name.endsWith('.sql.gz'));
  const recording = process.env.UPDATE_RELEASE_DATA ? [PACKAGE.version] : [];
  const versions = [...new Set([...recorded.map((name) => name.replace('.sql.gz', '')), ...recording])];

  it('begin with version 1.0.0', () => {
    assert.ok(versions.includes('1.0.0'));
  });

  for (const version of versions) {
    const dump = () => gunzipSync(readFileSync(dumpFile(version))).toString();
    let admin: pg.Client;
    let client: pg.Client;
    let url: string;

    describe(`from ${version}`, () => {
      beforeEach(async () => {
        const { adminUrl } = await testPostgres();
        admin = new pg.Client({ connectionString: adminUrl });
        await admin.connect();
        const name = `release_${newId().replaceAll('-', '')}`;
        await admin.query(`create database ${name}`);
        url = Object.assign(new URL(adminUrl), { pathname: name }).href;
        const applied = new Set(appliedMigrations(dump()));
        await migrate(
          url,
          MIGRATIONS.filter((migration) => applied.has(migration.name)),
        );
        client = new pg.Client({ connectionString: url });
        await client.connect();
        await restoreRows(client, dump());
      });
      afterEach(async () => {
        await client.end();
        await admin.query(`drop database ${new URL(url).pathname.slice(1)} with (force)`);
        await admin.end();
      });

      const brokenAfter = async (later: readonly Migration[]) => {
        await migrate(url, [...MIGRATIONS, ...later]);
        return broken(await verifyDatabase(url)).map(({ name }) => name);
      };

      it('keep every invariant, and every row', async () => {
        const count = async () => {
          const counts = FILLED.map((table) => `(select count(*)::int from ${table}) as ${table}`);
          return (await client.query(`select ${counts.join(', ')}`)).rows[0] as Record<string, number>;
        };
        const before = await count();
        assert.deepEqual(
          Object.keys(before).filter((table) => before[table] === 0),
          [],
        );
        assert.deepEqual(await brokenAfter([]), []);
        const after = await count();
        const grown = Object.keys(before).filter((table) => after[table] !== before[table]);
        // Types of documents that came later get series of their own.
        assert.deepEqual(grown, ['series']);
        assert.ok(Number(after.series) > Number(before.series));
      });

      it('are found when they break an invariant', async () => {
        const up = 'alter table documents add column colour text; update documents set total = total + 1';
        assert.deepEqual(await brokenAfter([{ name: '9999-trade-colours', up }]), [
          'document_totals',
          'entries_of_invoices',
          'instalments',
        ]);
      });

      it('are found when rows do not fit them', async () => {
        const up = `alter table documents add constraint documents_total_check check (total < 0)`;
        await assert.rejects(brokenAfter([{ name: '9999-trade-totals', up }]), /documents_total_check/);
      });

      it('are refused when an applied one has changed', async () => {
        const changed = MIGRATIONS.map((one, index) => (index === 0 ? { ...one, up: `${String(one.up)} ` } : one));
        await assert.rejects(migrate(url, changed), /has changed since it was applied/);
      });
    });
  }
});
