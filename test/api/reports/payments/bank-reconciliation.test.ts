/** The bank reconciliation statement over HTTP (decision 0325). */
import assert from 'node:assert/strict';
import { BankAccount } from '../../../../db/models/records/master-data.ts';
import { insertRow } from '../../../../db/write.ts';
import { BankDesk } from '../../../helpers/bank-desk.ts';
import { sampleLine } from '../../../helpers/bank-files.ts';
import { addCompany } from '../../../helpers/company.ts';
import { download, readCsv } from '../../../helpers/download.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { link, openTill } from '../../trade/payments/till.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows of answers are checked by their members
type Row = any;

describe('the bank reconciliation statement', function () {
  this.timeout(60_000);
  const app = useApp();
  const till = use(() => openTill(app));
  const books = use(() => openBooks(app));
  const desk = use(() => new BankDesk(app, till));
  let bank: string;
  const report = async (query = '') => {
    const { status, body } = await app.client.get(`/api/reports/bank-reconciliation?bank_account_id=${bank}&${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const shown = ({ data }: Row) => data.rows.map(({ kind, date, amount }: Row) => `${kind} ${date} ${amount}`);
  const enter = (date: string, amount: number) => {
    const [debit, credit] = ['572', '100'].map(books.account);
    const lines = [
      { accountId: debit, debit: amount },
      { accountId: credit, credit: amount },
    ];
    return books.make('/api/journal-entries', { date, post: true, lines });
  };

  /** The bank has 1,000 when its first statement begins; the books have 990. */
  before(async () => {
    bank = await desk.openAccount();
    await enter('2026-01-02', 990);
    const invoice = await till.invoice('sales', 100, { date: '2026-01-10' });
    const [paid = '', , fee = ''] = await desk.importLines('2026-01-15', [
      ...[sampleLine({ amount: '121' }), sampleLine({ amount: '-7', text: 'Unknown' })],
      sampleLine({ amount: '-3', text: 'Fee' }),
    ]);
    await desk.accepted({ line_id: paid, partner_id: till.customerId, documents: [link(invoice.id)] });
    await desk.accepted({ line_id: fee, account_code: '626' });
    await enter('2026-01-20', 40);
  });

  it('leads from the balance of the books to that of the bank', async () => {
    const answer = await report('to=2026-01-31');
    assert.deepEqual(shown(answer), ['not_at_bank 2026-01-20 40', 'not_in_books 2026-01-15 -7']);
    // The bank had 10 more before its first statement.
    const { summary } = answer;
    const { bank_balance } = summary;
    assert.deepEqual(summary, {
      ...{ book_balance: bank_balance + 7 + 40 - 10, not_at_bank: 40, not_in_books: -7 },
      ...{ expected_balance: bank_balance - 10, bank_balance, difference: 10 },
    });
    for (const { drilldown } of answer.data.rows) assert.equal((await app.client.get(drilldown)).status, 200);
  });

  it('counts what one side has later as open until then', async () => {
    const before = await report('to=2026-01-14');
    assert.deepEqual([before.summary.book_balance, before.summary.bank_balance], [990, null]);
    const [entry = ''] = [(await enter('2026-02-01', 5)).id];
    const [line = ''] = await desk.importLines('2026-02-03', [sampleLine({ amount: '5' })], { opening: '1100' });
    await desk.accepted({ line_id: line, entry_id: entry });
    assert.ok(shown(await report('to=2026-02-02')).includes('not_at_bank 2026-02-01 5'));
    assert.ok(!shown(await report('to=2026-02-03')).includes('not_at_bank 2026-02-01 5'));
  });

  it('leaves out an entry and its reversal that the bank never saw', async () => {
    const before = shown(await report('to=2026-06-30'));
    const { id } = await enter('2026-02-10', 77);
    assert.equal(shown(await report('to=2026-06-30')).length, before.length + 1);
    const { status, body } = await app.client.post(`/api/journal-entries/${id}/reverse`, { date: '2026-02-12' });
    assert.ok(status < 300, JSON.stringify(body));
    assert.deepEqual(shown(await report('to=2026-06-30')), before);
    assert.ok(shown(await report('to=2026-02-11')).includes('not_at_bank 2026-02-10 77'));
  });

  it('comes in pages, and as a file with all rows', async () => {
    const whole = await report('to=2026-06-30');
    const page = await report('to=2026-06-30&limit=1&page=2');
    assert.deepEqual(page.data.rows, whole.data.rows.slice(1, 2));
    const path = `/api/reports/bank-reconciliation?bank_account_id=${bank}&to=2026-06-30&format=csv`;
    assert.equal((await readCsv(await download(app, path), ';')).length, whole.data.rows.length);
  });

  it('is of bank accounts that the company has', async () => {
    const path = '/api/reports/bank-reconciliation';
    assertProblem(await app.client.get(path), 400, 'invalid_parameter');
    assertProblem(await app.client.get(`${path}?bank_account_id=${books.account('572')}`), 404, 'not_found');
    const other = await addCompany(app.database, app.databaseUrl);
    const values = { name: 'Other', iban: 'ES9121000418450200051332', isDefault: false };
    const { id } = await other.run((trx) => insertRow(trx, other.ctx, BankAccount, values));
    assertProblem(await app.client.get(`${path}?bank_account_id=${id}`), 404, 'not_found');
  });
});
