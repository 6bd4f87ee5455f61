import assert from 'node:assert/strict';
import { query } from '../../../../db/sql.ts';
import { TODAY } from '../../../helpers/clock.ts';
import { download, readCsv } from '../../../helpers/download.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { type Answered, openLines } from '../../trade/lines/line-lists.ts';

const JUNE = 'from=2026-06-01&to=2026-06-30';

describe('profit reports', function () {
  this.timeout(60_000);
  const app = useApp();
  const shop = use(() => openLines(app));
  let other = '';
  let projectId = '';
  let costCenterId = '';
  const report = async (by: string, parameters = JUNE): Promise<Answered> => {
    const { status, body } = await app.client.get(`/api/reports/profit-${by}?${parameters}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const figures = ({ revenue, cost, margin, margin_percent, share }: Answered) => [
    revenue,
    cost,
    margin,
    margin_percent,
    share,
  ];
  /** Returns the balance of accounts 70x in a period, credit less debit. */
  const sales = async (from: string, to: string) => {
    const sql = `select coalesce(sum(l.credit - l.debit), 0) as sum from journal_lines l join accounts a on a.id = l.account_id
      where a.code like '70%' and l.date between :from::date and :to::date`;
    const [row] = await app.database.readTenant(app, (db) => query<{ sum: string }>(db, sql, { from, to }));
    return Number(row?.sum);
  };

  /** The links of each row lead to lines with its sums, and so do those of one customer, project or cost center alone. */
  const assertTraced = async (period: string) => {
    const added = (lines: readonly Answered[], member: string) =>
      Math.round(lines.reduce((sum, line) => sum + line[member], 0) * 100) / 100;
    for (const by of ['customer', 'item', 'project', 'cost-center', 'category', 'partner-group', 'country', 'month']) {
      const dimensions = by === 'item' ? [{ project_id: projectId }, { cost_center_id: costCenterId }] : [];
      for (const only of [{}, { partner_id: other }, ...dimensions]) {
        const asked = new URLSearchParams(Object.entries(only)).toString();
        for (const row of (await report(by, `${period}&${asked}`)).data.rows) {
          const { data, summary } = (await app.client.get(row.drilldown)).body;
          const { revenue, cost, margin } = row;
          assert.deepEqual(summary, { revenue, cost, margin }, row.drilldown);
          assert.deepEqual([added(data.rows, 'revenue'), added(data.rows, 'cost')], [revenue, cost], row.drilldown);
        }
      }
    }
  };

  before(async () => {
    const made = async (path: string, body: object) => (await app.client.post(path, body)).body.data.id as string;
    const groupId = (await app.client.get('/api/partnerGroups?isCustomer=true')).body.data[0].id;
    other = await made('/api/partners', { name: 'Bar Pepe', groupId });
    projectId = await made('/api/projects', { code: 'OBRA', name: 'Obra' });
    costCenterId = await made('/api/cost-centers', { code: 'NORTE', name: 'Norte' });
    const { itemId, taxGroupId } = shop;
    // 10 × 2.50 = 25.00, cost 10 × 1.20 = 12.00; 2 come back: −5.00 and −2.40.
    const first = await shop.posted({ projectId, lines: [{ itemId, quantity: 10 }] });
    const back = { reason: 'Rotas', returnStock: true, lines: [{ baseLineId: first.lines[0].id, quantity: 2 }] };
    await shop.invoiced(`/api/sales/invoices/${first.id}/rectify`, back);
    // 4 × 2.50 less 10 % = 9.00, cost 4.80; a service of 30.00 that costs nothing, and is of the cost center.
    const service = { description: 'Montaje', quantity: 1, price: 30, taxGroupId, costCenterId };
    await shop.posted({ partnerId: other, lines: [{ itemId, quantity: 4, discountPercent: 10 }, service] });
    await shop.make('/api/sales/invoices', { lines: [service] });
    const wrong = await shop.posted({ lines: [{ itemId, quantity: 1 }] });
    assert.equal((await app.client.post(`/api/sales/invoices/${wrong.id}/cancel`)).status, 200);
  });

  it('tell revenue net of rectifications, cost, margin and share', async () => {
    const { report_name: name, from, to, data, summary } = await report('customer');
    assert.deepEqual([name, from, to], ['profit_customer', '2026-06-01', '2026-06-30']);
    assert.deepEqual(
      data.rows.map((row: Answered) => [row.name, ...figures(row)]),
      [
        // 39.00 of 59.00 is 66.1 %; 34.20 of 39.00 is 87.69 %.
        ['Bar Pepe', 39, 4.8, 34.2, 87.69, 66.1],
        ['Café Central', 20, 9.6, 10.4, 52, 33.9],
      ],
    );
    assert.deepEqual(summary, { revenue: 59, cost: 14.4, margin: 44.6, margin_percent: 75.59 });
  });

  it('say the same by item, project and cost center, and with the ledger', async () => {
    const parts = { item: 'item_id', project: 'project_id', 'cost-center': 'cost_center_id' } as const;
    const of = async (by: keyof typeof parts) =>
      (await report(by)).data.rows.map((row: Answered) => [row[parts[by]], row.revenue, row.cost]);
    assert.deepEqual(await of('item'), [
      [null, 30, 0],
      [shop.itemId, 29, 14.4],
    ]);
    assert.deepEqual(await of('project'), [
      [null, 39, 4.8],
      [projectId, 20, 9.6],
    ]);
    assert.deepEqual(await of('cost-center'), [
      [costCenterId, 30, 0],
      [null, 29, 14.4],
    ]);
    const { summary } = await report('customer');
    for (const by of [...Object.keys(parts), 'category', 'salesperson', 'partner-group', 'country', 'month']) {
      const { expenses = 0, ...same } = (await report(by)).summary;
      assert.deepEqual([same, expenses], [summary, 0], by);
    }
    assert.equal(await sales('2026-06-01', '2026-06-30'), summary.revenue);
  });

  it('lead to the lines behind each row, with the same sums', () => assertTraced(JUNE));

  it('lead to lines whose files name project and cost center', async () => {
    const path = `/api/reports/profit-lines?${JUNE}&format=csv&cost_center_id=${costCenterId}`;
    const [line, ...others] = await readCsv(await download(app, path), ';');
    assert.deepEqual([line?.Proyecto, line?.['Centro de coste'], line?.Ingresos, others], ['', 'Norte', '30', []]);
    const { data } = (await app.client.get(`/api/reports/profit-lines?${JUNE}&project_id=${projectId}`)).body;
    assert.deepEqual([data.rows[0].project_name, data.rows[0].cost_center_name], ['Obra', null]);
  });

  it('take a cancelled invoice back on the day of its reversal, as the ledger does', async () => {
    const { id } = await shop.posted({
      date: '2026-05-20',
      lines: [{ description: 'Porte', quantity: 1, price: 7, taxGroupId: shop.taxGroupId }],
    });
    const revenue = async (month: string) => (await report('customer', month)).summary.revenue;
    const may = 'from=2026-05-01&to=2026-05-31';
    assert.deepEqual([await revenue(may), await revenue(JUNE)], [7, 59]);
    await app.client.post(`/api/sales/invoices/${id}/cancel`, { date: TODAY });
    assert.deepEqual([await revenue(may), await revenue(JUNE)], [7, 52]);
    assert.deepEqual([await sales('2026-05-01', '2026-05-31'), await sales('2026-06-01', '2026-06-30')], [7, 52]);
    assert.equal(await revenue('from=2026-01-01&to=2026-12-31'), 59);
    // The line of 7.00 is in May, and taken back in June.
    for (const period of [may, JUNE, 'from=2026-01-01&to=2026-12-31']) await assertTraced(period);
    const { data, summary } = (await app.client.get(`/api/reports/profit-lines?${may}`)).body;
    assert.deepEqual([data.rows[0].revenue, data.rows[0].taken_back, summary.revenue], [7, false, 7]);
    const back = (await app.client.get(`/api/reports/profit-lines?${JUNE}&limit=500`)).body.data.rows;
    const taken = back.filter((row: Answered) => row.taken_back && row.document_id === id);
    assert.deepEqual(
      taken.map((row: Answered) => [row.date, row.quantity, row.revenue]),
      [[TODAY, -1, -7]],
    );
  });

  it('follow costs that are settled later', async () => {
    // 10 come in at 1.00, 4 are sold: 4.00. Their invoice says 1.50 each: what was sold cost 6.00.
    const uomId = (await app.client.get('/api/uom?code=UD')).body.data[0].id;
    const tax = { salesTaxGroupId: shop.taxGroupId, purchaseTaxGroupId: shop.taxGroupId };
    const item = (await app.client.post('/api/items', { name: 'Peras', uomId, purchasePrice: 1, salePrice: 3, ...tax }))
      .body.data;
    const note = await shop.make('/api/purchases/delivery-notes', { lines: [{ itemId: item.id, quantity: 10 }] });
    await shop.posted({ lines: [{ itemId: item.id, quantity: 4 }] });
    const cost = async () => (await report('item')).data.rows.find((row: Answered) => row.item_id === item.id).cost;
    assert.equal(await cost(), 4);
    await shop.bought({ lines: [{ baseId: note.id, baseLineId: note.lines[0].id, quantity: 10, price: 1.5 }] });
    assert.equal(await cost(), 6);
  });

  it('cost what stayed with the customer when goods came back, by note and with a credit', async () => {
    const uomId = (await app.client.get('/api/uom?code=UD')).body.data[0].id;
    const tax = { salesTaxGroupId: shop.taxGroupId, purchaseTaxGroupId: shop.taxGroupId };
    const sold = { name: 'Kiwis', uomId, purchasePrice: 1, salePrice: 3, costMethod: 'fifo', ...tax };
    const item = (await app.client.post('/api/items', sold)).body.data;
    const bought = (quantity: number, price: number) =>
      shop.make('/api/purchases/delivery-notes', { lines: [{ itemId: item.id, quantity, price }] });
    await bought(5, 1);
    await bought(5, 2);
    const note = await shop.make('/api/sales/delivery-notes', { lines: [{ itemId: item.id, quantity: 10 }] });
    const baseLineId = note.lines[0].id;
    const back = (quantity: number) =>
      app.client.post(`/api/sales/delivery-notes/${note.id}/return`, { lines: [{ baseLineId, quantity }] });
    const cost = async () => (await report('item')).data.rows.find((row: Answered) => row.item_id === item.id)?.cost;
    // 5 at 1.00 and 5 at 2.00 left; the last 4 come back: 5 × 1.00 + 1 × 2.00 stay.
    assert.equal((await back(4)).status, 201);
    const invoice = await shop.posted({ lines: [{ itemId: item.id, baseId: note.id, baseLineId, quantity: 6 }] });
    assert.equal(await cost(), 7);
    // 2 more come back, of 2.00 and 1.00. Their cost stays until they are credited.
    assert.equal((await back(2)).status, 201);
    assert.equal(await cost(), 7);
    const lines = [{ baseLineId: invoice.lines[0].id, quantity: 2 }];
    await shop.invoiced(`/api/sales/invoices/${invoice.id}/rectify`, { reason: 'Devueltos', lines });
    assert.equal(await cost(), 4);
  });

  it('count no revenue that is booked on another account than of income', async () => {
    const before = (await report('customer')).summary.revenue;
    const account = (await app.client.get('/api/accounts?code[contains]=438&isHeading=false')).body.data[0];
    const advance = {
      description: 'Anticipo',
      quantity: 1,
      price: 100,
      taxGroupId: shop.taxGroupId,
      accountId: account.id,
    };
    await shop.posted({ lines: [advance] });
    assert.equal((await report('customer')).summary.revenue, before);
    await assertTraced(JUNE);
    assert.equal(await sales('2026-06-01', '2026-06-30'), before);
  });

  it('are zero where there is nothing, and refuse what makes no sense', async () => {
    const empty = await report('item', 'from=1999-01-01&to=1999-12-31');
    assert.deepEqual([empty.data.rows, empty.summary], [[], { revenue: 0, cost: 0, margin: 0, margin_percent: 0 }]);
    for (const bad of [
      'from=2026-06-30&to=2026-06-01',
      'from=x',
      'partner_id=1',
      'colour=red',
      'format=xml',
      'warehouse_id=1',
    ])
      assert.equal((await app.client.get(`/api/reports/profit-item?${bad}`)).status, 400, bad);
  });

  it('tell another company nothing', async () => {
    const company = { name: 'Otra', taxId: 'B58818501', country: 'ES', currency: 'EUR' };
    const made = await app.client.post('/api/tenants', company);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const stranger = app.as(app.token, made.body.data.id);
    const { status, body } = await stranger.get(`/api/reports/profit-customer?${JUNE}`);
    assert.deepEqual([status, body.data.rows, body.summary.revenue], [200, [], 0]);
    const ofOthers = [
      `profit-customer?${JUNE}&partner_id=${shop.customerId}`,
      `stock-movements?item_id=${shop.itemId}`,
    ];
    for (const path of [...ofOthers, `stock-movements?warehouse_id=${shop.warehouseId}`])
      assertProblem(await stranger.get(`/api/reports/${path}`), 404, 'not_found');
  });

  it('come as files with labels in Spanish', async () => {
    const { body } = await app.client.get(`/api/reports/profit-customer?${JUNE}&format=csv`);
    assert.equal(
      String(body).replace('\uFEFF', '').split('\r\n')[0],
      'Código;Nombre;Ingresos;Coste;Margen;Margen %;% de los ingresos',
    );
  });

  const made = async (path: string, body: object) => {
    const answer = await app.client.post(path, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data.id as string;
  };
  const account = async (code: string) => (await app.client.get(`/api/accounts?code=${code}`)).body.data[0].id;

  /** A project with sales of 1,000, and what is bought for it. */
  async function openProject(code: string) {
    const id = await made('/api/projects', { code, name: code });
    const service = { description: 'Servicio', quantity: 1, taxGroupId: shop.taxGroupId };
    await shop.posted({ date: '2026-04-10', projectId: id, lines: [{ ...service, price: 1000 }] });
    const groupId = (await app.client.get('/api/partnerGroups?isVendor=true')).body.data[0].id;
    const supplier = await made('/api/partners', { name: 'Proveedor', groupId });
    const buy = async (supplierReference: string, line: object) => {
      const head = { partnerId: supplier, date: '2026-04-11', supplierReference, projectId: id };
      const invoice = await made('/api/purchases/invoices', { ...head, lines: [line] });
      await app.client.post(`/api/purchases/invoices/${invoice}/post`);
      return invoice;
    };
    const of = async (query = '') => {
      const { data } = await report('project', `from=2026-04-01&to=2026-04-30${query}`);
      return data.rows.find((row: Answered) => row.project_id === id);
    };
    return { id, service, supplier, buy, of };
  }

  it('of a project count what was bought and entered for it, and goods for stock when they are sold', async () => {
    const { id, service, buy, of } = await openProject('CASA');
    await buy('A1', { ...service, price: 300 });
    await buy('A2', { itemId: shop.itemId, quantity: 5, price: 7 });
    const wrong = await buy('A3', { ...service, price: 55 });
    await app.client.post(`/api/purchases/invoices/${wrong}/cancel`, { date: '2026-04-12' });
    const lines = [
      { accountId: await account('629'), debit: 200, credit: 0, projectId: id },
      { accountId: await account('570'), debit: 0, credit: 200 },
    ];
    await made('/api/journal-entries', { date: '2026-04-15', description: 'Gastos', lines, post: true });
    const { revenue, cost, expenses, margin } = await of();
    assert.deepEqual({ revenue, cost, expenses, margin }, { revenue: 1000, cost: 0, expenses: 500, margin: 500 });
    assert.equal((await of(`&partner_id=${shop.customerId}`)).expenses, 0);
  });

  it('of a project have income that is spread when it is released, and its account behind the expenses', async () => {
    const { id, service, of } = await openProject('AÑO');
    const spread = { ...service, price: 1830, serviceFrom: '2026-04-01', serviceTo: '2026-09-30' };
    await shop.posted({ date: '2026-04-12', projectId: id, lines: [spread] });
    const row = await of();
    assert.deepEqual([row.revenue, row.expenses, row.margin], [1300, 0, 1300]);
    const { summary } = (await app.client.get(row.expenses_drilldown)).body;
    assert.deepEqual([summary.income, summary.result], [1300, 1300]);
  });

  it('of one project or cost center alone have its revenue and expenses', async () => {
    const { id, service, buy } = await openProject('PISO');
    await buy('A7', { ...service, price: 300, costCenterId });
    await buy('A8', { ...service, price: 40 });
    await buy('A9', { itemId: shop.itemId, quantity: 5, price: 7, costCenterId });
    const april = 'from=2026-04-01&to=2026-04-30';
    const within = async (by: string, parameters: string) => {
      const { revenue, expenses } = (await report(by, `${april}&${parameters}`)).summary;
      return { revenue, expenses };
    };
    assert.deepEqual(await within('cost-center', `project_id=${id}`), { revenue: 1000, expenses: 300 });
    assert.deepEqual(await within('project', `project_id=${id}`), { revenue: 1000, expenses: 340 });
    assert.deepEqual(await within('project', `project_id=${id}&cost_center_id=${costCenterId}`), {
      ...{ revenue: 0, expenses: 300 },
    });
    assert.deepEqual(await within('customer', `project_id=${id}`), { revenue: 1000, expenses: undefined });
  });

  it('of a project count a cost that landed on goods when these are sold, and nothing that is an asset', async () => {
    const { service, supplier, buy, of } = await openProject('NAVE');
    const freight = await buy('A4', { ...service, price: 50 });
    assert.equal((await of()).expenses, 50);
    const bought = { partnerId: supplier, date: '2026-04-12', lines: [{ itemId: shop.itemId, quantity: 5, price: 7 }] };
    const charge = (await app.client.get(`/api/purchases/invoices/${freight}`)).body.data.lines[0].id;
    const landed = await made('/api/landed-costs', {
      ...{ date: '2026-04-20', documentIds: [await made('/api/purchases/delivery-notes', bought)] },
      costs: [{ documentLineId: charge, amount: 40 }],
    });
    assert.equal((await of()).expenses, 10);
    await app.client.post(`/api/landed-costs/${landed}/cancel`, { date: '2026-04-25' });
    assert.equal((await of()).expenses, 50);
    await buy('A5', { itemId: shop.itemId, quantity: 1, price: 200, accountId: await account('213') });
    assert.equal((await of()).expenses, 50);
  });
});
