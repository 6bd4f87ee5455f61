import assert from 'node:assert/strict';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { openTill } from '../../trade/payments/till.ts';

type Row = Record<string, unknown> & { readonly id: string; readonly lines: { readonly id: string }[] };

/** Orders beside the budget of 100 a month for 62, and of 10 for 60. */
describe('commitments of a budget', () => {
  const app = useApp();
  const till = use(() => openTill(app));
  const books = use(() => openBooks(app));
  const line = (quantity: number, more: object = {}) => ({
    ...{ description: 'Rent', quantity, price: 5, accountId: books.account('621'), ...more },
  });
  const order = (lines: object[], more: object = {}) =>
    books.make<Row>('/api/purchases/orders', { partnerId: till.supplierId, date: '2026-02-01', lines, ...more });
  const report = async (query = '') => {
    const { body } = await app.client.get(`/api/reports/budget?from=2026-01-01&to=2026-03-31${query}`);
    return body as { data: { rows: Record<string, unknown>[] }; summary: Record<string, number> };
  };
  const committed = async (query?: string) =>
    (await report(query)).data.rows.map((row) => [row.account, row.period, row.actual, row.committed]);
  const base = (baseType: string, made: Row, quantity: number) => [
    line(quantity, { baseType, baseId: made.id, baseLineId: made.lines[0]?.id }),
  ];

  before(async () => {
    const { id } = await books.make('/api/budgets', { name: 'B', fiscalYear: 2026 });
    await books.make(`/api/budgets/${id}/spread`, { account: '62', amount: 1200 });
    await books.make(`/api/budgets/${id}/spread`, { account: '60', amount: 120 });
    await app.client.patch(`/api/budgets/${id}`, { status: 'approved', isDefault: true });
  });

  it('are what is ordered or received, in the month of the delivery, until it is invoiced', async () => {
    const made = await order([line(10)]);
    await order([line(1, { accountId: undefined, itemId: till.itemId })], { deliveryDate: '2026-03-10' });
    await order([line(1)], { deliveryDate: '2026-04-10' });
    assert.deepEqual(await committed(), [
      ['60', '2026', 0, 5],
      ['62', '2026', 0, 50],
    ]);
    assert.deepEqual(
      (await committed('&by=month')).filter(([, , , amount]) => amount !== 0),
      [
        ['60', '03/2026', 0, 5],
        ['62', '02/2026', 0, 50],
      ],
    );
    assert.equal((await report()).summary.expense_committed, 55);
    const note = { partnerId: till.supplierId, date: '2026-02-05', lines: base('PO', made, 4) };
    const received = await books.make<Row>('/api/purchases/delivery-notes', note);
    assert.equal((await report()).summary.expense_committed, 55);
    const invoice = { partnerId: till.supplierId, date: '2026-02-06', supplierReference: 'A1' };
    const draft = await books.make<Row>('/api/purchases/invoices', { ...invoice, lines: base('PDN', received, 4) });
    assert.equal((await report()).summary.expense_committed, 55);
    await books.make(`/api/purchases/invoices/${draft.id}/post`);
    assert.deepEqual((await committed())[1], ['62', '2026', 20, 30]);
    await books.make(`/api/purchases/orders/${made.id}/close`);
    assert.deepEqual((await committed())[1], ['62', '2026', 20, 0]);
  });
});
