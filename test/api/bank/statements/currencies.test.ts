import assert from 'node:assert/strict';
import { BankDesk } from '../../../helpers/bank-desk.ts';
import { sample, sampleLine, writeOfx } from '../../../helpers/bank-files.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertRefused } from '../../../helpers/problem.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { link, openTill } from '../../trade/payments/till.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;

/** Bank accounts in other currencies, and documents paid on accounts in the company's (decision 0317). */
describe('lines of banks in other currencies', function () {
  this.timeout(60_000);
  const app = useApp();
  const till = use(() => openTill(app));
  const books = use(() => openBooks(app));
  const desk = use(() => new BankDesk(app, till));
  const iban = 'ES7921000813610123456789';
  const inDollars = async (day: string, lines: readonly Parameters<typeof sampleLine>[0][]) =>
    desk.importLines(
      day,
      lines.map((line) => sampleLine(line)),
      { account: { iban, number: null }, currency: 'USD' },
    );

  before(async () => {
    await books.make('/api/exchange-rates', { currency: 'USD', date: '2026-01-01', rate: 1.25 });
    await books.make('/api/exchange-rates', { currency: 'USD', date: '2026-03-01', rate: 1 });
    const account = await books.make('/api/accounts', { code: '572900', name: 'USD', type: 'asset', parentId: null });
    await desk.openAccount();
    await desk.openAccount({ iban, name: 'Dollars', currency: 'USD', account_id: account.id });
  });

  it('become payments in it, and entries at the rate of their day', async () => {
    const invoice = await till.invoice('sales', 100, { currency: 'USD', date: '2026-01-10' });
    const euros = await till.invoice('sales', 100, { date: '2026-01-10' });
    const [paid = '', fee = ''] = await inDollars('2026-03-02', [{ amount: '100' }, { amount: '-5', text: 'Fee' }]);
    const shown: Data = await desk.line(paid);
    const named = shown.suggestions.flatMap((one: Data) => one.documents ?? one.invoices ?? []);
    assert.ok(!JSON.stringify(named).includes(euros.id), JSON.stringify(shown.suggestions));
    const { payment_ids } = await desk.accepted({
      ...{ line_id: paid, partner_id: till.customerId, documents: [link(invoice.id)] },
    });
    assert.deepEqual(await till.entered(payment_ids[0] ?? ''), ['572900 100 0', '430 0 80', '768 0 20']);
    const { entry_id } = await desk.accepted({ line_id: fee, account_code: '626' });
    assert.deepEqual(await desk.entry(entry_id ?? ''), [
      ['572900', 0, 5],
      ['626', 5, 0],
    ]);
    const { lines } = (await app.client.get(`/api/journal-entries/${entry_id}`)).body.data;
    assert.deepEqual([lines[0].currency, lines[0].currencyAmount], ['USD', 5]);
  });

  it('settle documents in another currency on an account in the company’s', async () => {
    const invoice = await till.invoice('sales', 100, { currency: 'USD', date: '2026-01-10' });
    const [line = ''] = await desk.importLines('2026-03-03', [sampleLine({ amount: '97.5' })]);
    const { payment_ids } = await desk.accepted({
      ...{ line_id: line, partner_id: till.customerId, documents: [link(invoice.id)] },
    });
    const payment: Data = (await app.client.get(`/api/payments/in/${payment_ids[0]}`)).body.data;
    assert.deepEqual([payment.amount, payment.currency, payment.company_amount], [100, 'USD', 97.5]);
    assert.equal(payment.linked_documents[0].exchange_difference, 17.5);
  });

  it('are refused in files of another currency, and without a rate', async () => {
    const wrong = await desk.send(writeOfx([sample({ account: { iban, number: null }, currency: 'GBP' })]));
    assert.equal(wrong.status, 422, JSON.stringify(wrong.body));
    assert.equal(wrong.body.errors[0].code, 'other_currency');
    const [early = ''] = await inDollars('2025-12-30', [{ amount: '-7' }]);
    assertRefused(await desk.accept([{ line_id: early, account_code: '626' }]), '/lines/0/line_id');
  });
});
