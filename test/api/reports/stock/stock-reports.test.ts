import assert from 'node:assert/strict';
import { query } from '../../../../db/sql.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { type Answered, openLines } from '../../trade/lines/line-lists.ts';

const YEAR = 'from=2026-01-01&to=2026-12-31';

describe('reports of stock', () => {
  const app = useApp();
  const shop = use(() => openLines(app));
  let fifo: Answered;
  let average: Answered;
  let second = '';
  const report = async (name: string, parameters = YEAR): Promise<Answered> => {
    const { status, body } = await app.client.get(`/api/reports/stock-${name}?${parameters}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const itemRow = (rows: readonly Answered[], { id }: Answered) => rows.find((row) => row.item_id === id);

  before(async () => {
    const uomId = (await app.client.get('/api/uom?code=UD')).body.data[0].id;
    const made = async (path: string, body: object) => {
      const answer = await app.client.post(path, body);
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      return answer.body.data;
    };
    const taxes = { salesTaxGroupId: shop.taxGroupId, purchaseTaxGroupId: shop.taxGroupId };
    const item = (name: string, costMethod: string) =>
      made('/api/items', { name, costMethod, uomId, salePrice: 5, purchasePrice: 1, ...taxes });
    fifo = await item('Tornillo', 'fifo');
    average = await item('Tuerca', 'average');
    second = (await made('/api/warehouses', { code: 'NORTE', name: 'Norte' })).id;
    // For each item: 10 at 1.00, 10 at 2.00, then 15 sold. FIFO: 10 + 5 × 2 = 20 left the stock; average: 15 × 1.50 = 22.50.
    for (const { id: itemId } of [fifo, average]) {
      const bought = (date: string, price: number, more: object = {}) =>
        shop.make('/api/purchases/delivery-notes', { date, lines: [{ itemId, quantity: 10, price }], ...more });
      await bought('2026-04-01', 1);
      await bought('2026-04-11', 2);
      await shop.posted({ date: '2026-04-21', lines: [{ itemId, quantity: 15 }] });
    }
    const norte = { warehouseId: second, date: '2026-05-01', lines: [{ itemId: fifo.id, quantity: 3, price: 1.005 }] };
    await shop.make('/api/purchases/delivery-notes', norte);
  });

  it('value stock by both methods side by side, also on a past day and in one warehouse', async () => {
    const { report_name: name, data, summary } = await report('valuation', 'to=2026-04-30');
    assert.equal(name, 'stock_valuation');
    const shown = (row: Answered) => [
      row.quantity,
      row.fifo_value,
      row.average_value,
      row.average_cost,
      row.cost_method,
      row.value,
    ];
    assert.deepEqual(shown(itemRow(data.rows, fifo)), [5, 10, 7.5, 1.5, 'fifo', 10]);
    assert.deepEqual(shown(itemRow(data.rows, average)), [5, 10, 7.5, 1.5, 'average', 7.5]);
    assert.deepEqual(summary, { fifo_value: 20, average_value: 15, value: 17.5 });
    const past = (await report('valuation', 'to=2026-04-20')).data.rows;
    assert.deepEqual(shown(itemRow(past, average)), [20, 30, 30, 1.5, 'average', 30]);
    // 3 × 1.005 = 3.015, an amount of 3.02: 1.006667 each.
    const norte = await report('valuation', `to=2026-12-31&warehouse_id=${second}`);
    assert.deepEqual(norte.data.rows.map(shown), [[3, 3.02, 3.02, 1.006667, 'fifo', 3.02]]);
    assert.equal((await report('valuation', 'to=2026-03-31')).data.rows.length, 0);
  });

  it('show movements with the running balance, in pages whose totals are what the valuation has changed by', async () => {
    const { data, summary } = await report('movements', `from=2026-04-02&to=2026-04-30&item_id=${fifo.id}`);
    assert.deepEqual(
      data.rows.map((row: Answered) => [
        row.date,
        row.quantity,
        row.unit_cost,
        row.value,
        row.balance,
        row.document_type,
      ]),
      [
        ['2026-04-11', 10, 2, 20, 20, 'purchase_delivery_note'],
        ['2026-04-21', -15, 1.333333, -20, 5, 'sales_invoice'],
      ],
    );
    // 10.00 on 1 April, 10.00 on 30 April.
    assert.deepEqual([summary.quantity, summary.value], [-5, 0]);
    const all = await report('movements');
    const valued = (await report('valuation', 'to=2026-12-31')).summary;
    assert.equal(all.summary.value, valued.value);
    const pages = await Promise.all([1, 2, 3].map((page) => report('movements', `${YEAR}&limit=3&page=${page}`)));
    assert.deepEqual(
      pages.flatMap((page) => page.data.rows),
      all.data.rows.slice(0, 9),
    );
    assert.equal(all.data.pagination.total, all.data.rows.length);
    const { body } = await app.client.get(`/api/reports/stock-movements?${YEAR}&format=csv`);
    assert.equal(String(body).trim().split('\r\n').length, 1 + all.data.rows.length, 'a header and the rows');
  });

  it('tell how quickly items turn over, their classes, and what is dead', async () => {
    // April: 10 on hand for 10 days, 20 for 10 and 5 for 10: 350 in 30 days, 11.67 on average. 15 sold: 1.29 turns; 350 / 15 = 23.33 days.
    const { data, summary } = await report('rotation', 'from=2026-04-01&to=2026-04-30');
    const shown = ({ sold, cost, average_stock, turnover, days_of_stock, class: abc, dead }: Answered) => [
      sold,
      cost,
      average_stock,
      turnover,
      days_of_stock,
      abc,
      dead,
    ];
    assert.deepEqual(shown(itemRow(data.rows, fifo)).slice(0, 5), [15, 20, 11.67, 1.29, 23.33]);
    // The 22.50 of the average item come first out of 42.50; the other begins at 52.94 %.
    assert.deepEqual(
      data.rows.map((row: Answered) => row.class),
      ['A', 'A'],
    );
    assert.deepEqual(summary, { sold: 30, cost: 42.5 });
    const may = (await report('rotation', 'from=2026-05-01&to=2026-05-31')).data.rows;
    // 5 lay there all of May, and none was sold.
    assert.deepEqual(shown(itemRow(may, average)), [0, 0, 5, 0, null, 'C', true]);
  });

  it('agree with one another, and with account 300 once the year is closed', async () => {
    const profit = (await app.client.get(`/api/reports/profit-item?${YEAR}`)).body.summary;
    assert.equal((await report('rotation')).summary.cost, profit.cost);
    app.clock.now = new Date('2027-01-15T10:00:00Z');
    const { token } = (
      await app.client.post('/api/auth/login', {
        email: 'owner@example.test',
        password: 'correct horse battery staple',
      })
    ).body;
    const closed = await app.as(token, app.tenantId).post('/api/fiscal-years/2026/close');
    assert.equal(closed.status, 200, JSON.stringify(closed.body));
    const [row] = await app.database.readTenant(app, (db) =>
      query<{ sum: string }>(
        db,
        `select sum(l.debit - l.credit) as sum from journal_lines l join accounts a on a.id = l.account_id
         where a.code like '300%' and l.date <= '2026-12-31' and l.kind not in ('regularisation', 'closing')`,
        {},
      ),
    );
    const { body } = await app.as(token, app.tenantId).get('/api/reports/stock-valuation?to=2026-12-31');
    assert.equal(Number(row?.sum), body.summary.value);
    assert.ok(body.summary.value > 0);
  });
});

describe('reports of stock without data', () => {
  const app = useApp();

  it('are zero, and refuse what makes no sense', async () => {
    const summaries = {
      valuation: { fifo_value: 0, average_value: 0, value: 0 },
      movements: { quantity: 0, value: 0 },
      rotation: { sold: 0, cost: 0 },
    };
    for (const [name, summary] of Object.entries(summaries)) {
      const { status, body } = await app.client.get(`/api/reports/stock-${name}?from=1999-01-01&to=1999-12-31`);
      assert.deepEqual([status, body.data.rows, body.summary], [200, [], summary]);
      const unknown = `warehouse_id=01890000-0000-7000-8000-000000000000`;
      assert.equal((await app.client.get(`/api/reports/stock-${name}?${unknown}`)).status, 404);
      for (const bad of [
        'from=2026-06-30&to=2026-06-01',
        'warehouse_id=1',
        'colour=red',
        'format=xml',
        'to=2026-02-30',
      ])
        assert.equal((await app.client.get(`/api/reports/stock-${name}?${bad}`)).status, 400, bad);
    }
    assert.equal((await app.client.get('/api/reports/stock-movements?limit=501')).status, 400);
  });
});
