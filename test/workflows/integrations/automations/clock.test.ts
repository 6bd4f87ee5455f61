/** Rules by the clock on the real Temporal server: their schedules, what operators do with them, and their runs (decision 0199). */
import assert from 'node:assert/strict';
import { daysAfter } from '../../../../domain/days.ts';
import {
  automationScheduleId,
  type ScheduledAutomationInput,
} from '../../../../workflows/integrations/automations/clock-contract.ts';
import { openTill } from '../../../api/trade/payments/till.ts';
import { REAL_CLOCK } from '../../../helpers/app.ts';
import { use, useApp, useTemporal, useWorker } from '../../../helpers/hooks.ts';
import { eventually, testConfig, triggerSchedule } from '../../../helpers/worker.ts';

const PATH = '/api/automations';
const NOTICE = { type: 'notification.create', role: 'owner', title: 'It is time', body: '{{event.scheduled_at}}' };
const DAILY = { type: 'schedule.cron', expression: '30 2 * * *', timezone: 'Europe/Madrid' };

describe('rules by the clock in Temporal', function () {
  this.timeout(180_000);
  const temporal = useTemporal();
  const app = useApp(() => ({ clock: REAL_CLOCK }));
  useWorker(() => testConfig({ url: app.databaseUrl, ...temporal }));
  const till = use(() => openTill(app));

  const make = async (more: object = {}) => {
    const { status, body } = await app.client.post(PATH, { name: 'Rule', trigger: DAILY, actions: [NOTICE], ...more });
    assert.equal(status, 201, JSON.stringify(body));
    return body.data.id as string;
  };
  const read = async (id: string) => (await app.client.get(`${PATH}/${id}`)).body.data;
  const logs = async (id: string) => (await app.client.get(`${PATH}/${id}/logs?limit=100`)).body.data;
  const handle = (automationId: string) =>
    temporal.client.schedule.getHandle(automationScheduleId({ tenantId: app.tenantId, automationId }));
  const upTo = (id: string, version: number) =>
    eventually(async () => {
      const found = await handle(id).describe();
      assert.equal((found.action.args as [ScheduledAutomationInput])[0].version, version);
      return found;
    });
  /** The workflows that the schedule has started, with their results. */
  const results = async (id: string) => {
    const { info } = await handle(id).describe();
    const started = info.recentActions.map(({ action }) => action.workflow.workflowId);
    return await Promise.all(started.map((workflowId) => temporal.client.workflow.getHandle(workflowId).result()));
  };

  it('have a schedule while they run by the clock, which follows each change', async () => {
    const id = await make();
    const { info, state, spec } = await upTo(id, 1);
    assert.deepEqual([state.paused, spec.timezone], [false, 'Europe/Madrid']);
    const times = info.nextActionTimes.slice(0, 5).map((time) => time.toISOString());
    assert.deepEqual(times, (await read(id)).next_runs);
    await app.client.post(`${PATH}/${id}/pause`);
    assert.equal((await upTo(id, 2)).state.paused, true);
    await app.client.patch(`${PATH}/${id}`, { status: 'active', trigger: { ...DAILY, expression: '@weekly' } });
    assert.equal((await upTo(id, 3)).state.paused, false);
    await app.client.patch(`${PATH}/${id}`, { trigger: { type: 'payment.received' } });
    await eventually(() => assert.rejects(handle(id).describe()));
    await app.client.patch(`${PATH}/${id}`, { trigger: DAILY });
    await upTo(id, 5);
    await app.client.del(`${PATH}/${id}`);
    await eventually(() => assert.rejects(handle(id).describe()));
  });

  it('use the spelling of Temporal for their time zone', async () => {
    const id = await make({ trigger: { ...DAILY, timezone: 'europe/madrid' } });
    assert.equal((await upTo(id, 1)).spec.timezone, 'Europe/Madrid');
    assert.equal((await read(id)).trigger.timezone, 'europe/madrid');
  });

  const shows = (id: string, status: string, reason: string | null) =>
    eventually(async () => {
      await temporal.client.schedule.getHandle('maintenance/schedules').trigger();
      const found = await read(id);
      assert.deepEqual([found.status, found.pause_reason], [status, reason]);
    }, 60_000);

  it('show when an operator pauses or resumes them there', async () => {
    const id = await make();
    await upTo(id, 1);
    await handle(id).pause('too many mails');
    await shows(id, 'paused', 'Paused in Temporal: too many mails');
    await upTo(id, 2);
    await handle(id).unpause();
    await shows(id, 'active', null);
  });

  it('are compared even if one of them cannot have a schedule', async () => {
    const [broken, id] = [await make(), await make()];
    await upTo(broken, 1);
    await upTo(id, 1);
    const setZone = (zone: string) =>
      app.database.withTenant({ tenantId: app.tenantId }, (trx) =>
        trx.raw(`update automations set trigger = jsonb_set(trigger, '{timezone}', to_jsonb(?::text)) where id = ?`, [
          zone,
          broken,
        ]),
      );
    await setZone('Europe/Nowhere');
    await handle(broken).delete();
    await handle(id).pause('meanwhile');
    await shows(id, 'paused', 'Paused in Temporal: meanwhile');
    await assert.rejects(handle(broken).describe());
    await setZone('Europe/Madrid');
    await eventually(() => handle(broken).describe(), 90_000);
  });

  it('run once on both days on which the clock changes', async () => {
    const id = await make();
    await upTo(id, 1);
    const nights = ['2027-03-27T20:00:00Z', '2027-10-30T20:00:00Z'].map((start) => ({
      start: new Date(start),
      end: new Date(Date.parse(start) + 12 * 3_600_000),
      overlap: 'BUFFER_ALL' as const,
    }));
    await handle(id).backfill(nights);
    const times = await eventually(async () => {
      const found = (await logs(id)).filter(({ status }: { status: string }) => status === 'success');
      assert.equal(found.length, 2);
      return (await app.client.get('/api/notifications?limit=100')).body.data
        .filter(({ title }: { title: string }) => title === NOTICE.title)
        .map(({ body }: { body: string }) => body)
        .sort();
    }, 60_000);
    // At half past three in spring; in autumn in the second of the hours that come twice.
    assert.deepEqual(times, ['2027-03-28T01:30:00.000Z', '2027-10-31T01:30:00.000Z']);
  });

  it('act on each record of their query, in one workflow', async () => {
    const dueDate = daysAfter(till.today, -40);
    for (let nth = 0; nth < 60; nth++) await till.invoice('sales', 10, { date: dueDate, dueDate });
    const update = {
      type: 'document.update_field',
      field: 'internalNotes',
      value: 'Overdue since {{document.dueDate}}',
    };
    const id = await make({
      trigger: {
        ...DAILY,
        query: { resource: 'sales_invoices', filters: { 'dueDate[lte]': 'today-30' }, once: true },
      },
      actions: [update],
    });
    await upTo(id, 1);
    await triggerSchedule(temporal.client, automationScheduleId({ tenantId: app.tenantId, automationId: id }));
    const [result] = await eventually(async () => {
      const found = await results(id);
      assert.equal(found.length, 1);
      return found;
    }, 60_000);
    assert.deepEqual(result, { outcome: 'begun', selected: 60, done: 60, failed: 0 });
    const noted = await app.client.get(`/api/sales/invoices?internalNotes=Overdue since ${dueDate}&limit=1`);
    assert.equal(noted.body.pagination.total, 60);
    const { execution_count: count, last_executed_at: last } = await read(id);
    assert.deepEqual([count, last === null], [60, false]);
    // Once each: the next time there is nothing to do.
    await triggerSchedule(temporal.client, automationScheduleId({ tenantId: app.tenantId, automationId: id }));
    await eventually(async () => {
      const found = await results(id);
      assert.deepEqual(found[1], { outcome: 'none', selected: 0, done: 0, failed: 0 });
    }, 60_000);
    const { count: workflows } = await temporal.client.workflow.count(
      `WorkflowType = 'automationRun' AND RuleId = '${id}'`,
    );
    assert.equal(workflows, 0);
  });
});
