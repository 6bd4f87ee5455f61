import assert from 'node:assert/strict';
import { automationScheduleId } from '../../../../workflows/integrations/automations/clock-contract.ts';
import { OUTCOME } from '../../../../workflows/platform/search-attributes/contract.ts';
import { openTill } from '../../../api/trade/payments/till.ts';
import { use, useIntegrations, useWorker } from '../../../helpers/hooks.ts';
import { status } from '../../../helpers/receiver.ts';
import { useSmtp } from '../../../helpers/smtp.ts';
import { eventually, testConfig, triggerSchedule } from '../../../helpers/worker.ts';

/** Work that failed for its company is a failed workflow, and stands in the list of the Temporal UI as one. */
describe('what fails for its company', function () {
  this.timeout(180_000);
  const { temporal, app, receiver } = useIntegrations();
  const smtp = useSmtp();
  useWorker(() =>
    testConfig({ url: app.databaseUrl, ...temporal }, { SMTP_URL: smtp.url, MAIL_FROM: 'erp@example.test' }),
  );
  const till = use(() => openTill(app));
  before(() => {
    receiver.answer('/refuses', status(404));
    smtp.refuses = () => ({ code: 550, text: 'no such mailbox' });
  });

  const posted = async (path: string, body: object) => {
    const answer = await app.client.post(path, body);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body.data as { readonly id: string };
  };
  const order = () =>
    posted('/api/sales', { partnerId: till.customerId, lines: [{ description: 'x', quantity: 1, price: 1 }] });
  /** Finds the only workflow, as an operator does. @returns why it failed */
  const failure = (query: string) =>
    eventually(async () => {
      const found = [];
      const failed = `ExecutionStatus = 'Failed' AND Outcome = 'failed' AND Company = 'almacenes-pr' AND ${query}`;
      for await (const one of temporal.client.workflow.list({ query: failed })) found.push(one);
      assert.equal(found.length, 1, query);
      const { workflowId = '', typedSearchAttributes } = found[0] ?? {};
      assert.match(workflowId, /^almacenes-pr\/[a-z-]+\/[0-9a-z]{16}/);
      assert.equal(typedSearchAttributes?.get(OUTCOME), 'failed');
      const result = temporal.client.workflow.getHandle(workflowId).result();
      return await result.then(
        () => assert.fail('it ended well'),
        ({ cause }: { cause: { message: string; cause?: Error } }) => cause.cause?.message ?? cause.message,
      );
    }, 90_000);

  it('is a failed workflow: a rule whose call is refused', async () => {
    const rule = await posted('/api/automations', {
      name: 'Call',
      trigger: { type: 'document.created', document_type: 'sales_order' },
      actions: [{ type: 'http.request', url: `${receiver.url}/refuses`, method: 'POST' }],
    });
    await order();
    assert.match(await failure(`Kind = 'automation' AND RuleId = '${rule.id}'`), /^An action failed: see the log$/);
  });

  it('… a rule by the clock, one of whose runs failed', async () => {
    const { id: automationId } = await posted('/api/automations', {
      name: 'Clock',
      trigger: { type: 'schedule.cron', expression: '0 3 1 1 *', timezone: 'Europe/Madrid' },
      actions: [{ type: 'http.request', url: `${receiver.url}/refuses`, method: 'POST' }],
    });
    const schedule = automationScheduleId({ tenantId: app.tenantId, automationId });
    await triggerSchedule(temporal.client, schedule);
    const query = `Kind = 'automation-schedule' AND EntityId = '${automationId}'`;
    assert.equal(await failure(query), '0 runs done, 1 with failed actions');
  });

  it('… a delivery that was given up', async () => {
    const webhook = await posted('/api/webhooks', {
      name: 'Refuses',
      url: `${receiver.url}/refuses`,
      events: ['document.created'],
      retry_policy: { max_attempts: 1 },
    });
    const { id } = await order();
    assert.match(await failure(`Kind = 'webhook' AND RuleId = '${webhook.id}' AND EntityId = '${id}'`), /HTTP 404/);
  });

  it('… an import that was refused', async () => {
    const file = `code;name\n${Array.from({ length: 501 }, () => 'X;Twice\n').join('')}`;
    const { status, body } = await app.client.post('/api/import/uom', file, { 'Content-Type': 'text/csv' });
    assert.equal(status, 202, JSON.stringify(body));
    assert.match(await failure(`Kind = 'import' AND EntityId = '${body.task_id}'`), /the error of the task says why/);
  });

  it('… a mail that was refused', async () => {
    const { id } = await order();
    const { status, body } = await app.client.post(`/api/sales/${id}/send`, { to: 'nobody@example.test' });
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(await failure(`Kind = 'email'`), /^Not sent/);
  });
});
