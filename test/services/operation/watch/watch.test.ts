import assert from 'node:assert/strict';
import { newId } from '../../../../db/ids.ts';
import type { DiskSpace } from '../../../../domain/messages/notifications/alerts.ts';
import { Watch, type WatchDeps } from '../../../../services/operation/watch/watch.ts';
import { claimEvents, postponeEvent } from '../../../../services/platform/outbox/claim.ts';
import { repeatDeadEvents } from '../../../../services/platform/outbox/dead.ts';
import { addCompany, type Company } from '../../../helpers/company.ts';
import { useCompany } from '../../../helpers/hooks.ts';

const GIB = 2 ** 30;
const START = Date.parse('2026-06-15T10:00:00Z');

describe('Watch', () => {
  const company = useCompany();
  let [freeBytes, minute] = [50 * GIB, 0];
  let other: Company;
  let logged: string[] = [];
  before(async () => {
    other = await addCompany(company.database, company.url);
    for (const one of [company, other]) {
      await member(one, 'owner');
      await member(one, 'sales');
      await one.stockUp(one.itemId, 1); // so that there are events
    }
  });
  beforeEach(async () => {
    [freeBytes, logged] = [50 * GIB, []];
    minute += 10;
    await company.database.withSystem((trx) =>
      trx.raw('update outbox set processed_at = now() where processed_at is null'),
    );
    await each((one) => one.rows('delete from notifications'));
    await each((one) => one.rows('delete from incidents'));
  });

  async function member({ ctx, database }: Company, role: 'owner' | 'sales') {
    const [id, at] = [newId(), new Date(START).toISOString()];
    const common = { created_at: at, updated_at: at };
    const user = { id, email: `${id}@example.test`, name: role, locale: 'en-GB', ...common };
    await database.withSystem(async (trx) => {
      await trx('users').insert(user);
      await trx('memberships').insert({ id: newId(), tenant_id: ctx.tenantId, user_id: id, role, ...common });
    });
  }
  const each = async (work: (one: Company) => Promise<unknown>) => {
    for (const one of [company, other]) await work(one);
  };
  const disk = (): DiskSpace => ({ host: 'host-1', path: '/data', freeBytes, totalBytes: 100 * GIB });
  const watch = (deps: Partial<WatchDeps> = {}) =>
    new Watch({
      database: company.database,
      diskSpaces: async () => [disk()],
      diskLowBytes: 2 * GIB,
      operatorTenantId: company.ctx.tenantId,
      logger: { warn: (_about, message) => logged.push(message) },
      now: () => new Date(START + minute * 60_000),
      ...deps,
    });
  const titles = async (one: Company = company) =>
    (
      await one.rows(
        `select n.title, m.role from notifications n join memberships m on m.user_id = n.user_id
         where n.type = 'system_alert' order by n.id`,
      )
    ).map(({ title, role }) => `${role}: ${title}`);
  /** Inserts an event that has been waiting for the given time. */
  const waiting = (seconds: number, { ctx }: Company = company) =>
    company.database.withSystem((trx) =>
      trx.raw(
        `update outbox set processed_at = null, created_at = clock_timestamp() - make_interval(secs => ?)
         where id = (select id from outbox where tenant_id = ? and dead_at is null order by seq limit 1)`,
        [seconds, ctx.tenantId],
      ),
    );

  it('alerts the owners of one company to a full disk, once, and when it is over', async () => {
    freeBytes = GIB;
    // Two processes side by side, one of them restarted.
    const [first, second] = [watch(), watch()];
    await Promise.all([first.check(), second.check()]);
    await first.check();
    await watch().check();
    assert.deepEqual(await titles(), ['owner: Disk space is low on host-1']);
    freeBytes = 2.1 * GIB; // more than 2, but less than a tenth more: not over yet
    await first.check();
    freeBytes = 2.3 * GIB;
    await Promise.all([first.check(), second.check()]);
    assert.deepEqual(await titles(), [
      'owner: Disk space is low on host-1',
      'owner: Disk space on host-1 is sufficient again',
    ]);
    assert.deepEqual(await titles(other), []);
  });

  it('alerts to an outbox lag over 60 seconds, without depending on the outbox', async () => {
    const one = watch();
    await waiting(50);
    await one.check();
    assert.deepEqual(await titles(), []);
    await waiting(90);
    await one.check();
    await waiting(45); // over is what lags less than 30
    await one.check();
    assert.deepEqual(await titles(), ['owner: Follow-up work is late']);
    const [told] = await company.rows('select body from notifications');
    assert.match(String(told?.body), /waiting for 9\d seconds/);
    await waiting(5);
    await one.check();
    assert.deepEqual((await titles()).slice(1), ['owner: Follow-up work is on time again']);
  });

  it('only logs if several companies could be the operator', async () => {
    freeBytes = GIB;
    const one = watch({ operatorTenantId: undefined });
    await one.check();
    await one.check();
    await watch({ operatorTenantId: newId() }).check();
    await each(async (each) => assert.deepEqual(await titles(each), []));
    assert.equal(logged.length, 2, 'each process once');
    assert.match(String(logged[0]), /^Disk space is low on host-1\. 1\.0 GiB of 100\.0 GiB are free at \/data/);
  });

  it('alerts a company to its events set aside, at most once an hour, and no other company', async () => {
    const one = watch();
    await setAside(other);
    await one.check();
    await watch().check();
    assert.deepEqual([await titles(other), await titles()], [['owner: An event was set aside'], []]);
    await setAside(other);
    minute += 10;
    await one.check();
    assert.equal((await titles(other)).length, 1, 'the hour is not over');
    minute += 60;
    await one.check();
    assert.deepEqual((await titles(other)).slice(1), ['owner: 2 events were set aside']);
    await company.database.withSystem((trx) => repeatDeadEvents(trx, null));
    await one.check();
    assert.deepEqual((await titles(other)).slice(2), ['owner: No events are set aside any more']);
    assert.deepEqual(await titles(), []);
  });

  /** Fails an event ten times by its own fault, as the relay does. */
  async function setAside(one: Company) {
    const { database } = one;
    await waiting(1, one);
    const claim = { owner: newId(), seconds: 30 };
    for (let tries = 0; tries < 10; tries++) {
      await database.withSystem(async (trx) => {
        const [event] = await claimEvents(trx, claim, 1);
        assert.ok(event);
        await postponeEvent(trx, claim, event, { error: 'makes no sense', own: true, seconds: 0 });
      });
    }
    // The time of setting aside is by the clock of the database; the test has its own.
    const at = new Date(START + minute * 60_000 + 1000).toISOString();
    await database.withSystem((trx) =>
      trx.raw("update outbox set dead_at = ? where dead_at > now() - interval '1 hour'", [at]),
    );
  }
});
