/** Trials of automations: what their conditions see, and what their actions would do (decision 0196). */
import assert from 'node:assert/strict';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { link, openTill } from '../../trade/payments/till.ts';

const PATH = '/api/automations';

describe('trials of automations', () => {
  const app = useApp();
  const till = use(() => openTill(app));

  const tryRule = async (rule: object, body?: object) => {
    const made = await app.client.post(PATH, { name: 'A rule', actions: [{ type: 'document.cancel' }], ...rule });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const tried = await app.client.post(`${PATH}/${made.body.data.id}/test`, body);
    return { tried, trial: tried.body.data, id: made.body.data.id as string };
  };
  const counts = () =>
    app.database.readTenant({ tenantId: app.tenantId }, async (db) => {
      const tables = ['outbox', 'audit_logs', 'notifications', 'emails', 'documents'];
      return await Promise.all(tables.map(async (table) => (await db(table).count('* as n').first())?.n));
    });

  it('are made on the latest payment of the right direction, and on an item below its minimum', async () => {
    const notice = { type: 'notification.create', role: 'owner', title: '{{item.code}}{{payment.amount}}', body: 'x' };
    const titles = async (type: string) => {
      const { trial } = await tryRule({ trigger: { type }, actions: [notice] });
      return [trial.matched, trial.actions[0].rendered.title];
    };
    await till.paid(70, []);
    const nothing = [await titles('payment.made'), await titles('stock.low')];
    assert.deepEqual(nothing, [
      [false, ''],
      [false, ''],
    ]);
    await till.pay('out', 30);
    const { body: item } = await app.client.patch(`/api/items/${till.itemId}`, { minStock: 1000 });
    assert.deepEqual(await titles('payment.received'), [true, '70']);
    assert.deepEqual(await titles('payment.made'), [true, '30']);
    assert.deepEqual(await titles('stock.low'), [true, item.data.code]);
    const cancels = { name: 'x', trigger: { type: 'stock.low' }, actions: [{ type: 'document.cancel' }] };
    assertProblem(await app.client.post(PATH, cancels), 422, 'validation_failed');
    const warned = { ...cancels, actions: [{ ...notice, body: '{{item.name}} {{event.stock}} {{document.code}}' }] };
    const { body } = await app.client.post(PATH, warned);
    assert.deepEqual(body.data.warnings.map(({ pointer }: { pointer: string }) => pointer).sort(), [
      '/actions/0/body',
      '/actions/0/title',
    ]);
  });

  it('of rules for each line are made on the first line that fits', async () => {
    const line = (quantity: number) => ({ description: `Q${quantity}`, quantity, price: 1 });
    const lines = [line(1), line(7), line(9)];
    const { body: order } = await app.client.post('/api/sales', { partnerId: till.customerId, lines });
    const rule = {
      trigger: { type: 'document.created', document_type: 'sales_order' },
      for_each: 'line',
      conditions: [{ field: 'line.quantity', operator: 'greater_than', value: 5 }],
      actions: [{ type: 'notification.create', role: 'owner', title: '{{line.description}}', body: '{{line.none}}' }],
    };
    const { trial, id } = await tryRule(rule);
    assert.deepEqual(
      [trial.matched, trial.document_id, trial.line_id, trial.actions[0].rendered.title],
      [true, order.data.id, order.data.lines[1].id, 'Q7'],
    );
    const { body: changed } = await app.client.patch(`${PATH}/${id}`, { for_each: null });
    assert.deepEqual(
      [changed.data.for_each, changed.data.warnings.map(({ pointer }: { pointer: string }) => pointer)],
      [null, ['/conditions/0/field', '/actions/0/body', '/actions/0/title']],
    );
    const stock = { name: 'x', trigger: { type: 'stock.low' }, for_each: 'line', actions: rule.actions };
    const refused = await app.client.post(PATH, stock);
    assert.deepEqual([refused.status, refused.body.errors[0].pointer], [422, '/for_each']);
  });

  it('are made on the latest partner, item and price', async () => {
    const { body: list } = await app.client.post('/api/pricelists', { code: 'TRIAL', name: 'Trial' });
    const priced = { itemId: till.itemId, price: 3.25 };
    assert.equal((await app.client.post(`/api/pricelists/${list.data.id}/prices`, priced)).status, 201);
    const rendered = async (type: string, title: string) => {
      const notice = { type: 'notification.create', role: 'owner', title, body: 'x' };
      const { trial } = await tryRule({ trigger: { type }, actions: [notice] });
      return [trial.matched, trial.actions[0].rendered.title, trial.actions[0].warnings];
    };
    const { body: item } = await app.client.get(`/api/items/${till.itemId}`);
    assert.deepEqual(await rendered('item.created', '{{item.code}}'), [true, item.data.code, []]);
    const both = await rendered('price.updated', '{{price.price}} {{item.code}}');
    assert.deepEqual(both, [true, `3.25 ${item.data.code}`, []]);
    const [matched, name] = await rendered('partner.created', '{{partner.name}}');
    assert.deepEqual([matched, name === ''], [true, false]);
    assert.deepEqual(await rendered('task.ended', 'Done'), [true, 'Done', []]);
  });

  it('show each condition of a group, and whether the whole holds', async () => {
    const { id } = await till.invoice('sales', 100);
    const of = (operator: string, value: unknown) => ({ field: 'document.total', operator, value });
    const against = { field: 'document.total', operator: 'at_most', value_field: 'document.subtotal' };
    for (const [conditions, matched] of [
      [{ any: [of('at_least', 101), { all: [of('between', [99, 100]), against] }] }, true],
      [{ any: [of('at_least', 101), { all: [of('less_than', 100), against] }] }, false],
    ] as const) {
      const { trial, id: rule } = await tryRule(
        { trigger: { type: 'document.created' }, conditions },
        { document_id: id },
      );
      assert.equal(trial.matched, matched);
      assert.deepEqual(
        trial.conditions.map(({ pointer, result }: { pointer: string; result: boolean }) => [pointer, result]),
        [
          ['/conditions/any/0', false],
          ['/conditions/any/1/all/0', matched],
          ['/conditions/any/1/all/1', true],
        ],
      );
      assert.equal(trial.conditions[2].expected, 100);
      assert.deepEqual((await app.client.get(`${PATH}/${rule}`)).body.data.conditions, conditions);
    }
  });

  it('show what each condition saw and each action would send, and do nothing', async () => {
    const { id } = await till.invoice('sales', 100);
    const read = await till.read(`/api/sales/invoices/${id}`);
    const partner = await till.read(`/api/partners/${till.customerId}`);
    const made = await app.client.post(PATH, { ...MAIL_AND_CALL, conditions: conditionsFor(partner.code) });
    const before = await counts();
    const { body } = await app.client.post(`${PATH}/${made.body.data.id}/test`, { document_id: id });
    assert.deepEqual(await counts(), before);
    const [mail, call, cancel] = body.data.actions;
    assert.deepEqual([body.data.matched, body.data.document_id], [true, id]);
    assert.deepEqual(body.data.conditions, [
      {
        pointer: '/conditions/0',
        field: 'document.total',
        operator: 'greater_than',
        expected: 99.99,
        actual: 100,
        result: true,
      },
      {
        pointer: '/conditions/1',
        field: 'document.partner.code',
        operator: 'in',
        expected: [partner.code],
        actual: partner.code,
        result: true,
      },
    ]);
    const { name } = (await app.client.get('/api/company')).body;
    assert.deepEqual(mail.rendered, {
      to: partner.email ?? '',
      subject: `${read.code} of ${name}`,
      body_html: '<p>100 </p>',
      attach_pdf: true,
    });
    assert.equal(mail.warnings[0], '{{document.nothing}} leads to nothing');
    assert.equal(call.rendered.url, `https://example.com/${encodeURIComponent(read.code)}`);
    assert.deepEqual(call.rendered.body.all, read);
    assert.deepEqual(cancel, { type: 'document.cancel', rendered: {}, warnings: [] });
  });

  it('take the latest document that fits, or say that none does', async () => {
    const [small, big, last] = [
      await till.invoice('sales', 10),
      await till.invoice('sales', 700),
      await till.invoice('sales', 20),
    ];
    const trigger = { type: 'document.created', document_type: 'sales_invoice' };
    const over = (value: number) => [{ field: 'document.total', operator: 'greater_than', value }];
    assert.equal((await tryRule({ trigger, conditions: over(500) })).trial.document_id, big.id);
    const none = (await tryRule({ trigger, conditions: over(9000) })).trial;
    assert.deepEqual([none.matched, none.document_id, none.conditions[0].actual], [false, last.id, 20]);
    const named = (await tryRule({ trigger, conditions: over(500) }, { document_id: small.id })).trial;
    assert.deepEqual([named.matched, named.document_id], [false, small.id]);
    const other = (await tryRule({ trigger: { ...trigger, document_type: 'sales_order' } }, { document_id: big.id }))
      .trial;
    assert.equal(other.matched, false);
    const empty = (await tryRule({ trigger: { ...trigger, document_type: 'purchase_order' } })).trial;
    assert.deepEqual([empty.matched, empty.document_id], [false, null]);
  });

  it('of payments see the payment and the document that it pays', async () => {
    const { id } = await till.invoice('sales', 300);
    await till.pay('in', 300, { reference: 'TR-9', linked_documents: [link(id, 300)] });
    const title = '{{payment.reference}} {{payment.amount}} {{document.payment_status}} {{payment.partner.name}}';
    const actions = [{ type: 'notification.create', role: 'accountant', title, body: 'Paid' }];
    const { trial } = await tryRule({ trigger: { type: 'payment.received' }, actions });
    const { name } = await till.read(`/api/partners/${till.customerId}`);
    assert.deepEqual([trial.matched, trial.document_id], [true, id]);
    assert.equal(trial.actions[0].rendered.title, `TR-9 300 paid ${name}`);
  });

  it('warn of what would be refused: templates that expand a thousandfold, and mails to nobody', async () => {
    const { id } = await till.invoice('sales', 40);
    const mail = { type: 'email.send', to: '{{document.nobody}}', subject: 'Hello', body_html: 'Hello' };
    const trigger = { type: 'document.created' };
    const { trial } = await tryRule({ trigger, actions: [mail] }, { document_id: id });
    assert.deepEqual(trial.actions[0].warnings, ['{{document.nobody}} leads to nothing', 'to must name an address']);
    const part = '{{json_document}}'.repeat(110);
    const names = Array.from({ length: 20 }, (_, n) => `x-${n}`);
    const bombs = [
      { headers: Object.fromEntries(names.map((name) => [name, part])) },
      // Each of them is short.
      { body: { all: Array.from({ length: 2500 }, () => '{{json_document}}') } },
    ];
    for (const bomb of bombs) {
      const call = { type: 'http.request', url: 'https://example.com', ...bomb };
      const [action] = (await tryRule({ trigger, actions: [call] }, { document_id: id })).trial.actions;
      assert.deepEqual(action.warnings, ['It cannot be done: Its templates become more than 2000000 characters']);
      assert.deepEqual(action.rendered, {});
    }
  });

  it('convert numbers to text for text fields, and keep them for others', async () => {
    const { id } = await till.invoice('sales', 40);
    const fields = ['notes', 'internal_notes', 'custom_weight'];
    const actions = fields.map((field) => ({ type: 'document.update_field', field, value: '{{document.total}}' }));
    const { trial } = await tryRule({ trigger: { type: 'document.created' }, actions }, { document_id: id });
    const values = trial.actions.map(({ rendered }: { rendered: { value: unknown } }) => rendered.value);
    assert.deepEqual(values, ['40', '40', 40]);
  });

  it('read cost centers of documents and their lines, and give documents one', async () => {
    const make = async (path: string, body: object) => (await app.client.post(path, body)).body.data;
    const { id: center } = await make('/api/cost-centers', { code: 'NORTE', name: 'Norte' });
    const lines = [{ description: 'Rent', quantity: 1, price: 1 }];
    const named = await make('/api/sales', { partnerId: till.customerId, costCenterId: center, lines });
    const other = await make('/api/sales', { partnerId: till.customerId, lines });
    const rule = (field: string) => ({
      trigger: { type: 'document.created', document_type: 'sales_order' },
      for_each: 'line',
      conditions: [{ field, operator: 'equals', value: center }],
      actions: [{ type: 'document.update_field', field: 'cost_center_id', value: center }],
    });
    for (const field of ['document.costCenterId', 'line.costCenterId']) {
      const fits = await tryRule(rule(field), { document_id: named.id });
      const fails = await tryRule(rule(field), { document_id: other.id });
      assert.deepEqual([fits.trial.matched, fails.trial.matched], [true, false], field);
      assert.deepEqual(fits.trial.actions[0].warnings, []);
    }
  });

  it('refuse documents that are not the company’s own', async () => {
    const rule = { trigger: { type: 'document.created' } };
    const { tried } = await tryRule(rule, { document_id: '0192f0c1-7a10-7c3e-8d52-1f6a5b2c9e00' });
    assertProblem(tried, 422, 'validation_failed');
    assert.equal(tried.body.errors[0].pointer, '/document_id');
  });
});

/** Everything that an action may show. */
const MAIL_AND_CALL = {
  name: 'A rule',
  trigger: { type: 'document.created', document_type: 'SINV' },
  actions: [
    {
      type: 'email.send',
      to: '{{document.partner.email}}',
      subject: '{{document.code}} of {{company.name}}',
      body_html: '<p>{{document.total}} {{document.nothing}}</p>',
      attach_pdf: true,
    },
    { type: 'http.request', url: 'https://example.com/{{document.code}}', body: { all: '{{json_document}}' } },
    { type: 'document.cancel' },
  ],
};

const conditionsFor = (code: string) => [
  { field: 'document.total', operator: 'greater_than', value: 99.99 },
  { field: 'document.partner.code', operator: 'in', value: [code] },
];
