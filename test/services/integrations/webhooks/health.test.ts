import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { newId } from '../../../../db/ids.ts';
import { changeWebhook } from '../../../../services/integrations/webhooks/manage.ts';
import { NOW, POLICY } from '../../../helpers/deliveries.ts';
import { useDeliveries } from '../../../helpers/hooks.ts';
import { status } from '../../../helpers/receiver.ts';
import { eventually } from '../../../helpers/worker.ts';

const HOUR = 3_600_000;
const hoursLater = (hours: number) => new Date(Date.parse(NOW) + hours * HOUR).toISOString();

describe('webhooks that keep failing', function () {
  this.timeout(60_000);
  let owner: string;
  let admin: string;
  const bench = useDeliveries();
  before(async () => {
    owner = await bench.member('owner');
    admin = await bench.member('admin');
    await bench.member('accountant');
    await bench.member('admin', false);
  });

  const fail = async (webhookId: string, hours: number, times = 1) => {
    for (let n = 0; n < times; n++) await bench.attempt(webhookId, await bench.event(), hoursLater(hours));
  };
  const notices = (webhookId: string) =>
    bench.company.rows(`select * from notifications where metadata ->> 'webhook_id' = ? order by created_at, user_id`, [
      webhookId,
    ]);
  const webhookState = async (webhookId: string) => {
    const [row] = await bench.company.rows('select status, version from webhooks where id = ?', [webhookId]);
    return row;
  };
  const health = async (webhookId: string) => {
    const [row] = await bench.company.rows('select * from webhook_health where webhook_id = ?', [webhookId]);
    return row;
  };

  describe('cause warnings at 50, 70 and 90 %, and are switched off after five days and 20 failures', () => {
    let webhook: Awaited<ReturnType<typeof bench.register>>;

    it('at these times, and not before', async () => {
      bench.receiver.answer('/dead', status(500));
      webhook = await bench.register('/dead');
      await fail(webhook.id, 0, 4);
      await fail(webhook.id, 59, 3);
      assert.equal((await notices(webhook.id)).length, 0);
      await fail(webhook.id, 60, 2);
      await fail(webhook.id, 85, 2);
      await fail(webhook.id, 109, 2);
      assert.equal((await notices(webhook.id)).length, 6, 'three warnings to two people');
      await fail(webhook.id, 121, 6); // the 19th
      assert.equal((await webhookState(webhook.id))?.status, 'active');
      assert.equal((await notices(webhook.id)).length, 6);
      await fail(webhook.id, 122);
      assert.deepEqual(await webhookState(webhook.id), { status: 'inactive', version: 2 });
    });

    it('in messages to those who may act', async () => {
      const told = await notices(webhook.id);
      assert.equal(told.length, 8);
      assert.deepEqual(new Set(told.map((notice) => notice.user_id)), new Set([owner, admin]));
      for (const notice of told) {
        assert.deepEqual(
          { type: notice.type, read: notice.read, read_at: notice.read_at },
          { type: 'system_alert', read: false, read_at: null },
        );
        assert.equal(notice.action_url, `/api/webhooks/${webhook.id}/logs?status=failed`);
      }
      assert.match(String(told[0]?.title), /\/dead sigue fallando$/);
      assert.match(
        String(told[0]?.body),
        /8 intentos han fallado desde el 2026-06-15 10:00 UTC.*HTTP 500.*2026-06-20 10:00 UTC/,
      );
      assert.match(String(told[7]?.title), /\/dead se ha desactivado$/);
      assert.match(String(told[7]?.body), /20 intentos/);
      assert.match(String((await health(webhook.id))?.disabled_reason), /five days/);
    });

    it('with record and events', async () => {
      const [audit] = await bench.company.rows(
        `select actor, new_value ->> 'status' as status from audit_logs where entity_id = ? and action = 'UPDATE'`,
        [webhook.id],
      );
      assert.deepEqual(audit, { actor: 'test', status: 'inactive' });
      const events = await bench.company.rows(
        `select o.payload from outbox o join notifications n on n.id = o.entity_id
         where o.event = 'notification.created' and n.metadata ->> 'webhook_id' = ?`,
        [webhook.id],
      );
      assert.equal(events.length, 8);
      const [{ payload } = {}] = events as { payload?: Record<string, unknown> }[];
      assert.deepEqual(Object.keys(payload ?? {}), [
        'notification_id',
        'type',
        'title',
        'body',
        'user_id',
        'tenant_id',
      ]);
    });

    it('and what was on its way is no more than recorded', async () => {
      const late = await bench.event();
      assert.deepEqual(await bench.attempt(webhook.id, late, hoursLater(123)), { kind: 'skipped', attempt: 0 });
    });
  });

  it('start over with each success', async () => {
    bench.receiver.answer('/ill', (response, nth) => status(nth === 25 ? 200 : 503)(response));
    const webhook = await bench.register('/ill');
    await fail(webhook.id, 0, 24);
    assert.equal((await health(webhook.id))?.failures, 24);
    await bench.attempt(webhook.id, await bench.event(), hoursLater(119));
    assert.deepEqual([(await health(webhook.id))?.failures, (await health(webhook.id))?.failing_since], [0, null]);
    await fail(webhook.id, 130, 2);
    assert.equal((await webhookState(webhook.id))?.status, 'active');
    assert.equal((await notices(webhook.id)).length, 0);
  });

  it('start over when somebody switches them on or changes their address', async () => {
    bench.receiver.answer('/again', status(500));
    const webhook = await bench.register('/again');
    const change = (changes: Record<string, unknown>) =>
      bench.company.run((trx) => changeWebhook(trx, bench.company.ctx, POLICY, webhook.id, changes, null));
    await fail(webhook.id, 0, 19);
    await fail(webhook.id, 120);
    assert.equal((await webhookState(webhook.id))?.status, 'inactive');
    await change({ status: 'active' });
    assert.equal(await health(webhook.id), undefined);
    await fail(webhook.id, 121, 20);
    assert.equal((await webhookState(webhook.id))?.status, 'active', 'five more days');
    await change({ name: 'another name', status: 'active' });
    assert.equal((await health(webhook.id))?.failures, 20, 'nothing of it was switched on');
    await change({ url: `${bench.receiver.url}/again?elsewhere` });
    assert.equal(await health(webhook.id), undefined);
  });

  it('are switched off at once when the receiver says 410', async () => {
    bench.receiver.answer('/gone', status(410));
    const webhook = await bench.register('/gone');
    const outcome = await bench.attempt(webhook.id, await bench.event());
    assert.deepEqual([outcome.kind, 'retryInSeconds' in outcome && outcome.retryInSeconds], ['failed', null]);
    assert.equal((await webhookState(webhook.id))?.status, 'inactive');
    assert.equal((await notices(webhook.id)).length, 2);
    assert.match(String((await health(webhook.id))?.disabled_reason), /410/);
  });

  it('are not notified of their own failures', async () => {
    bench.receiver.answer('/loop', status(410));
    const webhook = await bench.register('/loop', { events: ['*'] });
    const other = await bench.register('/well', { events: ['notification.created'] });
    await bench.attempt(webhook.id, await bench.event());
    const [event] = await bench.company.rows(
      `select o.id from outbox o join notifications n on n.id = o.entity_id where n.metadata ->> 'webhook_id' = ?`,
      [webhook.id],
    );
    await bench.company.run((trx) =>
      changeWebhook(trx, bench.company.ctx, POLICY, webhook.id, { status: 'active' }, null),
    );
    const requests = bench.receiver.at('/loop').length;
    assert.deepEqual(await bench.attempt(webhook.id, String(event?.id)), { kind: 'gone', attempt: 0 });
    assert.equal(bench.receiver.at('/loop').length, requests);
    const asked = { id: newId(), again: false };
    assert.equal(
      (await bench.attempt(webhook.id, String(event?.id), NOW, asked)).kind,
      'failed',
      'sent when asked for',
    );
    assert.deepEqual(await bench.attempt(other.id, String(event?.id)), { kind: 'delivered', attempt: 1 });
    assert.equal(bench.receiver.at('/well').length, 1);
  });

  it('are switched off once by failures at the same time', async () => {
    // None is answered before all have come: one that began later would find the webhook off, and skip it.
    const waiting: (() => void)[] = [];
    bench.receiver.answer('/storm', (response) => {
      waiting.push(() => status(410)(response));
      if (waiting.length === 12) for (const go of waiting) go();
    });
    const webhook = await bench.register('/storm');
    const events = await Promise.all(Array.from({ length: 12 }, () => bench.event()));
    await Promise.all(events.map((eventId) => bench.attempt(webhook.id, eventId)));
    assert.deepEqual(await webhookState(webhook.id), { status: 'inactive', version: 2 });
    assert.equal((await notices(webhook.id)).length, 2);
    assert.equal((await health(webhook.id))?.failures, 12);
  });

  it('are not judged by tests, which are sent in any state', async () => {
    bench.receiver.answer('/tested', (response, nth) => status(nth === 1 ? 410 : 200)(response));
    const webhook = await bench.register('/tested');
    const eventId = await bench.event('document.created', { test: true });
    const failed = await bench.attempt(webhook.id, eventId);
    assert.deepEqual([failed.kind, 'retryInSeconds' in failed && failed.retryInSeconds], ['failed', null]);
    assert.equal((await webhookState(webhook.id))?.status, 'active');
    assert.equal(await health(webhook.id), undefined);
    assert.equal((await bench.attempt(webhook.id, eventId)).kind, 'failed', 'one attempt is all');
    await bench.company.run((trx) =>
      changeWebhook(trx, bench.company.ctx, POLICY, webhook.id, { status: 'inactive' }, null),
    );
    const second = await bench.attempt(webhook.id, await bench.event('document.created', { test: true }));
    assert.equal(second.kind, 'delivered');
    const bodies = bench.receiver.at('/tested').map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    assert.deepEqual(Object.keys(bodies[0] ?? {}), ['id', 'event', 'timestamp', 'tenant_id', 'test', 'data']);
    assert.equal(bodies[0]?.test, true);
    assert.deepEqual(
      (await bench.log(webhook.id)).map((entry) => entry.test),
      [true, true],
    );
  });

  it('have their failures logged while somebody is changing them', async () => {
    bench.receiver.answer('/changed', status(500));
    const webhook = await bench.register('/changed');
    await fail(webhook.id, 0);
    const { company } = bench;
    await company.database.withTenant(company.ctx, async (trx) => {
      await changeWebhook(trx, company.ctx, POLICY, webhook.id, { name: 'Changed' }, null);
      const logged = fail(webhook.id, 1).then(() => 'logged');
      assert.equal(await Promise.race([logged, delay(5000, 'waits')]), 'logged');
    });
    assert.equal((await health(webhook.id))?.failures, 2);
  });

  it('have their attempts logged even when the database was briefly unavailable', async () => {
    bench.receiver.answer('/away', status(500));
    const webhook = await bench.register('/away');
    const { url } = bench.company;
    const [holder, killer] = [new pg.Client(url), new pg.Client(url)];
    await Promise.all([holder.connect(), killer.connect()]);
    try {
      await holder.query('begin; lock table webhook_health in access exclusive mode');
      const outcome = bench.attempt(webhook.id, await bench.event());
      // Breaks off the pending write, as when the server stops.
      await eventually(async () => {
        const { rowCount } = await killer.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and query like '%webhook_health%'`,
        );
        assert.equal(rowCount, 1, 'the attempt is being logged');
      });
      await holder.query('rollback');
      assert.equal((await outcome).kind, 'failed');
      assert.deepEqual(
        (await bench.log(webhook.id)).map(({ attempt }) => attempt),
        [1],
      );
      assert.equal(bench.receiver.at('/away').length, 1);
    } finally {
      await Promise.all([holder.end(), killer.end()]);
    }
  });

  describe('and are redelivered to', () => {
    const [again, late] = [newId(), newId()].map((id) => ({ id, again: false }));
    const [forced, once] = [newId(), newId()].map((id) => ({ id, again: true }));
    let webhookId: string;
    let eventId: string;
    let outcomes: Awaited<ReturnType<typeof bench.attempt>>[];
    before(async () => {
      bench.receiver.answer('/redelivered', (response, nth) => status(nth < 5 ? 500 : 200)(response));
      const webhook = await bench.register('/redelivered', {
        secret: 'some secret text',
        retry_policy: { max_attempts: 2, retry_delay_seconds: [7] },
      });
      webhookId = webhook.id;
      eventId = await bench.event();
      outcomes = [];
      for (const redelivery of [undefined, undefined, undefined, again, again, again, forced, forced, late, once])
        outcomes.push(await bench.attempt(webhookId, eventId, NOW, redelivery));
    });

    it('keep counting in the log, and restart their attempts', () => {
      const kinds = outcomes
        .slice(0, 8)
        .map((one) => [one.kind, one.attempt, 'retryInSeconds' in one ? one.retryInSeconds : '']);
      assert.deepEqual(kinds, [
        ['failed', 1, 7],
        ['failed', 2, null],
        ['failed', 2, null],
        ['failed', 3, 7],
        ['failed', 4, null],
        ['failed', 4, null],
        ['delivered', 5, ''],
        ['delivered', 5, ''],
      ]);
    });

    it('do not resend what has arrived, unless a resend is requested', () => {
      assert.deepEqual(outcomes.slice(8), [
        { kind: 'delivered', attempt: 5 },
        { kind: 'delivered', attempt: 6 },
      ]);
      assert.equal(bench.receiver.at('/redelivered').length, 6);
    });

    it('send the same bytes each time, with the same id', () => {
      const requests = bench.receiver.at('/redelivered');
      assert.equal(new Set(requests.map(({ body }) => body)).size, 1);
      assert.equal(new Set(requests.map(({ headers }) => headers['webhook-id'])).size, 1);
    });

    it('name in the log the redelivery that made each attempt', async () => {
      const expected = [null, null, again?.id, again?.id, forced?.id, once?.id];
      assert.deepEqual(
        (await bench.log(webhookId)).map((entry) => ({ attempt: entry.attempt, redelivery: entry.redelivery_id })),
        expected.map((redelivery, index) => ({ attempt: index + 1, redelivery })),
      );
    });
  });
});
