import assert from 'node:assert/strict';
import type { Answer } from '../../../helpers/client.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { openTill } from '../payments/till.ts';

type Body = Record<string, unknown>;

/** Salespeople and their commissions (decision 0310). */
describe('commissions', () => {
  const app = useApp();
  const till = use(() => openTill(app));
  const books = use(() => openBooks(app));
  let codes = 0;
  const person = (more: Body = {}) =>
    books.make<Answer['body']>('/api/salespeople', { code: `S${++codes}`, name: `Seller ${codes}`, ...more });
  const rate = (more: Body) => books.make<Answer['body']>('/api/commission-rates', { name: `R${++codes}`, ...more });
  const invoiced = async (lines: readonly Body[], more: Body = {}) => {
    const invoice = await books.make<Answer['body']>('/api/sales/invoices', {
      partnerId: till.customerId,
      lines,
      ...more,
    });
    await books.make(`/api/sales/invoices/${invoice.id}/post`);
    return invoice;
  };
  const service = (price: number, more: Body = {}) => ({ description: 'Servicio', quantity: 1, price, ...more });
  const report = async (id: string) =>
    (await app.client.get(`/api/reports/commissions?salesperson_id=${id}`)).body.summary;
  const lines = async (id: string) =>
    (await app.client.get(`/api/reports/commission-lines?salesperson_id=${id}`)).body.data.rows as Answer['body'][];
  const settle = (salespersonId: string, more: Body = {}) =>
    app.client.post('/api/commission-settlements', { salespersonId, ...more });

  it('follow the narrowest rate: person, item, category, margin; or what the line agrees', async () => {
    const [seller, other] = [await person(), await person()];
    const above = await books.make<Answer['body']>('/api/categories', { name: `Fruta ${++codes}` });
    const category = await books.make<Answer['body']>('/api/categories', { name: `Uvas ${codes}`, parentId: above.id });
    const { uomId } = (await app.client.get(`/api/items/${till.itemId}`)).body.data;
    const goods = async (name: string, more: Body = {}) =>
      (await books.make<Answer['body']>('/api/items', { name, uomId, type: 'service', ...more })).id as string;
    const [plain, grapes] = [await goods('Plain'), await goods('Grapes', { categoryId: category.id })];
    const rates = [
      await rate({ percent: 1 }),
      await rate({ percent: 2, categoryId: above.id }),
      await rate({ percent: 3, categoryId: category.id, minMarginPercent: 100 }),
      await rate({ percent: 10, salespersonId: seller.id, itemId: plain, basis: 'margin' }),
      await rate({ percent: 50, itemId: plain, validTo: '2020-12-31' }),
      await rate({ percent: 60, active: false }),
    ];
    const sold = [
      { itemId: plain, quantity: 1, price: 100 },
      { itemId: grapes, quantity: 2, price: 50 },
      service(40, { commissionPercent: 12.5 }),
      service(30, { salespersonId: other.id }),
    ];
    await invoiced(sold, { salespersonId: seller.id });
    const shown = (await lines(seller.id)).map(({ base, percent, commission, basis }) => [
      basis,
      base,
      percent,
      commission,
    ]);
    assert.deepEqual(shown, [
      ['margin', 100, 10, 10],
      ['amount', 100, 3, 3],
      ['amount', 40, 12.5, 5],
    ]);
    assert.equal((await report(seller.id)).commission, 18);
    assert.equal((await report(other.id)).commission, 0.3);
    for (const { id } of rates) await app.client.del(`/api/commission-rates/${id}`);
  });

  it('are of the cost center or project of their lines, and lead to these', async () => {
    const seller = await person();
    const project = (await books.make('/api/projects', { name: `P${++codes}`, code: `P${codes}` })).id;
    const center = (await books.make('/api/cost-centers', { name: `C${++codes}`, code: `C${codes}` })).id;
    const agreed = { commissionPercent: 10 };
    const sold = [service(100, agreed), service(50, { ...agreed, costCenterId: center, projectId: null })];
    await invoiced(sold, { salespersonId: seller.id, projectId: project });
    const earned = async (query: string) => {
      const { data, summary } = (await app.client.get(`/api/reports/commissions?salesperson_id=${seller.id}${query}`))
        .body;
      for (const { drilldown, commission } of data.rows)
        assert.equal((await app.client.get(drilldown)).body.summary.commission, commission, drilldown);
      return summary.commission;
    };
    assert.equal(await earned(''), 15);
    assert.equal(await earned(`&cost_center_id=${center}`), 5);
    assert.equal(await earned(`&project_id=${project}`), 15);
    assert.equal(await earned('&by=cost_center'), 15);
    const { body } = await app.client.get(`/api/reports/commissions?salesperson_id=${seller.id}&by=cost_center`);
    assert.deepEqual(
      body.data.rows.map((row: Body) => [row.cost_center_id, row.commission, 'project_id' in row]),
      [
        [center, 5, false],
        [null, 10, false],
      ],
    );
  });

  it('come from the partner, go along with the goods, and are taken back with credits', async () => {
    const seller = await person();
    const partner = await books.make<Answer['body']>('/api/partners', {
      name: 'Con comercial',
      groupId: (await app.client.get(`/api/partners/${till.customerId}`)).body.data.groupId,
      salespersonId: seller.id,
    });
    const made = await rate({ percent: 10, salespersonId: seller.id });
    const order = await books.make<Answer['body']>('/api/sales', { partnerId: partner.id, lines: [service(200)] });
    assert.equal(order.salespersonId, seller.id);
    const invoice = await books.make<Answer['body']>('/api/sales/invoices', {
      partnerId: partner.id,
      lines: [{ baseId: order.id, quantity: 1 }],
    });
    assert.equal(invoice.salespersonId, seller.id);
    await books.make(`/api/sales/invoices/${invoice.id}/post`);
    assert.equal((await report(seller.id)).commission, 20);
    const [line] = invoice.lines;
    const credit = await books.make<Answer['body']>(`/api/sales/invoices/${invoice.id}/rectify`, {
      reason: 'Parte',
      lines: [{ baseLineId: line.id, quantity: 0.5 }],
    });
    await books.make(`/api/sales/invoices/${credit.id}/post`);
    assert.deepEqual((await lines(seller.id)).map(({ commission }) => commission).sort(), [-10, 20]);
    const { data } = (await app.client.get(`/api/sales/invoices?salespersonId=${seller.id}`)).body;
    assert.equal(data.length, 2);
    await app.client.del(`/api/commission-rates/${made.id}`);
  });

  it('are taken back as they were earned, whatever became of the rates', async () => {
    const seller = await person();
    const made = await rate({ percent: 5, salespersonId: seller.id });
    const credited = async (invoice: Answer['body']) => {
      const credit = await books.make<Answer['body']>(`/api/sales/invoices/${invoice.id}/rectify`, { reason: 'Error' });
      await books.make(`/api/sales/invoices/${credit.id}/post`);
    };
    const settled = await invoiced([service(1000)], { salespersonId: seller.id });
    assert.equal((await settle(seller.id)).body.data.total, 50);
    await app.client.patch(`/api/commission-rates/${made.id}`, { percent: 10 });
    await credited(settled);
    assert.deepEqual((await lines(seller.id)).map(({ commission }) => commission).sort(), [-50, 50]);
    const high = await rate({ percent: 20, salespersonId: seller.id, basis: 'margin', minMarginPercent: 30 });
    const { uomId } = (await app.client.get(`/api/items/${till.itemId}`)).body.data;
    const { id: itemId } = await books.make('/api/items', { name: 'Low margin', uomId });
    const bought = { partnerId: till.supplierId, lines: [{ itemId, quantity: 10, price: 8 }] };
    await books.make('/api/purchases/delivery-notes', bought);
    await credited(await invoiced([{ itemId, quantity: 10, price: 10 }], { salespersonId: seller.id }));
    assert.deepEqual((await lines(seller.id)).map(({ commission }) => commission).sort(), [-10, -50, 10, 50]);
    for (const { id } of [made, high]) await app.client.del(`/api/commission-rates/${id}`);
  });

  it('are settled once, as the draft of an agent’s invoice, and open again when that is undone', async () => {
    const agent = await person({ partnerId: till.supplierId });
    const made = await rate({ percent: 10, salespersonId: agent.id });
    await invoiced([service(123.45)], { salespersonId: agent.id });
    const { status, body } = await settle(agent.id);
    assert.equal(status, 201, JSON.stringify(body));
    assert.deepEqual([body.data.total, body.data.base, body.data.lines], [12.35, 123.45, 1]);
    const refused = await app.client.del(`/api/purchases/invoices/${body.data.documentId}`);
    assertProblem(refused, 409, 'in_use');
    const draft = (await app.client.get(`/api/purchases/invoices/${body.data.documentId}`)).body.data;
    assert.deepEqual([draft.status, draft.subtotal, draft.partnerId], ['D', 12.35, till.supplierId]);
    assertProblem(await settle(agent.id), 409, 'nothing_open');
    await app.client.patch(`/api/commission-rates/${made.id}`, { percent: 50 });
    const settled = await report(agent.id);
    assert.deepEqual([settled.commission, settled.settled, settled.open], [12.35, 12.35, 0], 'kept as it was settled');
    await invoiced([service(10)], { salespersonId: agent.id });
    assert.equal((await report(agent.id)).open, 5);
    const path = `/api/commission-settlements/${body.data.id}`;
    assert.equal((await app.client.del(path)).status, 204);
    assertProblem(await app.client.get(`/api/purchases/invoices/${draft.id}`), 404, 'not_found');
    assert.equal((await report(agent.id)).open, 66.73);
    const again = (await settle(agent.id)).body.data;
    await books.make(`/api/purchases/invoices/${again.documentId}/post`);
    assertProblem(await app.client.del(`/api/commission-settlements/${again.id}`), 409, 'invalid_transition');
    await app.client.del(`/api/commission-rates/${made.id}`);
  });

  it('wait for the money where the settlement says so', async () => {
    const seller = await person();
    const made = await rate({ percent: 10, salespersonId: seller.id });
    const invoice = await invoiced([service(100)], { salespersonId: seller.id });
    assertProblem(await settle(seller.id, { due: 'paid' }), 409, 'nothing_open');
    await books.make('/api/payments/in', {
      partner_id: till.customerId,
      amount: invoice.total,
      payment_method: 'cash',
      payment_date: invoice.date,
      linked_documents: [{ document_id: invoice.id, document_type: 'sales_invoice' }],
    });
    const { data } = (await settle(seller.id, { due: 'paid' })).body;
    assert.deepEqual([data.total, data.documentId, data.payItemId], [10, null, null]);
    assert.equal((await app.client.get(`/api/commission-settlements?salespersonId=${seller.id}`)).body.data.length, 1);
    await app.client.del(`/api/commission-rates/${made.id}`);
  });

  it('of an employee become a pay item of the month', async () => {
    const employee = await books.make<Answer['body']>('/api/employees', { name: 'Ana', hireDate: '2020-01-01' });
    const seller = await person({ employeeId: employee.id });
    const made = await rate({ percent: 10, salespersonId: seller.id });
    await invoiced([service(100)], { salespersonId: seller.id });
    const { data } = (await settle(seller.id, { description: 'Comisión de junio' })).body;
    const items = (await app.client.get(`/api/employees/${employee.id}/pay-items`)).body.data;
    assert.deepEqual(
      items.map((item: Answer['body']) => [item.id, item.amount, item.description]),
      [[data.payItemId, 10, 'Comisión de junio']],
    );
    await app.client.del(`/api/commission-settlements/${data.id}`);
    assert.equal((await app.client.get(`/api/employees/${employee.id}/pay-items`)).body.data.length, 0);
    await app.client.del(`/api/commission-rates/${made.id}`);
  });

  it('are settled by one of several at once', async () => {
    const seller = await person();
    const made = await rate({ percent: 10, salespersonId: seller.id });
    await invoiced([service(100)], { salespersonId: seller.id });
    const answers = await Promise.all([1, 2, 3, 4].map(() => settle(seller.id)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409]);
    await app.client.del(`/api/commission-rates/${made.id}`);
  });

  it('say what is wrong', async () => {
    const agent = await person({ partnerId: till.supplierId });
    const employee = await books.make<Answer['body']>('/api/employees', { name: 'Eva', hireDate: '2020-01-01' });
    const both = await app.client.patch(`/api/salespeople/${agent.id}`, { employeeId: employee.id });
    assertProblem(both, 422, 'validation_failed');
    assert.equal(both.body.errors[0].pointer, '/employeeId');
    const refused = async (path: string, body: Body, pointer: string) => {
      const answer = await app.client.post(path, body);
      assertProblem(answer, 422, 'validation_failed');
      assert.equal(answer.body.errors[0].pointer, pointer);
    };
    await refused('/api/commission-settlements', { salespersonId: till.customerId }, '/salespersonId');
    await refused('/api/commission-rates', { name: 'X', percent: 101 }, '/percent');
    const head = { partnerId: till.customerId, lines: [service(1)] };
    await refused('/api/sales/invoices', { ...head, salespersonId: till.customerId }, '/salespersonId');
    await refused('/api/purchases/invoices', { ...head, salespersonId: agent.id }, '/salespersonId');
    await app.client.patch(`/api/salespeople/${agent.id}`, { active: false });
    await refused(
      '/api/sales/invoices',
      { ...head, lines: [service(1, { salespersonId: agent.id })] },
      '/lines/0/salespersonId',
    );
    assertProblem(
      await app.client.get('/api/commission-settlements/0190f5fe-7c00-7a00-8abc-012345678901'),
      404,
      'not_found',
    );
  });
});
