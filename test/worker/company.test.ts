import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { LEFT_OUT } from '../../db/company/tables.ts';
import { Database } from '../../db/database.ts';
import { migrate } from '../../db/migrate.ts';
import { broken, verifyDatabase } from '../../db/verify.ts';
import { freePort } from '../../runtime/ports.ts';
import { type EmbeddedPostgres, postgresUrl } from '../../runtime/postgres.ts';
import { connect, ensureDatabase } from '../../runtime/postgres-client.ts';
import { type Logins, prepareLogins } from '../../runtime/postgres-logins.ts';
import { createDocument } from '../../services/trade/lifecycle/create.ts';
import { addCompany, addOwner, type Company } from '../helpers/company.ts';
import { furnish } from '../helpers/furnished-company.ts';
import { killablePostgres } from '../helpers/killable.ts';
import { trade } from '../helpers/traded-company.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
describe('a company that is moved to another database', function () {
  this.timeout(180_000);
  let folder: string;
  let postgres: ReturnType<typeof killablePostgres>;
  let server: EmbeddedPostgres;
  const logins = new Map<string, Logins>();
  const databases: Database[] = [];
  let company: Company;
  let file: string;
  let counted: ReadonlyMap<string, number>;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'company-'));
    chmodSync(folder, 0o755); // PostgreSQL, started by root, runs as another user
    server = { directory: join(folder, 'postgres'), port: await freePort(), password: 'of-the-test', durable: false };
    postgres = killablePostgres(server, postgresUrl(server, 'postgres'));
    await postgres.start();
    for (const name of ['source', 'target']) {
      await ensureDatabase(postgresUrl(server, 'postgres'), name);
      logins.set(name, await prepareLogins(server, join(folder, 'keys'), name));
      await migrate(login(name).migrationUrl);
    }
    company = await add('source');
    const others = await add('target');
    await addOwner(others);
    await trade({ ...company, close: async () => undefined });
    await furnish({ ...company, close: async () => undefined });
    await addOwner(company);
    file = join(folder, 'company.jsonl.gz');
  });
  after(async () => {
    for (const database of databases) await database.close();
    await postgres?.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  const login = (name: string) => logins.get(name) ?? assert.fail(name);
  const add = async (name: string) => {
    const { url } = login(name);
    const database = new Database({ url, poolSize: 4, applicationName: 'test' });
    databases.push(database);
    return await addCompany(database, url);
  };
  const command = async (name: string, ...args: string[]) => {
    const { url, migrationUrl } = login(name);
    const env = { ...process.env, DATABASE_URL: url, MIGRATION_DATABASE_URL: migrationUrl };
    return await promisify(execFile)(process.execPath, ['--import', 'tsx', 'worker/company.ts', ...args], {
      cwd: ROOT,
      env,
    });
  };
  const ask = <T>(name: string, sql: string) =>
    connect(postgresUrl(server, name), async (client) => (await client.query(sql)).rows as T[]);
  /** Rows of the company by table. */
  const counts = async (name: string): Promise<Map<string, number>> => {
    const tables = await ask<{ name: string }>(
      name,
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`,
    );
    const found = new Map<string, number>();
    for (const { name: table } of tables.filter((one) => !LEFT_OUT.includes(one.name))) {
      const [row] = await ask<{ n: number }>(
        name,
        `select count(*)::int as n from ${table} where tenant_id = '${company.ctx.tenantId}'`,
      );
      found.set(table, row?.n ?? 0);
    }
    return found;
  };

  it('is found by a part of its name, with the short name of its workflows', async () => {
    const { stdout } = await command('source', 'find', 'fruta');
    const line = stdout.split('\n').find((one) => one.includes(company.ctx.tenantId));
    assert.match(line ?? stdout, /^frutas-gar[a-z0-9-]* +[0-9a-f-]{36} {2}Frutas/);
    await assert.rejects(command('source', 'find', '%'), /There is no company with % in/);
  });

  it('is written to a file while the service works, for its owner alone', async () => {
    counted = await counts('source');
    const { stdout } = await command('source', 'export', company.ctx.tenantId, file);
    assert.match(stdout, /, \d{3,} rows\. It has personal data/);
    assert.equal(statSync(file).mode & 0o077, 0);
    await assert.rejects(command('source', 'export', company.ctx.tenantId, file), /EEXIST/);
    await assert.rejects(
      command('source', 'export', 'nobody', `${file}.2`),
      /There is no company with the id or short name/,
    );
  });

  it('is not imported from half a file, or from another release, and nothing of it stays', async () => {
    const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n');
    const half = join(folder, 'half.gz');
    writeFileSync(half, gzipSync(lines.slice(0, -5).join('\n')));
    await assert.rejects(command('target', 'import', half), /The file is not whole/);
    const [header = '', ...rest] = lines;
    writeFileSync(half, gzipSync([header.replace('0001-access', '0001-other'), ...rest].join('\n')));
    await assert.rejects(command('target', 'import', half), /must have the same migrations, but differ in 0001-other/);
    assert.deepEqual(new Set((await counts('target')).values()), new Set([0]));
  });

  it('has all its rows there, in order, beside other companies, and is held', async () => {
    const { stdout } = await command('target', 'import', file);
    assert.match(stdout, /Held, and listed for its owners: \d+ mails, [1-9]\d* deliveries, [1-9]\d* runs/);
    assert.deepEqual(broken(await verifyDatabase(postgresUrl(server, 'target'))), []);
    // Held work is entered: to-dos, attempts, runs, and what tells of them.
    const added = new Set([
      ...['to_dos', 'webhook_attempts', 'automation_runs', 'outbox', 'audit_logs', 'notifications', 'counters'],
      ...['storage_rows', 'storage_changes'],
    ]);
    const there = [...(await counts('target'))].filter(([table]) => !added.has(table));
    assert.deepEqual(
      there,
      [...counted].filter(([table]) => !added.has(table)),
    );
    await assert.rejects(command('target', 'import', file), /is there already/);
  });

  it('has the account that is known there, in place of its own', async () => {
    const sql = `select m.user_id as id from memberships m where m.tenant_id = '${company.ctx.tenantId}'`;
    const [there] = await ask<{ id: string }>('target', sql);
    const [here] = await ask<{ id: string }>('source', sql);
    const accounts = await ask<{ id: string }>('target', `select id from users where email = 'owner@example.test'`);
    assert.deepEqual(accounts, [there]);
    assert.notEqual(there?.id, here?.id);
    const slugs = await ask<{ slug: string }>('target', 'select slug from tenants');
    assert.equal(new Set(slugs.map(({ slug }) => slug)).size, 2);
  });

  it('goes on there', async () => {
    const [database] = databases.slice(-1);
    const ctx = { ...company.ctx, now: new Date() };
    const lines = [{ itemId: company.itemId, quantity: 1 }];
    await database?.withTenant(ctx, (trx) =>
      createDocument(trx, ctx, 'SINV', { partnerId: company.customerId, lines }),
    );
    const [newest] = await ask<{ is: boolean }>(
      'target',
      `select (select tenant_id from outbox order by seq desc limit 1) = '${company.ctx.tenantId}' as is`,
    );
    assert.equal(newest?.is, true);
    assert.deepEqual(broken(await verifyDatabase(postgresUrl(server, 'target'))), []);
  });
});
