import assert from 'node:assert/strict';
import { assertSound, use, useApp } from '../../../helpers/hooks.ts';
import { notZero, openReports } from '../golden-quarter.ts';

type Body = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;

/** VAT on the cash basis: pending from the invoice on, it accrues with each payment, or at the end of the year after. */
describe('the cash basis of VAT', () => {
  const app = useApp({}, { each: true });
  const books = use(() => openReports(app), { each: true });
  const settle = async (tax: Body) => {
    const { data } = (await app.client.get('/api/config/tax')).body;
    assert.equal((await app.client.put('/api/config/tax', { ...data, ...tax })).status, 200);
  };
  const sell = (date: string, price: number, more: Body = {}, line: Body = {}) =>
    books.invoice('sales', date, price, more, { taxGroupId: books.taxes.get('IVA21'), ...line });
  const buy = (date: string, price: number, more: Body = {}) =>
    books.invoice(
      'purchases',
      date,
      price,
      { supplierReference: `F-${date}`, ...more },
      {
        taxGroupId: books.taxes.get('IVA21'),
      },
    );
  const pay = (side: 'in' | 'out', date: string, amount: number, document_id: string, more: Body = {}) =>
    books.make<Data>(`/api/payments/${side}`, {
      partner_id: side === 'in' ? books.customerId : books.supplierId,
      amount,
      payment_date: date,
      payment_method: 'transfer',
      linked_documents: [{ document_type: side === 'in' ? 'sales_invoice' : 'purchase_invoice', document_id, ...more }],
    });
  const boxes = async (period: string): Promise<Data> =>
    notZero((await app.client.get(`/api/reports/tax/model303?year=2026&period=${period}`)).body.data.boxes);
  /** The boxes of tax alone. */
  const taxes = async (period: string) => {
    const {
      '02': _,
      '05': _5,
      '08': _8,
      '65': _65,
      '169': _169,
      '20': _20,
      '23': _23,
      '157': _157,
      ...rest
    } = await boxes(period);
    return rest;
  };
  it('is of sales that have tax to accrue alone', async () => {
    await settle({ cashBasisYears: [2026] });
    const at = async (more: Body, line: Body = {}) => (await sell('2026-01-10', 100, more, line)).id;
    const shown = async (id: string) => (await app.client.get(`/api/sales/invoices/${id}`)).body.data.cashBasis;
    assert.equal(await shown(await at({})), true);
    assert.equal(await shown(await at({ vatRegime: 'export' })), false);
    assert.equal(await shown(await at({ vatRegime: 'exempt' })), false);
    assert.equal(await shown(await at({ vatRegime: 'export' }, { vatRegime: 'general' })), true);
  });

  it('accrues output tax with each payment, exact to the cent', async () => {
    await settle({ cashBasisYears: [2026] });
    const { id } = await sell('2026-01-10', 100.01);
    assert.deepEqual(await taxes('1T'), { '62': 100.01, '63': 21 });
    assert.equal(await books.balance('4778'), -21);
    const parts = [33.33, 33.33, 54.35];
    for (const [index, amount] of parts.entries()) await pay('in', `2026-0${index + 4}-05`, amount, id);
    assert.equal(await books.balance('4778'), 0);
    assert.equal(await books.balance('47700021'), -21);
    const { '07': base, '09': quota, '62': operations } = await taxes('2T');
    assert.deepEqual([base, quota, operations], [100.01, 21, undefined]);
    const report = (await app.client.get('/api/reports/tax/cash-basis?from=2026-04-01&to=2026-06-30')).body;
    assert.deepEqual(
      report.data.rows.map(({ accrued_on, paid, means, base, amount }: Data) => [
        accrued_on,
        paid,
        means,
        base,
        amount,
      ]),
      [
        ['2026-04-05', 33.33, '01', 27.55, 5.78],
        ['2026-05-05', 33.33, '01', 27.54, 5.79],
        ['2026-06-05', 54.35, '01', 44.92, 9.43],
      ],
    );
    assert.deepEqual([report.summary.output, report.summary.pending_output], [21, 0]);
  });

  it('deducts input tax as it pays, of all suppliers or of those under it', async () => {
    const own = await buy('2026-01-10', 100);
    assert.deepEqual([own.cashBasis, await books.balance('4728')], [false, 0]);
    await app.client.patch(`/api/partners/${books.supplierId}`, { cashBasis: true });
    const { id } = await buy('2026-02-10', 200);
    const other = await buy('2026-02-11', 400, { cashBasis: false });
    assert.equal(other.cashBasis, false);
    assert.deepEqual(await taxes('1T'), {
      ...{ '28': 500, '29': 105, '45': 105, '46': -105, '64': -105, '66': -105, '69': -105, '71': -105 },
      ...{ '74': 200, '75': 42 },
    });
    const payment = await pay('out', '2026-04-10', 121, id);
    assert.deepEqual(await books.enteredFor(payment.id), ['H 572 121', 'D 400 121', 'H 4728 21', 'D 47200021 21']);
    assert.deepEqual([(await taxes('2T'))['28'], (await taxes('2T'))['29']], [100, 21]);
    await assertSound(app.databaseUrl);
  });

  it('takes back what accrued when a payment is deleted, changed or comes back', async () => {
    await settle({ cashBasisYears: [2026] });
    const { id } = await sell('2026-01-10', 100);
    const deleted = await pay('in', '2026-02-01', 60.5, id);
    const returned = await pay('in', '2026-02-02', 60.5, id);
    assert.equal(await books.balance('4778'), 0);
    assert.equal((await app.client.del(`/api/payments/in/${deleted.id}`)).status, 204);
    assert.equal(await books.balance('4778'), -10.5);
    await books.make(`/api/payments/in/${returned.id}/return`, { date: '2026-04-02' });
    assert.deepEqual([await books.balance('4778'), await books.balance('477000')], [-21, 0]);
    assert.deepEqual([(await taxes('1T'))['09'], (await taxes('2T'))['15']], [10.5, -10.5]);
    const other = await sell('2026-01-11', 200);
    const moved = await pay('in', '2026-05-01', 121, id);
    const change = await app.client.patch(`/api/payments/in/${moved.id}`, {
      linked_documents: [{ document_type: 'sales_invoice', document_id: other.id, amount_applied: 121 }],
    });
    assert.equal(change.status, 200, JSON.stringify(change.body));
    assert.deepEqual([await books.balance('4778'), await books.balance('477000')], [-42, -21]);
    await assertSound(app.databaseUrl);
  });

  it('lowers pending tax by a discount, and accrues tax of write-offs, advances and offsets', async () => {
    await settle({ cashBasisYears: [2026] });
    const discounted = await sell('2026-01-10', 100);
    const payment = await pay('in', '2026-02-01', 108.9, discounted.id, { discount: 12.1 });
    assert.deepEqual(await books.enteredFor(payment.id), [
      ...['D 572 108.9', 'D 706 10', 'D 4778 2.1', 'H 430 121'],
      ...['D 4778 18.9', 'H 47700021 18.9'],
    ]);
    assert.deepEqual([(await taxes('1T'))['07'], (await taxes('1T'))['62']], [90, 90]);
    const written = await sell('2026-02-10', 100);
    await pay('in', '2026-02-11', 120.5, written.id, { write_off: 0.5 });
    const order = await books.make<Data>('/api/sales/orders', {
      ...{ partnerId: books.customerId, date: '2026-03-01' },
      lines: [{ itemId: books.itemId, quantity: 1, price: 100, taxGroupId: books.taxes.get('IVA21') }],
    });
    await books.make('/api/payments/in', {
      ...{ partner_id: books.customerId, amount: 60.5, payment_date: '2026-03-01', payment_method: 'cash' },
      linked_documents: [{ document_type: 'sales_order', document_id: order.id }],
    });
    const note = await books.make('/api/sales/invoices', {
      ...{ partnerId: books.customerId, date: '2026-03-02' },
      lines: [{ baseId: order.id, baseLineId: order.lines[0].id, quantity: 1 }],
    });
    await books.make(`/api/sales/invoices/${note.id}/post`);
    assert.equal(await books.balance('4778'), -10.5);
    const credit = await books.make(`/api/sales/invoices/${note.id}/rectify`, { reason: 'Error', date: '2026-03-03' });
    await books.make(`/api/sales/invoices/${credit.id}/post`);
    assert.equal(await books.balance('4778'), 10.5);
    await books.make('/api/payments/offsets', {
      partner_id: books.customerId,
      linked_documents: [
        { document_type: 'sales_invoice', document_id: note.id, amount_applied: 60.5 },
        { document_type: 'sales_invoice', document_id: credit.id, amount_applied: -60.5 },
      ],
    });
    assert.equal(await books.balance('4778'), 10.5);
    await assertSound(app.databaseUrl);
  });

  it('accrues with the lines of a manual entry that settle an invoice, and back', async () => {
    await settle({ cashBasisYears: [2026] });
    const { id } = await sell('2026-01-10', 100);
    const lines = [
      { accountId: books.account('650'), debit: 60.5 },
      { accountId: books.account('430'), credit: 60.5, partnerId: books.customerId, settlesId: id },
    ];
    const entry = await books.make('/api/journal-entries', { date: '2026-02-01', lines, post: true });
    assert.deepEqual([await books.balance('4778'), await books.balance('477000')], [-10.5, -10.5]);
    await books.make(`/api/journal-entries/${entry.id}/reverse`, { date: '2026-02-01' });
    assert.deepEqual([await books.balance('4778'), await books.balance('477000')], [-21, 0]);
    await assertSound(app.databaseUrl);
  });

  it('accrues tax of invoices in other currencies at the rate of the invoice, whatever the payment is worth', async () => {
    await settle({ cashBasisYears: [2026] });
    for (const [date, rate] of [
      ['2026-01-01', 1.25],
      ['2026-04-01', 1.1],
    ])
      await books.make('/api/exchange-rates', { currency: 'USD', date, rate });
    const { id } = await sell('2026-01-10', 100, { currency: 'USD' });
    assert.deepEqual(await taxes('1T'), { '62': 80, '63': 16.8 });
    const half = await pay('in', '2026-04-10', 60.5, id);
    assert.deepEqual((await books.enteredFor(half.id)).slice(-2), ['D 4778 8.4', 'H 47700021 8.4']);
    await pay('in', '2026-05-10', 60.5, id);
    assert.deepEqual([await books.balance('4778'), await books.balance('430')], [0, 0]);
    assert.deepEqual([(await taxes('2T'))['07'], (await taxes('2T'))['09']], [80, 16.8]);
    await app.client.del(`/api/payments/in/${half.id}`);
    assert.deepEqual([await books.balance('4778'), await books.balance('477000')], [-8.4, -8.4]);
    await assertSound(app.databaseUrl);
  });

  it('leaves out what bears no tax of its own, and keeps its own years', async () => {
    await settle({ cashBasisYears: [2026] });
    await sell('2026-01-10', 100, { vatRegime: 'exempt' });
    await sell('2026-01-11', 100, { vatRegime: 'intra_eu' });
    await buy('2026-01-12', 100, { vatRegime: 'reverse_charge' });
    assert.deepEqual([await books.balance('4778'), await books.balance('4728')], [0, 0]);
    const { cashBasis } = await sell('2025-12-30', 100);
    assert.equal(cashBasis, false);
    const surcharged = await sell('2026-01-13', 100, { vatRegime: 'surcharge' });
    assert.equal(await books.balance('4778'), -26.2);
    await pay('in', '2026-01-14', 63.1, surcharged.id);
    assert.deepEqual([await books.balance('4778'), await books.balance('477')], [-13.1, -21 - 26.2 - 21]);
    const credit = await books.make(`/api/sales/invoices/${surcharged.id}/rectify`, { reason: 'Error' });
    await settle({ cashBasisYears: [] });
    const posted = await books.make<Data>(`/api/sales/invoices/${credit.id}/post`);
    assert.equal(posted.cashBasis, true);
    await assertSound(app.databaseUrl);
  });
});
