import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { postgresCommand } from '../../runtime/postgres.ts';
import { connect } from '../../runtime/postgres-client.ts';
import { temporalCommand } from '../../runtime/temporal.ts';
import { createTestDatabase, testChromium, testTemporal, waitForTemporal } from '../helpers/servers.ts';

describe('the servers of the tests', () => {
  it('give each caller a migrated database of its own', async () => {
    const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    assert.notEqual(one.url, two.url);
    await connect(one.url, (client) => client.query('create table only_here (id int)'));
    const found = await connect(two.url, (client) => client.query(`select to_regclass('only_here') as it`));
    assert.equal(found.rows[0].it, null);
    const tables = await connect(two.url, (client) => client.query(`select to_regclass('tenants') as it`));
    assert.equal(tables.rows[0].it, 'tenants');
    await Promise.all([one.drop(), two.drop()]);
    await assert.rejects(
      connect(one.url, (client) => client.query('select 1')),
      /does not exist/,
    );
  });

  it('have Temporal answer for its default namespace', async () => {
    const { address } = await testTemporal();
    await waitForTemporal(address, 'default', AbortSignal.timeout(5000));
  });

  it('are told nothing that the service knows', async () => {
    const secrets = { ENCRYPTION_KEY: 'k'.repeat(40), JWT_SECRET: 'j'.repeat(40), DATABASE_URL: 'postgres://secret' };
    Object.assign(process.env, secrets);
    try {
      const postgres = await postgresCommand({ directory: tmpdir(), port: 1, password: 'p', durable: false });
      const temporal = temporalCommand({
        cli: 'temporal',
        file: 'f',
        port: 1,
        uiPort: undefined,
        namespace: 'default',
        durable: false,
      });
      for (const { env } of [postgres, temporal]) {
        assert.ok(env?.PATH, 'it has an environment of its own');
        for (const name of Object.keys(secrets)) assert.equal(env[name], undefined, name);
      }
    } finally {
      for (const name of Object.keys(secrets)) delete process.env[name];
    }
  });

  it('find a Chromium that makes a PDF', async () => {
    const browser = await (await testChromium()).launch();
    try {
      const page = await browser.newPage();
      await page.setContent('<h1>Fatura</h1>');
      const pdf = await page.pdf({ format: 'A4' });
      assert.equal(Buffer.from(pdf).subarray(0, 5).toString(), '%PDF-');
    } finally {
      await browser.close();
    }
  });
});
