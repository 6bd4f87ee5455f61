import assert from 'node:assert/strict';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem, assertRefused } from '../../../helpers/problem.ts';
import { link, openTill } from '../../trade/payments/till.ts';
import { openBooks } from '../accounting/books.ts';

type Body = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;

/** Values of what is open in other currencies at the end of a period (decision 0317). */
describe('revaluations', () => {
  const app = useApp();
  const till = use(() => openTill(app));
  const books = use(() => openBooks(app));
  const PATH = '/api/exchange-revaluations';
  const balance = async (code: string, to: string): Promise<number> => {
    const { rows } = await app.database.readTenant({ tenantId: app.tenantId }, async (db) =>
      db.raw(
        `select coalesce(sum(l.debit - l.credit), 0)::float8 as balance from journal_lines l join accounts a on a.id = l.account_id
         where a.code like ? and l.date <= ?`,
        [`${code}%`, to],
      ),
    );
    return rows[0].balance;
  };

  before(async () => {
    for (const [currency, date, rate] of [
      ['USD', '2026-01-01', 1.25],
      ['USD', '2026-03-31', 1],
      ['GBP', '2026-01-01', 0.8],
    ])
      await books.make('/api/exchange-rates', { currency, date, rate });
  });

  it('value invoices at the rate of the day, and take it back on the next', async () => {
    const usd = { currency: 'USD', date: '2026-01-10' };
    const { id } = await till.invoice('sales', 100, usd);
    await till.invoice('purchases', 50, usd);
    await till.invoice('sales', 80, { currency: 'GBP', date: '2026-01-10' });
    await till.pay('in', 25, { currency: 'USD', payment_date: '2026-01-20' });
    const made: Data = await books.make(PATH, { date: '2026-03-31' });
    assert.deepEqual([made.gain, made.loss, made.rates], [20, 10, { USD: 1, GBP: 0.8 }]);
    assert.deepEqual(
      made.lines.map((line: Data) => [line.accountCode, line.amount, line.value, line.newValue]).sort(),
      [
        ['410', -50, -40, -50],
        ['430', 100, 80, 100],
      ],
    );
    assert.deepEqual(await books.enteredFor(made.id), [
      ...['H 410 10', 'D 430 20', 'H 768 20', 'D 668 10'],
      ...['D 410 10', 'H 430 20', 'D 768 20', 'H 668 10'],
    ]);
    assert.deepEqual([await balance('430', '2026-03-31'), await balance('430', '2026-04-01')], [200, 180]);
    const paid = await till.pay('in', 100, { payment_date: '2026-04-02', linked_documents: [link(id)] });
    assert.equal(paid.body.data.linked_documents[0].exchange_difference, 20);
  });

  it('stand if they are not to be reversed, and can be cancelled', async () => {
    await till.invoice('sales', 10, { currency: 'GBP', date: '2026-04-10' });
    const made: Data = await books.make(PATH, { date: '2026-04-30', rates: { GBP: 0.5 }, reverseOn: null });
    assert.deepEqual([made.reversalId, made.gain], [null, 67.5]);
    assertProblem(await app.client.post(PATH, { date: '2026-04-30', rates: { GBP: 0.5 } }), 409, 'nothing_open');
    const cancelled = await app.client.post(`${PATH}/${made.id}/cancel`);
    assert.equal(cancelled.body.data.status, 'cancelled');
    assertProblem(await app.client.post(`${PATH}/${made.id}/cancel`), 409, 'invalid_transition');
    const again: Data = await books.make(PATH, { date: '2026-04-30', rates: { GBP: 0.5 } });
    await app.client.post(`${PATH}/${again.id}/cancel`);
    assert.equal(await balance('768', '2026-12-31'), -20);
    const listed = (await app.client.get(`${PATH}?sort=code`)).body.data;
    assert.deepEqual(
      listed.map((one: Data) => [one.code, one.status]),
      [
        ['EXR00001', 'posted'],
        ['EXR00002', 'cancelled'],
        ['EXR00003', 'cancelled'],
      ],
    );
  });

  it('are refused before a rate, on closed days and backwards', async () => {
    const refused = async (body: Body, pointer: string) => assertRefused(await app.client.post(PATH, body), pointer);
    await refused({ date: '2026-03-31', reverseOn: '2026-03-31' }, '/reverseOn');
    await refused({ date: '2026-03-31', rates: { CHF: 1 } }, '/rates/CHF');
    await refused({ date: '2026-03-31', rates: { usd: 1 } }, '/rates/usd');
    await refused({ date: '2026-03-31', rates: { USD: 0 } }, '/rates/USD');
  });

  it('count what a bank account in another currency has', async () => {
    const account = await books.make('/api/accounts', {
      ...{ code: '572900', name: 'USD', type: 'asset', parentId: null },
    });
    const bank = await books.make('/api/config/bank-accounts', {
      ...{ name: 'Dollars', iban: 'ES7921000813610123456789', currency: 'USD', account_id: account.id },
    });
    const { id } = await till.invoice('sales', 30, { currency: 'USD', date: '2026-05-10' });
    const payment = await till.pay('in', 30, {
      ...{ payment_date: '2026-05-11', bank_account_id: bank.id, exchange_rate: 1.5 },
      linked_documents: [link(id)],
    });
    assert.equal(payment.status, 201, JSON.stringify(payment.body));
    const made: Data = await books.make(PATH, { date: '2026-05-31' });
    assert.deepEqual(
      made.lines
        .filter((line: Data) => line.partnerId === null)
        .map((line: Data) => [line.accountCode, line.amount, line.value, line.newValue]),
      [['572900', 30, 20, 30]],
    );
    const refused = await till.pay('in', 5, { currency: 'GBP', bank_account_id: bank.id });
    assertRefused(refused, '/currency');
  });
});
