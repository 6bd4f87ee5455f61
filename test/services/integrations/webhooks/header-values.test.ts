import assert from 'node:assert/strict';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import pg from 'pg';
import { openTill } from '../../../api/trade/payments/till.ts';
import { use, useIntegrations, useWorker } from '../../../helpers/hooks.ts';
import { status } from '../../../helpers/receiver.ts';
import { eventually, testConfig } from '../../../helpers/worker.ts';

const CANARY = 'canary-that-nobody-may-read';

describe('values of headers', function () {
  this.timeout(180_000);
  const { temporal, app, receiver } = useIntegrations();
  useWorker(() => testConfig({ url: app.databaseUrl, ...temporal }));
  const till = use(() => openTill(app));

  async function posted(path: string, body: object): Promise<{ id: string }> {
    const answer = await app.client.post(path, body);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body.data;
  }

  /** Lists the columns of all tables that hold the canary. */
  async function columnsWithCanary(): Promise<string[]> {
    const admin = new pg.Client({ connectionString: app.databaseUrl });
    await admin.connect();
    try {
      const { rows } = await admin.query<{ name: string; column: string }>(
        `select c.oid::regclass::text as name, a.attname as column from pg_class c
         join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
         where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
           and a.attnum > 0 and not a.attisdropped`,
      );
      assert.ok(rows.length > 300);
      const found: string[] = [];
      for (const { name, column } of rows) {
        const cell = pg.escapeIdentifier(column);
        const hit = await admin.query(
          `select 1 from ${name} t where strpos(t.${cell}::text, $1) > 0 or strpos(t.${cell}::text, $2) > 0 limit 1`,
          [CANARY, Buffer.from(CANARY).toString('hex')],
        );
        if (hit.rowCount !== 0) found.push(`${name}.${column}`);
      }
      return found;
    } finally {
      await admin.end();
    }
  }

  /** The webhook, the rule and the order that they told of. */
  let made: { readonly webhookId: string; readonly ruleId: string; readonly orderId: string };

  /** Creates a webhook and a rule with the canary in their headers; the rule is changed, too. */
  async function register(): Promise<{ webhookId: string; ruleId: string }> {
    const headers = { 'X-Token': CANARY };
    const target = { url: `${receiver.url}/hook`, events: ['document.created'] };
    const webhook = await posted('/api/webhooks', { name: 'Hook', ...target, headers });
    const request = {
      type: 'http.request',
      url: `${receiver.url}/rule`,
      headers: { ...headers, 'X-Code': `${CANARY} {{document.code}}`, 'Content-Type': 'application/json' },
      body: { id: '{{document.id}}' },
    };
    const trigger = { type: 'document.created' };
    const rule = await posted('/api/automations', { name: 'Rule', trigger, actions: [request] });
    const narrower = { trigger: { ...trigger, document_type: 'sales_order' } };
    const changed = await app.client.patch(`/api/automations/${rule.id}`, narrower);
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    return { webhookId: String(webhook.id), ruleId: String(rule.id) };
  }

  it('reach the receiver', async () => {
    for (const path of ['/hook', '/rule']) receiver.answer(path, status(200));
    const registered = await register();
    const lines = [{ description: 'Transporte', quantity: 1, price: 10 }];
    const { id } = await posted('/api/sales', { partnerId: till.customerId, lines });
    made = { ...registered, orderId: String(id) };
    const { code } = await till.read(`/api/sales/${id}`);
    // Events of the documents made before may arrive too.
    await eventually(async () => {
      const [run] = (await app.client.get(`/api/automations/${made.ruleId}/logs?document_id=${id}`)).body.data;
      assert.equal(run?.status, 'success', JSON.stringify(run));
      assert.ok(receiver.at('/rule').some(({ headers: sent }) => sent['x-code'] === `${CANARY} ${code}`));
      assert.ok(receiver.at('/hook').length > 0);
    }, 60_000);
    for (const { headers: sent } of [...receiver.at('/hook'), ...receiver.at('/rule')]) {
      assert.equal(sent['x-token'], CANARY);
    }
  });

  it('stand in no table', async () => {
    assert.deepEqual(await columnsWithCanary(), []);
  });

  it('stand in no answer', async () => {
    const { webhookId, ruleId, orderId } = made;
    for (const path of [
      ...['/api/webhooks', `/api/webhooks/${webhookId}`, `/api/webhooks/${webhookId}/logs`],
      ...['/api/automations', `/api/automations/${ruleId}`, `/api/automations/${ruleId}/logs`],
      '/api/audit-logs',
    ]) {
      const answer = await app.client.get(path);
      assert.equal(answer.status, 200, path);
      assert.doesNotMatch(JSON.stringify(answer.body), new RegExp(CANARY), path);
    }
    const { body: shown } = await app.client.get(`/api/automations/${ruleId}`);
    const masked = { 'X-Token': '•••', 'X-Code': '•••', 'Content-Type': 'application/json' };
    assert.deepEqual(shown.data.actions[0].headers, masked);
    const trial = await app.client.post(`/api/automations/${ruleId}/test`, { document_id: orderId });
    assert.equal(trial.status, 200, JSON.stringify(trial.body));
    assert.doesNotMatch(JSON.stringify(trial.body), new RegExp(CANARY));
  });

  it('stand in no history', async () => {
    let histories = 0;
    for await (const { workflowId } of temporal.client.workflow.list()) {
      const history = historyToJSON(await temporal.client.workflow.getHandle(workflowId).fetchHistory());
      const encoded = [0, 1, 2].map((shift) =>
        Buffer.from(CANARY)
          .subarray(shift, shift + 21)
          .toString('base64'),
      );
      for (const text of [CANARY, ...encoded]) assert.ok(!history.includes(text), workflowId);
      histories++;
    }
    assert.ok(histories > 1);
  });

  it('of audit records of version 1.0.0 are masked when they are read', async () => {
    const rule = await posted('/api/automations', {
      name: 'Old',
      trigger: { type: 'document.created' },
      actions: [{ type: 'http.request', url: `${receiver.url}/rule`, headers: { 'X-Token': 'v' } }],
    });
    const admin = new pg.Client({ connectionString: app.databaseUrl });
    await admin.connect();
    const { rowCount } = await admin.query(
      `update audit_logs set new_value = jsonb_set(new_value::jsonb, '{actions,0,headers,X-Token}', '"${CANARY}"')
       where entity_id = $1`,
      [rule.id],
    );
    await admin.end();
    assert.equal(rowCount, 1);
    const { body } = await app.client.get(`/api/audit-logs?entityId=${rule.id}`);
    assert.equal(body.data[0].newValue.actions[0].headers['X-Token'], '•••');
    const { body: one } = await app.client.get(`/api/audit-logs/${body.data[0].id}`);
    assert.doesNotMatch(JSON.stringify(one), new RegExp(CANARY));
  });
});
