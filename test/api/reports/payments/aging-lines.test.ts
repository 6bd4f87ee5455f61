import assert from 'node:assert/strict';
import { download, readWorkbook, rowCells } from '../../../helpers/download.ts';
import { useApp } from '../../../helpers/hooks.ts';

describe('the lines behind aging', () => {
  const app = useApp({ clock: { now: new Date('2026-06-30T10:00:00Z') } });
  let partnerId = '';
  const made = async (path: string, body: object) => {
    const answer = await app.client.post(path, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data ?? answer.body;
  };
  const report = async (path: string) => {
    const { status, body } = await app.client.get(path);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };

  before(async () => {
    const [group] = (await app.client.get('/api/partnerGroups?isCustomer=true')).body.data;
    partnerId = (await made('/api/partners', { name: 'Café Central', groupId: group.id })).id;
    // 121.00 due on 31 May, and 242.00 due on 31 July; 50.00 came in for neither.
    for (const [price, dueDate] of [
      [100, '2026-05-31'],
      [200, '2026-07-31'],
    ]) {
      const lines = [{ description: 'Servicio', quantity: 1, price }];
      const { id } = await made('/api/sales/invoices', { partnerId, date: '2026-05-01', dueDate, lines });
      assert.equal((await app.client.post(`/api/sales/invoices/${id}/post`)).status, 200);
    }
    const payment = { partner_id: partnerId, amount: 50, payment_date: '2026-06-10', payment_method: 'transfer' };
    await made('/api/payments/in', payment);
    const accounts = (await app.client.get('/api/accounts?code[in]=430,572')).body.data;
    const account = (code: string) => accounts.find((one: { code: string }) => one.code === code).id;
    const lines = [
      { accountId: account('430'), partnerId, debit: 10 },
      { accountId: account('572'), credit: 10 },
    ];
    await made('/api/journal-entries', { date: '2026-06-01', description: 'Préstamo', post: true, lines });
  });

  it('tell what is open of each document, and lead to it', async () => {
    const aging = await report('/api/reports/aging');
    const [customer] = aging.data.customers;
    assert.deepEqual([customer.total_debt, customer.credit], [373, 50]);
    const { data, summary, from, to } = await report(customer.drilldown);
    assert.deepEqual([summary, from, to], [{ total_debt: 373, credit: 50 }, null, '2026-06-30']);
    const shown = data.rows.map((row: Record<string, unknown>) =>
      ['source', 'date', 'due_date', 'days_overdue', 'total_debt', 'credit'].map((member) => row[member]),
    );
    // 31 May is 30 days ago, the entry of 1 June 29; 31 July is in 31 days.
    assert.deepEqual(shown, [
      ['invoice', '2026-05-01', '2026-05-31', 30, 121, 0],
      ['open_item', '2026-06-01', '2026-06-01', 29, 10, 0],
      ['invoice', '2026-05-01', '2026-07-31', -31, 242, 0],
      ['payment', '2026-06-10', null, null, 0, 50],
    ]);
    for (const { drilldown } of data.rows) await report(drilldown);
  });

  it('are of another day as well, and of suppliers, and come a page at a time and as files', async () => {
    const { drilldown } = (await report('/api/reports/aging?from=2026-05-01&to=2026-05-31')).data.customers[0];
    assert.deepEqual((await report(drilldown)).summary, { total_debt: 363, credit: 0 });
    const none = await report('/api/reports/aging-lines?side=suppliers');
    assert.deepEqual([none.data.rows, none.summary], [[], { total_debt: 0, credit: 0 }]);
    const second = (await report('/api/reports/aging-lines?limit=3&page=2')).data;
    assert.deepEqual([second.rows.length, second.pagination.total], [1, 4]);
    const book = await readWorkbook(await download(app, '/api/reports/aging-lines?format=excel'));
    const head = ['Nombre del tercero', 'Clase', 'Documento', 'Fecha', 'Vencimiento', 'Días vencidos', 'Deuda'];
    assert.deepEqual(rowCells(book.worksheets[0], 1).slice(0, 7), head);
    assert.deepEqual(rowCells(book.worksheets[0], 2).slice(0, 2), ['Café Central', 'Factura']);
  });

  it('are what a forecast links to', async () => {
    const { data } = await report('/api/reports/cashflow');
    const items = data.rows.flatMap((row: { items: { drilldown: string | null }[] }) => row.items);
    const links = items.flatMap(({ drilldown }: { drilldown: string | null }) => drilldown ?? []);
    assert.ok(links.length >= 3);
    for (const link of links) await report(link);
  });
});
