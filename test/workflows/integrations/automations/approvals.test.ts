/** Runs of rules that wait for people: durably, each answer once. */
import assert from 'node:assert/strict';
import {
  automationScheduleId,
  SCHEDULED_AUTOMATION,
} from '../../../../workflows/integrations/automations/clock-contract.ts';
import { AUTOMATIONS_QUEUE, automationRunId } from '../../../../workflows/integrations/automations/contract.ts';
import { OUTCOME } from '../../../../workflows/platform/search-attributes/contract.ts';
import { openTrade } from '../../../api/trade/documents/trade.ts';
import { use, useIntegrations, useWorker } from '../../../helpers/hooks.ts';
import { addMember } from '../../../helpers/members.ts';
import { eventually, testConfig } from '../../../helpers/worker.ts';

interface Run {
  readonly id: string;
  readonly event_id: string | null;
  readonly status: string;
  readonly reason: string | null;
  readonly results: readonly { readonly status: string; readonly detail: Record<string, unknown> }[];
}

describe('approvals that rules wait for', function () {
  this.timeout(180_000);
  const { temporal, app } = useIntegrations();
  useWorker(() => testConfig({ url: app.databaseUrl, ...temporal }));
  const trade = use(() => openTrade(app));
  const sales = use(() => addMember(app, 'sales'));

  const NOTE = { type: 'document.update_field', field: 'internalNotes', value: 'Approved' };
  const make = async (ask: object, more: object = {}) => {
    const rule = {
      name: 'Ask',
      trigger: { type: 'document.created', document_type: 'sales_order' },
      actions: [{ type: 'approval.request', role: 'sales', title: 'Ship {{document.total}}?', ...ask }, NOTE],
      ...more,
    };
    const { status, body } = await app.client.post('/api/automations', rule);
    assert.equal(status, 201, JSON.stringify(body));
    return body.data.id as string;
  };
  const order = async () => {
    const lines = [{ description: 'Transporte', quantity: 1, price: 10 }];
    return (await app.client.post('/api/sales', { partnerId: trade.customerId, lines })).body.data.id as string;
  };
  const logs = async (rule: string): Promise<Run[]> =>
    (await app.client.get(`/api/automations/${rule}/logs`)).body.data;
  const asked = (query: string) =>
    eventually(async () => {
      const { data } = (await sales.client.get(`/api/to-dos?kind=approval&${query}`)).body;
      assert.equal(data.length, 1, JSON.stringify(data));
      return data[0] as { id: string; status: string; title: string; run_id: string };
    }, 60_000);
  const ended = (rule: string) =>
    eventually(async () => {
      const [run] = await logs(rule);
      assert.ok(run !== undefined && run.status !== 'running', JSON.stringify(run));
      return run;
    }, 60_000);
  const notes = async (id: string) => (await app.client.get(`/api/sales/${id}`)).body.data.internalNotes;
  const stop = (rule: string) => app.client.post(`/api/automations/${rule}/pause`);

  it('go on with a yes, with what was said in the log, and wait without doing anything until then', async () => {
    const rule = await make({});
    const document = await order();
    const approval = await asked(`status=open&document_id=${document}`);
    const [waiting] = await logs(rule);
    assert.deepEqual([waiting?.status, waiting?.results, await notes(document)], ['running', [], null]);
    assert.equal(approval.title, 'Ship 12.1?');
    assert.equal((await sales.client.post(`/api/to-dos/${approval.id}/approve`, { comment: 'Fine' })).status, 200);
    const run = await ended(rule);
    assert.deepEqual(
      [run.status, run.results[0]?.detail],
      ['success', { to_do_id: approval.id, answer: 'approved', answered_by: sales.id, comment: 'Fine' }],
    );
    assert.equal(await notes(document), 'Approved');
    await stop(rule);
  });

  it('end with a no; a rerun asks again', async () => {
    const rule = await make({});
    const document = await order();
    const first = await asked(`status=open&document_id=${document}`);
    await sales.client.post(`/api/to-dos/${first.id}/refuse`);
    const refused = await ended(rule);
    assert.deepEqual([refused.status, refused.reason], ['cancelled', 'The approval was refused']);
    const workflow = automationRunId({
      tenantId: app.tenantId,
      automationId: rule,
      cause: String(refused.event_id),
      turn: 1,
    });
    const handle = temporal.client.workflow.getHandle(workflow);
    assert.equal(await handle.result(), 'refused');
    assert.equal((await handle.describe()).typedSearchAttributes.get(OUTCOME), 'refused');
    assert.equal(await notes(document), null);
    assert.equal((await app.client.post(`/api/automations/${rule}/logs/${refused.id}/rerun`)).status, 202);
    const second = await asked(`status=open&document_id=${document}`);
    assert.notEqual(second.id, first.id);
    await sales.client.post(`/api/to-dos/${second.id}/approve`);
    await eventually(async () => assert.equal(await notes(document), 'Approved'), 60_000);
    await stop(rule);
  });

  it('end when nobody answers in time, or go on if so wanted', async () => {
    const refusing = await make({ deadline_hours: 0.001 });
    const late = await order();
    const run = await ended(refusing);
    assert.deepEqual([run.status, run.reason], ['cancelled', 'Nobody answered the approval in time']);
    assert.equal((await asked(`document_id=${late}`)).status, 'expired');
    await stop(refusing);
    const going = await make({ deadline_hours: 0.001, if_late: 'approve' });
    const document = await order();
    assert.equal((await ended(going)).status, 'success');
    assert.equal(await notes(document), 'Approved');
    await stop(going);
  });

  it('are cancelled with their run: when the rule is paused or deleted, and when an operator cancels it', async () => {
    const paused = await make({});
    const first = await order();
    const { id } = await asked(`status=open&document_id=${first}`);
    await stop(paused);
    assert.equal((await asked(`document_id=${first}`)).status, 'cancelled');
    assert.equal((await sales.client.post(`/api/to-dos/${id}/approve`)).status, 409);
    const rule = await make({});
    const second = await order();
    await asked(`status=open&document_id=${second}`);
    await eventually(async () => {
      const waiting = `Outcome = 'waiting' AND Kind = 'automation' AND RuleId = '${rule}'`;
      assert.equal((await temporal.client.workflow.count(waiting)).count, 1, 'operators find what waits for people');
    });
    const [run] = await logs(rule);
    const workflowId = automationRunId({
      tenantId: app.tenantId,
      automationId: rule,
      cause: String(run?.event_id),
      turn: 1,
    });
    await temporal.client.workflow.getHandle(workflowId).cancel();
    await ended(rule);
    assert.equal((await asked(`document_id=${second}`)).status, 'cancelled');
    const third = await order();
    await asked(`status=open&document_id=${third}`);
    assert.equal((await app.client.del(`/api/automations/${rule}`)).status, 204);
    assert.equal((await asked(`document_id=${third}`)).status, 'cancelled');
  });

  it('hold no other run of a rule by the clock, whose workflow ends meanwhile', async () => {
    const query = { resource: 'sales_orders', filters: { reference: 'By the clock' } };
    const rule = await make({}, { trigger: { type: 'schedule.cron', expression: '@daily', query } });
    const lines = [{ description: 'Transporte', quantity: 1, price: 10 }];
    const body = { partnerId: trade.customerId, reference: 'By the clock', lines };
    const document = (await app.client.post('/api/sales', body)).body.data.id as string;
    const input = { tenantId: app.tenantId, automationId: rule, version: 1, active: true };
    const begun = await temporal.client.workflow.execute(SCHEDULED_AUTOMATION, {
      workflowId: `${automationScheduleId(input)}/now`,
      taskQueue: AUTOMATIONS_QUEUE,
      args: [input],
    });
    assert.equal(begun.outcome, 'begun');
    const approval = await asked(`status=open&document_id=${document}`);
    await sales.client.post(`/api/to-dos/${approval.id}/approve`);
    assert.equal((await ended(rule)).status, 'success');
    assert.equal(await notes(document), 'Approved');
  });

  it('and to-dos are given to a member, with the document that the rule is about', async () => {
    const actions = [
      { type: 'to_do.assign', user_id: sales.id, title: 'Check {{document.code}}', due_in_hours: 24 },
      { type: 'to_do.assign', role: 'hr', title: 'Nobody has this role' },
    ];
    const rule = await make({}, { actions });
    const document = await order();
    const run = await ended(rule);
    assert.deepEqual(
      run.results.map(({ status }) => status),
      ['success', 'failed'],
    );
    const { data } = (await sales.client.get(`/api/to-dos?document_id=${document}`)).body;
    const { body: shown } = await app.client.get(`/api/sales/${document}`);
    assert.deepEqual(
      data.map((one: Record<string, unknown>) => [one.kind, one.title, one.run_id]),
      [['to_do', `Check ${shown.data.code}`, run.id]],
    );
    await stop(rule);
  });
});
