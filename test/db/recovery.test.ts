import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { Database } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { query } from '../../db/sql.ts';
import { ServiceError } from '../../domain/errors.ts';
import { use } from '../helpers/hooks.ts';
import { startProxy } from '../helpers/proxy.ts';
import { createTestDatabase } from '../helpers/servers.ts';

const AWAY_MS = 400;
const SCOPE = { tenantId: newId() };

describe('while the database is away', function () {
  this.timeout(30_000);
  const own = use(createTestDatabase, { close: ({ drop }) => drop() });
  const proxy = use(() => startProxy(new URL(own.url).host), { close: (one) => one.close() });
  const opened = (patienceMs: number) => {
    const url = new URL(own.url);
    url.host = `${proxy.host}:${proxy.port}`;
    return new Database({ url: url.href, poolSize: 10, applicationName: 'test', servesPeople: true, patienceMs });
  };
  const patient = use(async () => opened(5000), { close: (one) => one.close() });
  const hasty = use(async () => opened(0), { close: (one) => one.close() });
  const away = async (ms = AWAY_MS) => {
    proxy.down();
    await delay(ms);
    proxy.up();
  };
  const one = (database: Database) => database.reader(SCOPE).run({ text: 'select 1 as one', values: [] });
  const isRefused = (error: unknown) => error instanceof ServiceError && error.code === 'unavailable';

  it('reads and transactions wait, also those that it has interrupted', async () => {
    await one(patient);
    const over = away();
    let attempts = 0;
    const work = patient.withTenant(SCOPE, async (trx) => {
      attempts++;
      await query(trx, 'select pg_sleep(0.01)', {});
      return 'done';
    });
    assert.deepEqual(await Promise.all([one(patient), work, patient.readTenant(SCOPE, async () => 'read')]), [
      [{ one: 1 }],
      'done',
      'read',
    ]);
    await over;
    const cut = patient.withTenant(SCOPE, async (trx) => {
      attempts++;
      await query(trx, 'select 1', {});
      if (attempts < 4) proxy.cut();
      await query(trx, 'select 1', {});
      return attempts;
    });
    assert.equal(await cut, 4);
  });

  it('a change that was being saved is not made again', async () => {
    let attempts = 0;
    const saved = patient.withTenant(SCOPE, async (trx) => {
      attempts++;
      await query(trx, 'select 1', {});
      proxy.cutAt('commit');
    });
    await assert.rejects(saved, (error: unknown) => isRefused(error) && /being saved/.test((error as Error).message));
    assert.equal(attempts, 1);
  });

  it('one look serves all who wait, and it ends with them', async () => {
    await one(patient);
    const over = away(1000);
    const before = proxy.asked;
    const waiting = Promise.all(Array.from({ length: 200 }, () => one(patient)));
    await delay(900);
    // Each tries once; then one looks for all, ever more rarely.
    assert.ok(proxy.asked - before < 250, `${proxy.asked - before} connections`);
    assert.equal((await waiting).length, 200);
    await over;
  });

  it('the file of a Unix socket may be gone', async () => {
    const url = `postgres://nobody@localhost/none?host=${encodeURIComponent('/nowhere')}`;
    const lost = new Database({ url, poolSize: 2, applicationName: 'test' });
    await assert.rejects(one(lost), isRefused);
    await lost.close();
  });

  it('work without patience fails at once, and nobody waits for ever', async () => {
    const brief = opened(300);
    try {
      await Promise.all([one(hasty), one(brief)]);
      proxy.down();
      await assert.rejects(one(hasty), isRefused);
      const started = performance.now();
      await assert.rejects(one(brief), isRefused);
      assert.ok(performance.now() - started >= 250);
      await assert.rejects(
        brief.withSystem(async (trx) => query(trx, 'select 1', {}), false),
        isRefused,
      );
      const looked = proxy.asked;
      await delay(500);
      assert.ok(proxy.asked - looked <= 1, 'nobody waits, but somebody looks');
    } finally {
      proxy.up();
      await brief.close();
    }
  });
});
