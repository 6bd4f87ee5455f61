import assert from 'node:assert/strict';
import type { Automation } from '../../../../db/models/integrations/automations.ts';
import { Automation as Rules } from '../../../../db/models/integrations/automations.ts';
import { beginRuns, type Cause } from '../../../../services/integrations/automations/begin-runs.ts';
import { notifyOfRun } from '../../../../services/integrations/automations/record-result.ts';
import { NOW } from '../../../helpers/clock.ts';
import { useApp } from '../../../helpers/hooks.ts';

const RULE = {
  trigger: { type: 'schedule.cron', expression: '* * * * *' },
  actions: [{ type: 'notification.create', role: 'owner', title: 'New', body: 'New' }],
};

describe('runs of automations in a day', () => {
  const app = useApp();
  const ctx = () => ({ tenantId: app.tenantId, userId: null, actor: 'relay', requestId: app.userId, now: NOW });
  const cause = (key: string): Cause => ({
    key,
    eventId: null,
    documentId: null,
    paymentId: null,
    event: { name: 'schedule.cron' },
    depth: 0,
  });
  const make = async (name: string) =>
    (await app.client.post('/api/automations', { ...RULE, name })).body.data.id as string;
  const begin = (ids: readonly string[], key: string) =>
    app.database.withTenant(ctx(), async (trx) => {
      const rules = (await Rules.query(trx).whereIn('id', [...ids])) as Automation[];
      return (
        await beginRuns(
          trx,
          ctx(),
          rules.map((automation) => ({ automation, cause: cause(key) })),
        )
      ).length;
    });
  const logged = async (id: string) => (await app.client.get(`/api/automations/${id}/logs`)).body.data;
  const alerts = async () => (await app.client.get('/api/notifications?type=system_alert')).body.data;

  it('are limited for the company, which the log says once a day for each rule, and people are told once', async () => {
    const limit = { max_runs_per_day: 20 };
    assert.deepEqual((await app.client.get('/api/config/automations')).body, { max_runs_per_day: 10_000 });
    assert.equal((await app.client.put('/api/config/automations', limit)).status, 200);
    const [one, other] = [await make('Every minute'), await make('Other')];
    assert.equal(await begin([one], '2026-06-15T10:00'), 1);
    await app.database.withTenant(ctx(), (trx) =>
      trx.raw(
        `insert into automation_runs (id, tenant_id, automation_id, automation_version, trigger, cause, event, actions, stop_on_error,
           results, depth, status, executed_at, started_at)
         select gen_random_uuid(), tenant_id, automation_id, automation_version, trigger, 'filled ' || n, event, actions, stop_on_error,
           results, depth, 'success', executed_at, started_at from automation_runs, generate_series(1, ?) n`,
        [18],
      ),
    );
    // One more of the day is left, and then none.
    assert.equal(await begin([one], '2026-06-15T10:01'), 1);
    const before = (await alerts()).length;
    assert.equal(await begin([one, other], '2026-06-15T10:02'), 0);
    assert.equal(await begin([one, other], '2026-06-15T10:03'), 0);
    const [run, ...others] = await logged(other);
    assert.deepEqual([run.status, others], ['skipped', []]);
    assert.match(run.reason, /^429: the company's automations have run 20 times on /);
    const all = await alerts();
    assert.equal(all.length, before + 1);
    assert.equal(all[0].title, 'Las automatizaciones han llegado a su límite del día');
    // A repeated time finds its run.
    assert.equal(await begin([one], '2026-06-15T10:01'), 1);
    await app.client.put('/api/config/automations', { max_runs_per_day: 21 });
    assert.equal(await begin([one], '2026-06-15T10:04'), 1, 'there is room again');
    assert.equal(await begin([one], '2026-06-15T10:05'), 0);
  });

  it('are told to owners and administrators, not only to whom the rule acts for', async () => {
    const text = { title: 'Ran', body: 'done' };
    await app.database.withTenant(ctx(), (trx) => notifyOfRun(trx, ctx(), { runsAs: null }, { ...text, es: text }));
    const { body } = await app.client.get('/api/notifications?type=automation_triggered');
    assert.deepEqual(
      body.data.map(({ title }: { title: string }) => title),
      ['Ran'],
    );
  });
});
