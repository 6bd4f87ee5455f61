import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../../db/database.ts';
import { isAway } from '../../db/errors.ts';
import { newId } from '../../db/ids.ts';
import { allowTime } from '../../db/lazy-knex.ts';
import { Listener } from '../../db/listener.ts';
import { migrate } from '../../db/migrate.ts';
import { prepared } from '../../db/sql.ts';
import { use, useCompany } from '../helpers/hooks.ts';
import { startProxy } from '../helpers/proxy.ts';
import { startCluster } from '../helpers/standby.ts';
import { eventually } from '../helpers/worker.ts';

const SILENCE_MS = 400;
/** Longer than the case may take: nothing is given up by time alone. */
const FOREVER_MS = 600_000;
const ONE = 'select 1 as one';

describe('a server that is gone without a word', function () {
  this.timeout(20_000);
  const company = useCompany();
  const proxy = use(() => startProxy(new URL(company.url).host), { close: (started) => started.close() });
  let url: string;
  let database: Database;
  before(() => {
    url = Object.assign(new URL(company.url), { host: `${proxy.host}:${proxy.port}` }).href;
    database = new Database({ url, poolSize: 4, applicationName: 'test-silence', silenceMs: SILENCE_MS });
  });
  afterEach(() => proxy.flow());
  after(() => database?.close());

  const ask = () => database.withSystem((trx) => prepared<{ one: number }>(trx, ONE, {}));

  it('ends what waits for an answer as an outage, and is asked again on a new connection', async () => {
    await Promise.all([ask(), ask()]);
    // An idle connection stays open, however long it says nothing.
    await sleep(SILENCE_MS * 1.5);
    const { asked } = proxy;
    await ask();
    assert.equal(proxy.asked, asked);

    proxy.hold();
    const outcomes = await Promise.allSettled([ask(), prepared(database.reader(company.ctx), ONE, {})]);
    for (const outcome of outcomes) {
      assert.equal(outcome.status, 'rejected');
      assert.ok(isAway(outcome.reason.cause), String(outcome.reason));
    }
    proxy.flow();
    assert.deepEqual(await ask(), [{ one: 1 }]);
    assert.ok(proxy.asked > asked);
  });

  it('waits longer for a transaction that says so, and no longer for the next one', async () => {
    await database.withSystem(async (trx) => {
      await allowTime(trx, 20);
      await trx.raw(`select pg_sleep(${(SILENCE_MS * 2) / 1000})`);
    });
    await assert.rejects(
      database.withSystem((trx) => trx.raw('select pg_sleep(10)')),
      (error: Error) => isAway(error.cause),
    );
  });

  it('is noticed by a listener, which has nothing to send', async () => {
    const seen: string[] = [];
    const options = { url, channel: 'silence', applicationName: 'test-listener', lookMs: 100 };
    const listener = new Listener(options, {
      notified: (text) => seen.push(text),
      connected: () => seen.push('connected'),
      lost: () => seen.push('lost'),
    });
    await listener.listen();
    proxy.hold();
    await eventually(() => assert.deepEqual(seen, ['connected', 'lost']), 10_000);
    proxy.flow();
    await eventually(() => assert.deepEqual(seen, ['connected', 'lost', 'connected']), 10_000);
    await listener.query(`select pg_notify('silence', 'news')`, []);
    await eventually(() => assert.equal(seen.at(-1), 'news'));
    proxy.hold();
    await listener.close();
  });
});

describe('a primary that is gone without a word', function () {
  this.timeout(60_000);
  const cluster = use(startCluster, { close: (started) => started.close() });
  const proxy = use(() => startProxy(new URL(cluster.primaryUrl).host), { close: (started) => started.close() });

  it('keeps nobody waiting once its standby has taken its place', async () => {
    await migrate(cluster.primaryUrl); // which also makes the roles
    const servers = `${new URL(cluster.standbyUrl).host},${proxy.host}:${proxy.port}`;
    const through = cluster.primaryUrl.replace(new URL(cluster.primaryUrl).host, servers);
    const database = new Database({
      url: through,
      poolSize: 4,
      applicationName: 'test-silence',
      silenceMs: FOREVER_MS,
    });
    try {
      assert.equal(await database.ping(), true);
      proxy.hold();
      // Waits for an answer of the old primary, on the only connection.
      const waiting = database.readTenant({ tenantId: newId() }, (db) => db.raw('select 1'));
      const outcome = waiting.then(
        () => 'answered',
        (error: Error) => (isAway(error.cause) ? 'away' : String(error)),
      );
      await cluster.promote();
      assert.equal(await eventually(async () => (await database.secondsBehind()) ?? assert.fail('no primary yet')), 0);
      assert.equal(await outcome, 'away');
    } finally {
      await database.close();
    }
  });
});
