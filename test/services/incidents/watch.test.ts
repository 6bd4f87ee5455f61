import assert from 'node:assert/strict';
import { newId } from '../../../db/ids.ts';
import type { DiskSpace } from '../../../domain/notifications/alerts.ts';
import { Watch, type WatchDeps } from '../../../services/incidents/watch.ts';
import { claimEvents, postponeEvent } from '../../../services/outbox/claim.ts';
import { repeatDeadEvents } from '../../../services/outbox/dead.ts';
import { addCompany, type Company } from '../../helpers/company.ts';
import { useCompany } from '../../helpers/hooks.ts';

const GIB = 2 ** 30;
const START = Date.parse('2026-06-15T10:00:00Z');

describe('the watch over the service', () => {
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
  /** An event of a company that has been waiting for so long. */
  const waiting = (seconds: number, { ctx }: Company = company) =>
    company.database.withSystem((trx) =>
      trx.raw(
        `update outbox set processed_at = null, created_at = clock_timestamp() - make_interval(secs => ?)
         where id = (select id from outbox where tenant_id = ? and dead_at is null order by seq limit 1)`,
        [seconds, ctx.tenantId],
      ),
    );

  it('tells the owners of one company of a full disk, once, and when it is over', async () => {
    freeBytes = GIB;
    // Two processes side by side, and one that was started again.
    const [first, second] = [watch(), watch()];
    await Promise.all([first.look(), second.look()]);
    await first.look();
    await watch().look();
    assert.deepEqual(await titles(), ['owner: Disk space runs low on host-1']);
    freeBytes = 2.1 * GIB; // more than 2, but less than a tenth more: not over yet
    await first.look();
    freeBytes = 2.3 * GIB;
    await Promise.all([first.look(), second.look()]);
    assert.deepEqual(await titles(), [
      'owner: Disk space runs low on host-1',
      'owner: Disk space on host-1 is enough again',
    ]);
    assert.deepEqual(await titles(other), []);
  });

  it('tells of an outbox that lags over 60 seconds, without its help', async () => {
    const one = watch();
    await waiting(50);
    await one.look();
    assert.deepEqual(await titles(), []);
    await waiting(90);
    await one.look();
    await waiting(45); // over is what lags less than 30
    await one.look();
    assert.deepEqual(await titles(), ['owner: Follow-up work is late']);
    const [told] = await company.rows('select body from notifications');
    assert.match(String(told?.body), /waiting for 9\d seconds/);
    await waiting(5);
    await one.look();
    assert.deepEqual((await titles()).slice(1), ['owner: Follow-up work is on time again']);
  });

  it('tells only the log where several companies could run the service', async () => {
    freeBytes = GIB;
    const one = watch({ operatorTenantId: undefined });
    await one.look();
    await one.look();
    await watch({ operatorTenantId: newId() }).look();
    await each(async (each) => assert.deepEqual(await titles(each), []));
    assert.equal(logged.length, 2, 'each process once');
    assert.match(String(logged[0]), /^Disk space runs low on host-1\. 1\.0 GiB of 100\.0 GiB are free at \/data/);
  });

  it('tells a company of its events that are set aside, at most once an hour, and of no other company', async () => {
    const one = watch();
    await setAside(other);
    await one.look();
    await watch().look();
    assert.deepEqual([await titles(other), await titles()], [['owner: An event was set aside'], []]);
    await setAside(other);
    minute += 10;
    await one.look();
    assert.equal((await titles(other)).length, 1, 'the hour is not over');
    minute += 60;
    await one.look();
    assert.deepEqual((await titles(other)).slice(1), ['owner: 2 events were set aside']);
    await company.database.withSystem((trx) => repeatDeadEvents(trx, null));
    await one.look();
    assert.deepEqual((await titles(other)).slice(2), ['owner: No event is set aside any more']);
    assert.deepEqual(await titles(), []);
  });

  /** As the relay does, with an event that fails by its own fault ten times. */
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
    // When they were set aside is of the clock of the database; the test has its own.
    const at = new Date(START + minute * 60_000 + 1000).toISOString();
    await database.withSystem((trx) =>
      trx.raw("update outbox set dead_at = ? where dead_at > now() - interval '1 hour'", [at]),
    );
  }
});
