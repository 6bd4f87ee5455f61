import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../config/index.ts';
import { withLocalService } from '../../config/local.ts';

const URL = 'postgres://bms:pw@127.0.0.1:5433/business';
const STARTED = '127.0.0.1:3100,127.0.0.1:7233';
const KEY = 'k'.repeat(43);

describe('the service that runs on this machine', () => {
  let DATA_DIR: string;
  before(() => {
    DATA_DIR = mkdtempSync(join(tmpdir(), 'local-'));
    mkdirSync(join(DATA_DIR, 'keys'));
    const connections = {
      DATABASE_URL: URL,
      MIGRATION_DATABASE_URL: URL,
      TEMPORAL_ADDRESS: '127.0.0.1:7233',
      WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
      SERVICE_ADDRESSES: STARTED,
    };
    const lines = Object.entries(connections).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(join(DATA_DIR, 'connections.env'), lines.join(''));
    for (const name of ['jwt-secret', 'encryption-key']) writeFileSync(join(DATA_DIR, 'keys', name), `${KEY}\n`);
  });
  after(() => rmSync(DATA_DIR, { recursive: true }));

  it('is joined by its parts without any variable', () => {
    const config = loadConfig(withLocalService({ DATA_DIR, JWT_SECRET: '' }));
    assert.deepEqual([config.database.url, config.database.migrationUrl], [URL, URL]);
    assert.equal(config.temporal.address, '127.0.0.1:7233');
    assert.deepEqual([config.auth.jwtSecret, config.encryptionKey], [KEY, KEY]);
    assert.equal(config.webhooks.targets.allowPrivate, true);
  });

  it('is joined where its database is named, and what is named besides stays', () => {
    const own = 'o'.repeat(32);
    const env = { DATA_DIR, DATABASE_URL: URL, JWT_SECRET: own, WEBHOOK_ALLOW_PRIVATE_TARGETS: 'false' };
    const config = loadConfig(withLocalService(env));
    assert.deepEqual([config.auth.jwtSecret, config.encryptionKey], [own, KEY]);
    assert.equal(config.webhooks.targets.allowPrivate, false);
  });

  it('gives what works elsewhere nothing but the addresses that no webhook may reach', () => {
    for (const env of [
      { DATA_DIR, DATABASE_URL: 'postgres://app:pw@db/other' },
      { DATA_DIR, MIGRATION_DATABASE_URL: 'postgres://owner:pw@db/other' },
      { DATA_DIR, NODE_ENV: 'production' },
    ]) {
      assert.deepEqual(withLocalService(env), { ...env, SERVICE_ADDRESSES: STARTED });
    }
    const named = { DATA_DIR, NODE_ENV: 'production', SERVICE_ADDRESSES: 'api:3000' };
    assert.equal(withLocalService(named).SERVICE_ADDRESSES, `api:3000,${STARTED}`);
    const env = { DATA_DIR: join(DATA_DIR, 'nowhere') };
    assert.equal(withLocalService(env), env);
  });
});
