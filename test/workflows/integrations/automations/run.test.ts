import assert from 'node:assert/strict';
import { automationRunId } from '../../../../workflows/integrations/automations/contract.ts';
import { openTill } from '../../../api/trade/payments/till.ts';
import { use, useIntegrations, useWorker } from '../../../helpers/hooks.ts';
import { eventually, testConfig } from '../../../helpers/worker.ts';

interface Run {
  readonly id: string;
  readonly event_id: string;
  readonly document_id: string;
  readonly status: string;
  readonly reason: string | null;
  readonly depth: number;
  readonly actions_executed: readonly string[];
  readonly results: readonly { readonly status: string; readonly attempts: number; readonly error: string | null }[];
}

describe('runs of automations', function () {
  this.timeout(180_000);
  const { temporal, app, receiver } = useIntegrations();
  useWorker(() => testConfig({ url: app.databaseUrl, ...temporal }));
  const till = use(() => openTill(app));

  async function posted(path: string, body: object): Promise<{ id: string; code: string }> {
    const answer = await app.client.post(path, body);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body.data;
  }
  const make = async (rule: object) => (await posted('/api/automations', { name: 'Rule', ...rule })).id;
  const document = (price: number, path = '/api/sales/invoices') =>
    posted(path, { partnerId: till.customerId, lines: [{ description: 'Transporte', quantity: 1, price }] });
  const logs = async (id: string): Promise<Run[]> => (await app.client.get(`/api/automations/${id}/logs`)).body.data;
  const ended = (id: string, count = 1) =>
    eventually(async () => {
      const runs = (await logs(id)).filter(({ status }) => status !== 'running');
      assert.equal(runs.length, count, JSON.stringify(await logs(id)));
      return runs;
    }, 60_000);

  it('perform their actions for documents that meet the conditions, and for no others', async () => {
    const id = await make({
      trigger: { type: 'document.created', document_type: 'sales_order' },
      conditions: [{ field: 'document.total', operator: 'greater_than', value: 1000 }],
      actions: [
        { type: 'document.update_field', field: 'internalNotes', value: 'Big: {{document.partner.name}}' },
        { type: 'notification.create', role: 'owner', title: 'Big {{document.code}}', body: '{{document.total}}' },
      ],
    });
    await document(10, '/api/sales');
    await document(5000);
    const big = await document(5000, '/api/sales');
    const [run] = await ended(id);
    assert.deepEqual(
      [run?.document_id, run?.status, run?.actions_executed],
      [big.id, 'success', ['document.update_field', 'notification.create']],
      JSON.stringify(run),
    );
    const { body: order } = await app.client.get(`/api/sales/${big.id}`);
    assert.equal(order.data.internalNotes, `Big: ${(await till.read(`/api/partners/${till.customerId}`)).name}`);
    const { body: inbox } = await app.client.get('/api/notifications?type=automation_triggered');
    const titles = inbox.data.map(({ title }: { title: string }) => title);
    assert.deepEqual(titles.sort(), [`Big ${big.code}`, 'Se ha ejecutado Rule'].sort());
    const { body: rule } = await app.client.get(`/api/automations/${id}`);
    assert.equal(rule.data.execution_count, 1);
    assert.notEqual(rule.data.last_executed_at, null);
  });

  it('call other servers, retry failures with the same key, and continue after permanent ones', async () => {
    receiver.answer('/flaky', (response, nth) => void response.writeHead(nth === 1 ? 503 : 200).end('thanks'));
    receiver.answer('/refuses', (response) => void response.writeHead(422).end('no'));
    const id = await make({
      trigger: { type: 'document.status_changed', from_status: 'D', to_status: 'O', document_type: 'sales_invoice' },
      actions: [
        { type: 'http.request', url: `${receiver.url}/refuses`, method: 'PUT', body: { total: '{{document.total}}' } },
        { type: 'webhook.call', url: `${receiver.url}/flaky`, body: '{"id":"{{document.id}}"}' },
      ],
    });
    const draft = await document(10);
    await posted(`/api/sales/invoices/${draft.id}/post`, {});
    const [run] = await ended(id);
    assert.equal(run?.status, 'partial', JSON.stringify(run));
    const tried = run?.results.map(({ status, attempts, error }) => [status, attempts, error]);
    assert.deepEqual(tried, [
      ['failed', 1, 'HTTP 422'],
      ['success', 2, null],
    ]);
    const flaky = receiver.at('/flaky');
    assert.equal(flaky.length, 2);
    assert.equal(new Set(flaky.map(({ headers }) => headers['idempotency-key'])).size, 1);
    assert.deepEqual(JSON.parse(flaky[0]?.body ?? ''), { id: draft.id });
    assert.deepEqual(JSON.parse(receiver.at('/refuses')[0]?.body ?? ''), { total: 12.1 });

    receiver.answer('/refuses', (response) => void response.end());
    const { status } = await app.client.post(`/api/automations/${id}/logs/${run?.id}/rerun`);
    assert.equal(status, 202);
    await eventually(async () => assert.equal((await logs(id))[0]?.status, 'success'), 60_000);
    assert.equal(receiver.at('/refuses').length, 2);
  });

  it('end as cancelled when an operator cancels them while a call waits to be tried again', async () => {
    receiver.answer('/waits', (response) => void response.writeHead(503, { 'retry-after': '600' }).end());
    const call = (path: string) => ({ type: 'http.request', url: receiver.url + path });
    const automationId = await make({
      trigger: { type: 'document.created', document_type: 'purchase_delivery_note' },
      actions: [call('/waits'), call('/after-it')],
    });
    await posted('/api/purchases/delivery-notes', {
      partnerId: till.supplierId,
      lines: [{ description: 'Acero', quantity: 1, price: 5 }],
    });
    const { event_id: cause } = await eventually(async () => {
      const [run] = await logs(automationId);
      assert.ok(run !== undefined && receiver.at('/waits').length > 0, JSON.stringify(run));
      return run;
    }, 60_000);
    const workflowId = automationRunId({ tenantId: app.tenantId, automationId, cause, turn: 1 });
    await temporal.client.workflow.getHandle(workflowId).cancel();
    const [run] = await ended(automationId);
    assert.deepEqual([run?.status, run?.reason, run?.results], ['cancelled', 'Cancelled by an operator', []]);
    assert.deepEqual(receiver.at('/after-it'), []);
  });

  it('mail the reports that they make to the recipients', async () => {
    await make({
      trigger: { type: 'document.created', document_type: 'sales_order' },
      actions: [
        { type: 'report.generate', report_name: 'trial_balance', format: 'csv', recipients: ['ana@example.test'] },
      ],
    });
    await document(10, '/api/sales');
    await eventually(async () => {
      const { body } = await app.client.get('/api/emails?limit=100');
      const mails = (body.data as { kind: string; to: unknown }[]).filter(({ kind }) => kind === 'report');
      assert.equal(mails.length, 1, JSON.stringify(body.data));
      assert.match(JSON.stringify(mails[0]?.to), /ana@example\.test/);
    }, 60_000);
  });

  it('fail when the secret that signs a call is lost', async () => {
    const url = `${receiver.url}/sealed`;
    const webhook = await posted('/api/webhooks', { url, event: 'document.sent', secret: 'a'.repeat(40) });
    await app.database.withSystem((trx) =>
      trx('webhooks')
        .where({ id: webhook.id })
        .update({ secret_encrypted: Buffer.from('of another key') }),
    );
    const id = await make({
      trigger: { type: 'document.created', document_type: 'purchase_invoice' },
      actions: [{ type: 'webhook.call', url }],
    });
    await posted('/api/purchases/invoices', {
      partnerId: till.supplierId,
      lines: [{ description: 'Acero', quantity: 1, price: 5 }],
    });
    const [run] = await ended(id);
    assert.deepEqual([run?.status, run?.results[0]?.attempts], ['failed', 1], JSON.stringify(run));
    assert.match(run?.results[0]?.error ?? '', /cannot be opened/);
    assert.equal(receiver.at('/sealed').length, 0);
  });

  it('stop at depth 5 when rules trigger each other', async () => {
    const id = await make({
      trigger: { type: 'document.updated', document_type: 'purchase_order' },
      actions: [{ type: 'document.update_field', field: 'internalNotes', value: '{{document.internalNotes}}+' }],
    });
    const { id: order } = await posted('/api/purchases', {
      partnerId: till.supplierId,
      lines: [{ description: 'Acero', quantity: 1, price: 5 }],
    });
    await app.client.patch(`/api/purchases/${order}`, { internalNotes: '+' });
    const runs = await ended(id, 6);
    assert.deepEqual(
      runs.map(({ depth, status, reason }) => [depth, status, reason]).sort(),
      [0, 1, 2, 3, 4, 5].map((depth) => [depth, depth < 5 ? 'success' : 'skipped', depth < 5 ? null : 'loop']),
    );
  });

  it('pause their rule when whoever made it has been demoted, and perform nothing', async () => {
    const password = 'correct horse battery';
    const { membershipId, id: userId } = await posted('/api/users', {
      ...{ email: 'demoted@example.test', name: 'Dora', role: 'admin', password },
    }).then((user) => user as unknown as { id: string; membershipId: string });
    const { body } = await app.anonymous.post('/api/auth/login', { email: 'demoted@example.test', password });
    const actions = [{ type: 'document.update_field', field: 'internalNotes', value: 'still hers' }];
    const rule = { name: 'Hers', trigger: { type: 'document.created', document_type: 'sales_order' }, actions };
    const made = await app.as(body.token).post('/api/automations', rule);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.equal((await app.client.patch(`/api/memberships/${membershipId}`, { role: 'sales' })).status, 200);
    const order = await document(10, '/api/sales');
    const path = `/api/automations/${made.body.data.id}`;
    await eventually(async () => assert.equal((await app.client.get(path)).body.data.status, 'paused'), 60_000);
    const { body: paused } = await app.client.get(path);
    assert.match(paused.data.pause_reason, /may no longer do/);
    assert.equal((await app.client.get(`/api/sales/${order.id}`)).body.data.internalNotes, null);
    const told = `select distinct user_id from notifications where metadata ->> 'automation_id' = '${made.body.data.id}'`;
    const { rows } = await app.database.withTenant(app, (trx) => trx.raw(told));
    const users = rows.map((row: { user_id: string }) => row.user_id);
    assert.deepEqual(users.sort(), [app.userId, userId].sort());
  });

  it('are paused with a notification when they are too frequent', async () => {
    const id = await make({
      trigger: { type: 'document.created', document_type: 'sales_delivery_note' },
      actions: [{ type: 'notification.create', role: 'viewer', title: 'A note', body: 'A note' }],
    });
    const note = { partnerId: till.customerId, lines: [{ description: 'Transporte', quantity: 1, price: 1 }] };
    for (let made = 0; made < 70; made++) await posted('/api/sales/delivery-notes', note);
    const rule = await eventually(async () => {
      const { body } = await app.client.get(`/api/automations/${id}`);
      assert.equal(body.data.status, 'paused');
      return body.data;
    }, 60_000);
    assert.equal(rule.pause_reason, 'It ran 60 times within a minute');
    const { body: alerts } = await app.client.get('/api/notifications?type=system_alert');
    assert.ok(alerts.data.some(({ title }: { title: string }) => title === 'La automatización Rule está en pausa'));
  });

  it('are one for each line of the document that meets the conditions, if so wanted, and told together', async () => {
    const id = await make({
      trigger: { type: 'document.created', document_type: 'sales_order' },
      for_each: 'line',
      conditions: [{ field: 'line.quantity', operator: 'at_least', value: 2 }],
      actions: [
        { type: 'document.update_field', field: 'internalNotes', value: '{{line.quantity}} × {{line.description}}' },
      ],
    });
    const line = (description: string, quantity: number) => ({ description, quantity, price: 1 });
    const lines = [line('One', 1), line('Two', 2), line('Three', 3)];
    const order = await posted('/api/sales', { partnerId: till.customerId, lines });
    const runs = (await ended(id, 2)) as (Run & { line_id: string })[];
    const { data } = (await app.client.get(`/api/sales/${order.id}`)).body;
    const [, two, three] = data.lines as { id: string }[];
    assert.deepEqual(runs.map(({ line_id: ran }) => ran).sort(), [two?.id, three?.id].sort());
    assert.ok(['2 × Two', '3 × Three'].includes(data.internalNotes), data.internalNotes);
    await eventually(async () => {
      const { body } = await app.client.get('/api/notifications?type=automation_triggered');
      const told = body.data.filter(
        ({ metadata }: { metadata: { automation_id?: string } }) => metadata?.automation_id === id,
      );
      assert.deepEqual(
        told.map(({ body: text }: { body: string }) => text),
        ['Líneas tratadas: 2; con acciones fallidas: 0'],
      );
    });
  });
});
