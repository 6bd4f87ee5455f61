import assert from 'node:assert/strict';
import { pino } from 'pino';
import { newId } from '../../../db/ids.ts';
import { Listener } from '../../../db/listener.ts';
import { connect } from '../../../runtime/postgres-client.ts';
import { BACKLOG_CHANNEL, type Wait } from '../../../services/platform/outbox/backlog.ts';
import { Backlogs } from '../../../worker/relay/backlogs.ts';
import { useCompany } from '../../helpers/hooks.ts';
import { eventually } from '../../helpers/worker.ts';

describe('a relay that looks for backlogs', () => {
  const company = useCompany({ sound: false });
  const asOwner = (sql: string) => connect(company.url, (one) => one.query(sql));
  const told: Wait[][] = [];
  let listener: Listener;
  let backlogs: Backlogs;
  before(async () => {
    const options = { url: company.url, channel: BACKLOG_CHANNEL, applicationName: 'test' };
    listener = new Listener(options, { notified: (payload) => told.push(JSON.parse(payload)) });
    await listener.listen();
  });
  beforeEach(async () => {
    told.splice(0);
    backlogs = new Backlogs(company.database, pino({ level: 'silent' }));
    await asOwner('update outbox set processed_at = now() where processed_at is null');
  });
  after(() => listener?.close());

  const write = (count: number, seconds: number) =>
    asOwner(
      `insert into outbox (id, tenant_id, event, entity_type, entity_id, payload, created_at)
       select gen_random_uuid(), '${company.ctx.tenantId}', 'document.updated', 'SalesOrder', '${newId()}', '{}',
         now() - interval '${seconds} seconds' from generate_series(1, ${count})`,
    );
  const handOver = (count: number) =>
    asOwner(
      `update outbox set processed_at = now() where id in
        (select id from outbox where processed_at is null order by seq limit ${count})`,
    );
  /** Looks once. @returns what the API is told; null if nothing */
  const lookFor = async (ms: number): Promise<Wait | null> => {
    await backlogs.look(ms);
    await company.database.notify(BACKLOG_CHANNEL, '[]');
    await eventually(() => assert.deepEqual(told.at(-1), []), 5000);
    const [first] = told.splice(0).flat();
    if (first !== undefined) assert.equal(first.tenantId, company.ctx.tenantId);
    return first ?? null;
  };
  const look = async (ms: number) => (await lookFor(ms))?.seconds ?? null;

  it('tells how long the next events will wait, by how fast the earlier ones are handed over', async () => {
    const began = Date.now();
    await write(60, 12);
    /** The oldest is twelve seconds old, and as much older as the test has taken. Told are tenths of a second, rounded. */
    const isAge = (told: number | null, times: number, why: string) => {
      const most = times * (12.1 + (Date.now() - began) / 1000);
      assert.ok(told !== null && told >= times * 12 && told <= most, `${why}: ${told}, at most ${most}`);
    };
    isAge(await look(0), 1, 'nothing has moved yet');
    await handOver(10);
    assert.equal(await look(999), null, 'it looks once a second');
    assert.equal(await look(1000), 5, '50 are left, 10 a second');
    await handOver(2);
    assert.equal(await look(2000), 8, '48 are left, 6 a second');
    await write(400, 1);
    await handOver(10);
    isAge(await look(3000), 3, 'three times the age of the oldest, at most');
  });

  it('tells by which part a backlog grows each second', async () => {
    await write(50, 12);
    assert.equal((await lookFor(0))?.growth, 0);
    await write(50, 3);
    assert.equal((await lookFor(1000))?.growth, 0.69, 'twice as long');
    await handOver(50);
    assert.equal((await lookFor(3000))?.growth, 0, 'as long as three seconds ago');
  });

  it('leaves alone what an outage has left, until it is gone', async () => {
    await write(20, 60);
    assert.equal(await look(0), null);
    await handOver(1);
    assert.equal(await look(1000), null);
    await handOver(19);
    await write(10, 4);
    await look(2000);
    await write(10, 60);
    assert.equal(typeof (await look(3000)), 'number', 'it has caught up since');
    backlogs.outage();
    assert.equal(await look(4000), null);
  });
});
