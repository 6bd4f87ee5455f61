/** Runs of rules by the clock: when they are due, and for which records (decision 0199). */
import assert from 'node:assert/strict';
import { daysAfter } from '../../../../../domain/days.ts';
import { beginScheduled } from '../../../../../services/integrations/automations/clock/begin.ts';
import type { BegunRuns } from '../../../../../workflows/integrations/automations/clock-contract.ts';
import { openTill } from '../../../../api/trade/payments/till.ts';
import { use, useApp } from '../../../../helpers/hooks.ts';

const PATH = '/api/automations';
const NOTICE = { type: 'notification.create', role: 'admin', title: 'At {{event.scheduled_at}}', body: 'Now' };
const NOW = new Date('2026-11-22T10:30:00Z');

describe('the runs of a rule by the clock', () => {
  const app = useApp({ clock: { now: NOW } });
  const till = use(() => openTill(app));
  const ctx = () => ({ tenantId: app.tenantId, userId: null, actor: 'temporal', requestId: app.tenantId, now: NOW });

  const make = async (trigger: object, more: object = {}) => {
    const rule = { name: 'By the clock', trigger: { type: 'schedule.cron', ...trigger }, actions: [NOTICE], ...more };
    const { status, body } = await app.client.post(PATH, rule);
    assert.equal(status, 201, JSON.stringify(body));
    return body.data.id as string;
  };
  const begin = (automationId: string, due: string, from: Partial<Pick<BegunRuns, 'after' | 'selected'>> = {}) =>
    beginScheduled(app.database, ctx(), { automationId, due: new Date(due), after: null, selected: 0, ...from });
  const rows = (automationId: string) =>
    app.database.readTenant(app, async (db) => {
      const found = db('automation_runs').where({ automation_id: automationId }).orderBy('cause');
      return (await found.select('cause', 'document_id', 'status', 'reason')) as Record<string, string | null>[];
    });
  const causes = async (id: string) => (await rows(id)).map(({ cause }) => cause);
  const ends = (automationId: string) =>
    app.database.withTenant(ctx(), (trx) =>
      trx('automation_runs').where({ automation_id: automationId }).update({ status: 'success' }),
    );

  it('begin once for each minute that the clock shows, even on the days on which it changes', async () => {
    const id = await make({ expression: '30 2 * * *', timezone: 'Europe/Madrid' });
    // Half past two comes twice on 31 October; it does not come on 28 March, and is made up for an hour later.
    const times = ['2027-10-31T00:30:00Z', '2027-10-31T01:30:00Z', '2027-03-28T01:30:00Z', '2027-03-29T00:30:00Z'];
    const outcomes: string[] = [];
    for (const time of times) {
      const { outcome, runs } = await begin(id, time);
      outcomes.push(`${outcome} ${runs.length}`);
      await ends(id);
    }
    assert.deepEqual(outcomes, ['begun 1', 'none 0', 'begun 1', 'begun 1']);
    assert.deepEqual(await causes(id), ['2027-03-28T03:30', '2027-03-29T02:30', '2027-10-31T02:30']);
  });

  it('begin at no other time, except for an operator who wants one now', async () => {
    const id = await make({ expression: '30 1 * * *', timezone: 'Europe/Madrid' });
    assert.equal((await begin(id, '2027-10-31T00:30:00Z')).outcome, 'not_due');
    assert.equal((await begin(id, '2027-10-31T09:12:34.567Z')).outcome, 'begun');
    await app.client.post(`${PATH}/${id}/pause`);
    assert.equal((await begin(id, '2027-10-30T23:30:00Z')).outcome, 'paused');
    await app.client.del(`${PATH}/${id}`);
    assert.equal((await begin(id, '2027-10-30T23:30:00Z')).outcome, 'gone');
  });

  it('are the same when they are begun again, and do not begin when its conditions do not hold', async () => {
    const { body } = await app.client.get('/api/company');
    const named = (value: string) => ({ conditions: [{ field: 'company.name', operator: 'equals', value }] });
    const id = await make({ expression: '@hourly' }, named(body.name));
    const first = await begin(id, '2026-11-22T10:00:00Z');
    assert.deepEqual([first.runs.length, await begin(id, '2026-11-22T10:00:00Z')], [1, first]);
    const other = await make({ expression: '@hourly' }, named('Another'));
    assert.equal((await begin(other, '2026-11-22T10:00:00Z')).outcome, 'none');
    assert.deepEqual(await causes(other), []);
  });

  it('begin for each record that its query selects, page by page', async () => {
    const dueDate = daysAfter(till.today, -30);
    const invoices: string[] = [];
    for (let nth = 0; nth < 52; nth++) invoices.push((await till.invoice('sales', 10, { date: dueDate, dueDate })).id);
    const query = { resource: 'sales_invoices', filters: { 'dueDate[lte]': 'today-30' } };
    const id = await make({ expression: '0 8 * * *', query });
    const due = '2026-11-22T07:00:00Z';
    const first = await begin(id, due);
    assert.deepEqual([first.runs.length, first.selected, first.after], [50, 50, [...invoices].sort()[49]]);
    const second = await begin(id, due, { after: first.after, selected: 50 });
    assert.deepEqual([second.runs.length, second.selected, second.after], [2, 2, null]);
    assert.deepEqual(
      (await rows(id)).map(({ document_id }) => document_id),
      [...invoices].sort(),
    );
    // Relative days are seen from when it was due: the day before, none was overdue by so much.
    assert.equal((await begin(id, '2026-11-21T07:00:00Z')).outcome, 'none');
    // Near the bound the others are left, which the log says.
    const last = await begin(id, '2026-11-23T07:00:00Z', { selected: 998 });
    assert.deepEqual([last.runs.length, last.after], [2, null]);
    const failed = (await rows(id)).filter(({ status }) => status === 'failed');
    assert.deepEqual([failed.length, /more than 1000 records/.test(failed[0]?.reason ?? '')], [1, true]);
  });

  it('begin only once for each record, if so configured', async () => {
    const query = { resource: 'items', once: true };
    const id = await make({ expression: '0 8 * * *', query });
    const { runs } = await begin(id, '2026-11-22T07:00:00Z');
    assert.ok(runs.length > 0);
    // Not ended, they are found again; ended, they are over.
    assert.deepEqual((await begin(id, '2026-11-23T07:00:00Z')).runs, runs);
    const trial = async () => (await app.client.post(`${PATH}/${id}/test`)).body.data.records;
    await ends(id);
    assert.deepEqual([(await begin(id, '2026-11-24T07:00:00Z')).outcome, await trial()], ['none', 0]);
    assert.equal((await causes(id)).length, runs.length);
  });

  it('do not begin when the user it acts for may no longer read the records: the rule is paused', async () => {
    const { body: key } = await app.client.post('/api/api-keys', { name: 'rules', role: 'admin' });
    const made = await app.as(key.data.key).post(PATH, {
      name: 'Of a key',
      trigger: { type: 'schedule.cron', expression: '@daily', query: { resource: 'items' } },
      actions: [NOTICE],
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    await app.client.del(`/api/api-keys/${key.data.id}`);
    assert.equal((await begin(made.body.data.id, '2026-11-22T23:00:00Z')).outcome, 'paused');
    const { data } = (await app.client.get(`${PATH}/${made.body.data.id}`)).body;
    assert.deepEqual([data.status, /may no longer/.test(data.pause_reason)], ['paused', true]);
  });

  it('begin once for each line of a record, ever, if so configured', async () => {
    const line = (quantity: number) => ({ description: 'Transporte', quantity, price: 1 });
    const order = (...lines: object[]) => app.client.post('/api/sales', { partnerId: till.customerId, lines });
    const { body } = await order(line(1), line(5), line(6));
    await order(line(1));
    const query = { resource: 'sales_orders', once: true };
    const conditions = [{ field: 'line.quantity', operator: 'greater_than', value: 4 }];
    const id = await make({ expression: '@hourly', query }, { for_each: 'line', conditions });
    assert.equal((await begin(id, '2026-11-22T07:00:00Z')).runs.length, 2);
    const expected = body.data.lines.slice(1).map((one: { id: string }) => `once/${body.data.id}/${one.id}`);
    assert.deepEqual(await causes(id), expected.sort());
    await ends(id);
    const again = await begin(id, '2026-11-22T08:00:00Z');
    // The order without such a line is looked at again, the other one is not.
    assert.deepEqual([again.runs.length, again.selected], [0, 1]);
  });
});
