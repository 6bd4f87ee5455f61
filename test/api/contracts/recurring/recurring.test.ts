/** Recurring documents over HTTP: what can be agreed, and what is refused. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { use, useApp } from '../../../helpers/hooks.ts';
import { addMember } from '../../../helpers/members.ts';
import { assertProblem, assertRefused } from '../../../helpers/problem.ts';
import { openSubscriptions, type Subscriptions } from '../../../helpers/subscriptions.ts';

const PATH = '/api/recurring';

describe('recurring documents', () => {
  const app = useApp({ clock: { now: new Date('2026-03-15T10:00:00Z') } });
  const trade: Subscriptions = use(() => openSubscriptions(app));

  it('have defaults, and say what they charge next', async () => {
    const made = await trade.subscribe({ name: 'Maintenance' });
    const { id, template, version, created_at: _, updated_at: __, ...shown } = made;
    assert.deepEqual(shown, {
      name: 'Maintenance',
      document_type: 'sales_invoice',
      interval: { unit: 'month', count: 1, day: 15, cron: null },
      ...{ starts_on: '2026-03-15', ends_on: null, count: null, billed_at: 'start', prorate: false },
      ...{ mode: 'draft', price: 'fixed', index_percent: null, index_months: null, missed: 'all' },
      ...{ partner_id: trade.customerId, active: true, next_on: '2026-03-15', made: 0, created_by: app.userId },
      next_runs: [
        { due_on: '2026-03-15', from: '2026-03-15', to: '2026-04-14' },
        { due_on: '2026-04-15', from: '2026-04-15', to: '2026-05-14' },
        { due_on: '2026-05-15', from: '2026-05-15', to: '2026-06-14' },
        { due_on: '2026-06-15', from: '2026-06-15', to: '2026-07-14' },
        { due_on: '2026-07-15', from: '2026-07-15', to: '2026-08-14' },
      ],
    });
    // A fixed price is that of the day on which it was agreed.
    assert.deepEqual((template as { lines: object[] }).lines, [
      { itemId: trade.serviceId, quantity: 2, price: 40, discountPercent: 0 },
    ]);
    assert.equal(version, 1);
    const { body } = await app.client.get(`${PATH}?name=Maintenance`);
    const { next_runs: ___, ...listed } = made;
    assert.deepEqual(body.data, [listed]);
    assert.deepEqual((await app.client.get(`${PATH}/${id}`)).body.data, made);
  });

  it('are made once for several who ask at once, of the version that they have read', async () => {
    const { id } = await trade.subscribe({ mode: 'draft', interval: { unit: 'month', day: 1 } });
    const body = { period_from: '2026-04-01' };
    const answers = await Promise.all([1, 2, 3].map(() => app.client.post(`${PATH}/${id}/run`, body)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 412, 412]);
    assertProblem(await app.client.post(`${PATH}/${id}/run`, {}, { 'If-Match': '"99"' }), 412, 'stale_version');
  });

  it('charge a part of amounts of the whole document, too, and raise them', async () => {
    const lines = [{ description: 'Rent', quantity: 1, price: 100 }];
    const template = { partnerId: trade.customerId, discountAmount: 20, chargeAmount: 8, lines };
    const { id } = await trade.subscribe({
      ...{ mode: 'draft', interval: { unit: 'month', day: 1 }, template },
      ...{ starts_on: '2026-03-17', ends_on: '2026-03-31', prorate: true, index_percent: 50, index_months: 1 },
    });
    const { body } = await app.client.post(`${PATH}/${id}/run`);
    const { data } = (await app.client.get(`/api/sales/invoices/${body.data.document_id}`)).body;
    assert.deepEqual([data.discountAmount, data.chargeAmount, data.subtotal], [9.68, 3.87, 42.58]);
  });

  it('are made now, before they are due, and go on with the next period', async () => {
    const { id } = await trade.subscribe({
      mode: 'post',
      interval: { unit: 'month', day: 1 },
      template: {
        partnerId: trade.customerId,
        notes: 'Month {{ period.month }} {{ period.year }}',
        lines: [{ itemId: trade.serviceId, quantity: 1, description: 'From {{ period.from }} to {{ period.to }}' }],
      },
    });
    const { status, body } = await app.client.post(`${PATH}/${id}/run`);
    assert.equal(status, 201);
    const { document_id: documentId, id: runId, created_at: _, ...run } = body.data;
    assert.deepEqual(run, {
      ...{ number: 1, period_from: '2026-04-01', period_to: '2026-04-30', due_on: '2026-04-01' },
      ...{ outcome: 'made', reason: null, entry_id: null },
    });
    const { data: invoice } = (await app.client.get(`/api/sales/invoices/${documentId}`)).body;
    assert.deepEqual(
      [invoice.status, invoice.date, invoice.notes, invoice.lines[0].description, invoice.total],
      ['O', '2026-03-15', 'Month abril 2026', 'From 01/04/2026 to 30/04/2026', 48.4],
    );
    const { body: after } = await app.client.get(`${PATH}/${id}`);
    assert.deepEqual([after.data.made, after.data.next_on], [1, '2026-05-01']);
    const { body: runs } = await app.client.get(`${PATH}/${id}/runs`);
    assert.deepEqual(runs.data, [body.data]);
    assertProblem(await app.client.post(`${PATH}/${id}/runs/${runId}/retry`), 409, 'invalid_transition');
    assertProblem(await app.client.del(`${PATH}/${id}`), 409, 'invalid_transition');
  });

  it('take over an invoice, an order or an entry that exists', async () => {
    const { body: invoice } = await app.client.post('/api/sales/invoices', {
      partnerId: trade.customerId,
      notes: 'As agreed',
      lines: [{ itemId: trade.serviceId, quantity: 3, price: 12.5, discountPercent: 10 }],
    });
    const copied = await trade.subscribe({ template: null, from_document_id: invoice.data.id });
    const template = copied.template as { notes: string; lines: Record<string, unknown>[] };
    const { quantity, price, discountPercent } = template.lines[0] ?? {};
    assert.deepEqual([template.notes, quantity, price, discountPercent], ['As agreed', 3, 12.5, 10]);
    const { id } = await trade.subscribeEntry(100);
    const { body: run } = await app.client.post(`${PATH}/${id}/run`);
    const { body: entry } = await app.client.get(`/api/journal-entries/${run.data.entry_id}`);
    assert.deepEqual([entry.data.status, entry.data.total, entry.data.date], ['posted', 100, '2026-03-31']);
    const again = await trade.subscribe({
      ...{ document_type: 'journal_entry', mode: 'draft', template: null, from_document_id: run.data.entry_id },
    });
    assert.deepEqual((again.template as { lines: object[] }).lines.length, 2);
  });

  it('take over amounts in other currencies, and services of their own periods', async () => {
    const { template } = (await trade.subscribeEntry(100)) as { template?: { lines: Record<string, unknown>[] } };
    const [rent, bank] = template?.lines ?? [];
    const lines = [
      { ...rent, serviceFrom: '2026-03-01', serviceTo: '2026-03-31' },
      { ...bank, currency: 'USD', currencyAmount: 110 },
    ];
    const { body } = await app.client.post('/api/journal-entries', { date: '2026-03-01', post: true, lines });
    const again = await trade.subscribe({
      ...{ document_type: 'journal_entry', mode: 'draft', template: null, from_document_id: body.data.id },
    });
    const taken = (again.template as { lines: Record<string, unknown>[] }).lines;
    assert.deepEqual([taken[0]?.serviceFrom, taken[0]?.serviceTo], ['2026-03-01', '2026-03-31']);
    assert.deepEqual([taken[1]?.currency, taken[1]?.currencyAmount], ['USD', 110]);
  });

  it('are set up while the month of today is locked, for those after it', async () => {
    const [{ id }] = (await app.client.get('/api/periods?code=2026-03')).body.data;
    const lock = async (lockedAreas: string[]) =>
      assert.equal((await app.client.patch(`/api/periods/${id}`, { lockedAreas })).status, 200);
    await lock(['all']);
    const document = await trade.subscribe({ starts_on: '2026-04-01', mode: 'draft', interval: { unit: 'month' } });
    const entry = await trade.subscribeEntry(100);
    assert.deepEqual([document.next_on, entry.next_on], ['2026-04-01', '2026-03-31']);
    assertProblem(await app.client.post(`${PATH}/${entry.id}/run`), 409, 'period_locked');
    await lock([]);
    for (const one of [document, entry]) await app.client.del(`${PATH}/${one.id}`);
  });

  it('plan the reversal of each entry for the first day of a later month', async () => {
    const { template } = (await trade.subscribeEntry(100)) as { template?: { lines: object[] } };
    const lines = template?.lines;
    const accrue = (reversesAfterMonths: number) =>
      app.client.post(PATH, {
        ...{ name: 'Interest', document_type: 'journal_entry', mode: 'post', interval: { unit: 'month', day: 31 } },
        template: { description: 'Intereses', lines, reversesAfterMonths },
      });
    for (const wrong of [0, 13, 1.5]) assertRefused(await accrue(wrong), '/template/reversesAfterMonths');
    const { id } = (await accrue(1)).body.data;
    for (const [date, reversesOn] of [
      ['2026-03-31', '2026-04-01'],
      ['2026-04-30', '2026-05-01'],
    ]) {
      const { body: run } = await app.client.post(`${PATH}/${id}/run`);
      const { data } = (await app.client.get(`/api/journal-entries/${run.data.entry_id}`)).body;
      assert.deepEqual([data.date, data.reversesOn], [date, reversesOn]);
    }
  });

  it('are paused, resumed and changed', async () => {
    const { id, version } = await trade.subscribe({ starts_on: '2026-02-01', interval: { unit: 'month' } });
    assert.equal((await app.client.post(`${PATH}/${id}/pause`)).body.data.active, false);
    assertProblem(await app.client.post(`${PATH}/${id}/run`), 409, 'invalid_transition');
    const resumed = await app.client.post(`${PATH}/${id}/resume`);
    // What was due in February and March is left out.
    assert.deepEqual([resumed.body.data.active, resumed.body.data.next_on], [true, '2026-04-01']);
    const ended = await app.client.patch(`${PATH}/${id}`, { ends_on: '2026-03-31', name: 'Ended' });
    assert.deepEqual([ended.body.data.next_on, ended.body.data.next_runs], [null, []]);
    assertProblem(await app.client.post(`${PATH}/${id}/run`), 409, 'invalid_transition');
    const stale = await app.client.patch(`${PATH}/${id}`, { name: 'Other' }, { 'If-Match': `"${version}"` });
    assertProblem(stale, 412, 'stale_version');
    assert.equal((await app.client.del(`${PATH}/${id}`)).status, 204);
  });

  it('charge the rest of a period when they change within it', async () => {
    const { id } = await trade.subscribe({ starts_on: '2026-03-01', interval: { unit: 'month' }, mode: 'draft' });
    await app.client.post(`${PATH}/${id}/run`);
    const more = { partnerId: trade.customerId, lines: [{ itemId: trade.serviceId, quantity: 5, price: 40 }] };
    const change = { template: more, prorate_from: '2026-03-22' };
    assert.equal((await app.client.patch(`${PATH}/${id}`, change)).status, 200);
    const { body } = await app.client.post(`${PATH}/${id}/run`);
    const { data: invoice } = (await app.client.get(`/api/sales/invoices/${body.data.document_id}`)).body;
    // Ten days of 31: 3 more of 40.
    const amounts = invoice.lines.map(({ amount }: { amount: number }) => amount);
    assert.deepEqual(amounts, [200, 64.52, -25.81]);
    assert.match(invoice.lines[1].description, /\(2026-03-22 – 2026-03-31\)$/);
    const third = await app.client.post(`${PATH}/${id}/run`);
    const { data: plain } = (await app.client.get(`/api/sales/invoices/${third.body.data.document_id}`)).body;
    assert.equal(plain.lines.length, 1);
  });

  it('are refused where they could not run', async () => {
    const lines = [{ itemId: trade.serviceId, quantity: 1 }];
    const template = { partnerId: trade.customerId, lines };
    const bad: [object, string, string][] = [
      [{ interval: {} }, '/interval/unit', 'required'],
      [{ interval: { cron: '0 8 * * *' } }, '/interval/cron', 'not_allowed'],
      [{ interval: { cron: '0 0 30 2 *' } }, '/interval/cron', 'never_fires'],
      [{ interval: { cron: '0 0 * * 1', unit: 'week' } }, '/interval/unit', 'not_allowed'],
      [{ interval: { unit: 'week', day: 3 } }, '/interval/day', 'not_applicable'],
      [{ interval: { unit: 'month', day: 32 } }, '/interval/day', 'out_of_range'],
      [{ interval: { cron: '0 0 * * 1' }, prorate: true }, '/prorate', 'not_applicable'],
      [{ ends_on: '2026-03-14' }, '/ends_on', 'out_of_range'],
      [{ interval: { unit: 'month', day: 1 }, ends_on: '2026-03-20' }, '/ends_on', 'out_of_range'],
      [{ interval: { unit: 'day' }, starts_on: '2020-01-01' }, '/starts_on', 'too_many'],
      [{ price: 'current', index_percent: 3 }, '/index_percent', 'not_applicable'],
      [{ price: 'current', prorate: true }, '/prorate', 'not_applicable'],
      [{ index_months: 3 }, '/index_months', 'not_applicable'],
      [{ template: null }, '/template', 'required'],
      [{ template, from_document_id: app.userId }, '/from_document_id', 'not_allowed'],
      [{ template: null, from_document_id: app.userId }, '/from_document_id', 'invalid_reference'],
      [{ template: { ...template, date: '2026-01-01' } }, '/template/date', 'unknown_field'],
      [{ template: { partnerId: app.userId, lines } }, '/template/partnerId', 'invalid_reference'],
      [{ template: { ...template, lines: [{ quantity: 1 }] } }, '/template/lines/0/itemId', 'required'],
      [{ template: { ...template, custom_none: 1 } }, '/template/custom_none', 'unknown_field'],
      [{ template: { ...template, notes: '{{ period.end }}' } }, '/template/notes', 'unknown_name'],
      [{ document_type: 'sales_order', mode: 'draft' }, '/mode', 'not_applicable'],
      [{ document_type: 'journal_entry', mode: 'send' }, '/mode', 'not_applicable'],
      [{ document_type: 'journal_entry', mode: 'post', template: { lines: [] } }, '/template/lines', 'too_few'],
    ];
    const before = (await app.client.get(PATH)).body.pagination.total;
    for (const [members, pointer, code] of bad) {
      const given = { name: 'Bad', document_type: 'sales_invoice', interval: { unit: 'month' }, template, ...members };
      const { status, body } = await app.client.post(PATH, given);
      const found = (body as { errors?: { pointer: string; code: string }[] }).errors?.[0];
      assert.deepEqual([status, found?.pointer, found?.code], [422, pointer, code], JSON.stringify([members, body]));
    }
    assert.equal((await app.client.get(PATH)).body.pagination.total, before);
  });

  it('are refused changes that do not fit what was made', async () => {
    const { id } = await trade.subscribe({ starts_on: '2026-03-01', interval: { unit: 'month' }, prorate: true });
    await app.client.post(`${PATH}/${id}/run`);
    const lines = [{ itemId: trade.goodsId, quantity: 1, price: 1 }];
    const goods = { partnerId: trade.customerId, lines };
    const bad: [object, string, string][] = [
      [{ ends_on: '2026-03-20' }, '/ends_on', 'out_of_range'],
      [{ prorate_from: '2026-03-20' }, '/prorate_from', 'not_applicable'],
      [{ template: goods, prorate_from: '2026-03-20' }, '/prorate_from', 'not_applicable'],
      [
        { template: { ...goods, lines: [{ itemId: trade.serviceId, quantity: 1 }] }, prorate_from: '2026-04-20' },
        '/prorate_from',
        'out_of_range',
      ],
      [{ interval: { unit: 'week' } }, '/interval', 'read_only'],
    ];
    for (const [members, pointer, code] of bad) {
      const { status, body } = await app.client.patch(`${PATH}/${id}`, members);
      const found = (body as { errors?: { pointer: string; code: string }[] }).errors?.[0];
      assert.deepEqual([status, found?.pointer, found?.code], [422, pointer, code], JSON.stringify([members, body]));
    }
    await app.client.post(`${PATH}/${id}/run`);
    const few = await app.client.patch(`${PATH}/${id}`, { count: 1 });
    assert.deepEqual(few.body.errors[0].pointer, '/count');
    assert.equal((await app.client.patch(`${PATH}/${id}`, { count: 2 })).body.data.next_on, null);
  });

  it('are seen and made by those who may see and make their documents', async () => {
    const { id } = await trade.subscribe({});
    const entry = await trade.subscribeEntry(5);
    const sales = (await addMember(app, 'sales')).client;
    const listed = (await sales.get(PATH)).body.data.map(({ id: one }: { id: string }) => one);
    assert.deepEqual([listed.includes(id), listed.includes(entry.id)], [true, false]);
    assertProblem(await sales.get(`${PATH}/${entry.id}`), 404, 'not_found');
    assertProblem(await sales.post(`${PATH}/${entry.id}/run`), 404, 'not_found');
    const purchase = {
      ...{ name: 'Rent', document_type: 'purchase_invoice', interval: { unit: 'month' } },
      template: { partnerId: trade.customerId, lines: [{ description: 'Rent', quantity: 1, price: 1 }] },
    };
    assertProblem(await sales.post(PATH, purchase), 403, 'forbidden');
    const warehouse = (await addMember(app, 'warehouse')).client;
    assertProblem(await warehouse.get(PATH), 403, 'forbidden');
  });
});
