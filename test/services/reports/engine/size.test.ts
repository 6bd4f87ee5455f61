import assert from 'node:assert/strict';
import { newId } from '../../../../db/ids.ts';
import { BankAccount } from '../../../../db/models/records/master-data.ts';
import { insertRow } from '../../../../db/write.ts';
import { deferrals } from '../../../../services/reports/accounting/deferrals.ts';
import { inventoriesAndAccounts } from '../../../../services/reports/accounting/inventories-and-accounts.ts';
import { journal } from '../../../../services/reports/accounting/journal.ts';
import { ledger } from '../../../../services/reports/accounting/ledger.ts';
import type { Report, Values } from '../../../../services/reports/engine/declaration.ts';
import { reportRequest } from '../../../../services/reports/engine/request.ts';
import { isForWorker, MAX_PDF_ROWS } from '../../../../services/reports/engine/size.ts';
import { REPORTS } from '../../../../services/reports/generation/reports.ts';
import { aging } from '../../../../services/reports/payments/aging.ts';
import { payslipReport } from '../../../../services/reports/staff/payslip.ts';
import { stockMovementsReport } from '../../../../services/reports/stock/stock-movements.ts';
import { model420Report } from '../../../../services/reports/tax-returns/model420.ts';
import { model425Report } from '../../../../services/reports/tax-returns/model425.ts';
import { withholdingCertificate } from '../../../../services/reports/tax-returns/withholding-certificate.ts';
import { createDocument } from '../../../../services/trade/lifecycle/create.ts';
import { postInvoice } from '../../../../services/trade/lifecycle/post.ts';
import { useCompany } from '../../../helpers/hooks.ts';

/** Reports that need to know of whom, or another company. */
const ELSEWHERE: readonly Report[] = [payslipReport, withholdingCertificate, model420Report, model425Report];

describe('the size of reports', () => {
  const company = useCompany();
  /** Reports that fail when they are read. */
  const unread = (report: Report): Report => ({
    ...report,
    read: async () => assert.fail(`${report.name} was read`),
  });
  const sized = (report: Report, rows: number): Report => ({ ...report, size: async () => rows });
  const goesToWorker = (report: Report, format: string, params: Values = {}) =>
    company.run((db) => isForWorker(db, { report, params, ctx: company.ctx, format }));
  const countRows = (report: Report, params: Values, most: number) =>
    company.run(async (db) =>
      report.size?.(await reportRequest(db, { report, params, ctx: company.ctx }, false), most),
    );

  before(async () => {
    for (const quantity of [1, 2, 3]) await company.stockUp(company.itemId, quantity, '2026-03-01');
    const lines = [{ description: 'Servicio', quantity: 1, price: 100 }];
    const invoice = await company.run((trx) =>
      createDocument(trx, company.ctx, 'SINV', { partnerId: company.customerId, date: '2026-03-02', lines }),
    );
    await company.run((trx) => postInvoice(trx, company.ctx, invoice.id, { ifMatch: null }));
  });

  it('decides who makes the file, and nothing is read for that', async () => {
    assert.equal(await goesToWorker(unread(aging), 'pdf'), true);
    const charted = { ...unread(aging), charts: () => [] };
    assert.deepEqual([await goesToWorker(charted, 'excel'), await goesToWorker(charted, 'csv')], [true, false]);
    for (const report of [aging, journal].map(unread)) {
      assert.equal(await goesToWorker(sized(report, 1_000_000), 'csv'), false);
      assert.equal(await goesToWorker(sized(report, 10_000), 'excel'), false);
      assert.equal(await goesToWorker(sized(report, 10_001), 'excel'), true);
    }
  });

  it('refuses paper for too many rows, of which the table of a short list may say too much', async () => {
    const refused = {
      code: 'invalid_parameter',
      message: /^format cannot be pdf because there are more than 5000 rows/,
    };
    await assert.rejects(goesToWorker(sized(unread(journal), MAX_PDF_ROWS + 1), 'pdf'), refused);
    // 5,001 partners at most, of which as many as these owe anything.
    const owing = (rows: number): Report => ({
      ...sized(aging, MAX_PDF_ROWS + 1),
      read: async () => ({ data: { customers: Array.from({ length: rows }, () => ({})) }, summary: {} }),
    });
    await assert.rejects(goesToWorker(owing(MAX_PDF_ROWS + 1), 'pdf'), refused);
    assert.equal(await goesToWorker(owing(MAX_PDF_ROWS), 'pdf'), true);
  });

  it('says what can be asked for instead of paper, as far as the report has it', async () => {
    const advice = async (report: Report) => {
      const long = { ...sized(unread(report), MAX_PDF_ROWS + 1), paged: true };
      const refused = await goesToWorker(long, 'pdf').catch((error: Error) => error.message);
      return String(refused).split('; ')[1];
    };
    const inParts = 'the zip of legal-books, which has it in parts';
    assert.deepEqual(
      await Promise.all([stockMovementsReport, deferrals, journal, inventoriesAndAccounts].map(advice)),
      [
        'choose a shorter period, csv or excel',
        'choose csv or excel',
        `choose a shorter period, csv, excel or ${inParts}`,
        `choose excel or ${inParts}`,
      ],
    );
  });

  it('is known of every report in every format without reading it', async () => {
    const [account] = await company.rows(`select id from accounts where code = '430'`);
    const values = { name: 'Main', iban: 'ES9121000418450200051332', isDefault: false };
    const bank = await company.run((trx) => insertRow(trx, company.ctx, BankAccount, values));
    for (const report of REPORTS.filter((one) => !ELSEWHERE.includes(one))) {
      const account_id = 'account_id' in report.parameters ? { account_id: String(account?.id) } : {};
      const bank_account_id = 'bank_account_id' in report.parameters ? { bank_account_id: bank.id } : {};
      const params = { ...account_id, ...bank_account_id };
      assert.equal(await goesToWorker(unread(report), 'pdf', params), true, report.name);
    }
  });

  it('is refused where what the report is about does not exist, before a worker is asked', async () => {
    const about = ['account_id', 'bank_account_id', 'department_id', 'employee_id', 'payroll_id'];
    const reports = REPORTS.filter(({ parameters }) => about.some((name) => name in parameters));
    assert.equal(reports.length, 8);
    const params = Object.fromEntries(about.map((name) => [name, newId()]));
    for (const report of reports) {
      for (const format of ['pdf', 'excel']) {
        await assert.rejects(goesToWorker(unread(report), format, params), { code: 'not_found' }, report.name);
      }
    }
  });

  it('is counted no further than needed', async () => {
    const range = { from: '2026-03-01', to: '2026-03-31' };
    // Three receipts.
    assert.equal(await countRows(stockMovementsReport, range, 10), 3);
    assert.equal(await countRows(stockMovementsReport, range, 1), 2);
    await assert.rejects(countRows(stockMovementsReport, { ...range, item_id: newId() }, 10), { code: 'not_found' });
    const entered = await company.rows('select account_id, count(*)::integer as lines from journal_lines group by 1');
    for (const { account_id, lines } of entered) {
      // One more: files begin with the opening balance.
      assert.equal(await countRows(ledger, { account_id: String(account_id) }, 10_000), Number(lines) + 1);
    }
    assert.ok(entered.length > 0);
    const lines = entered.reduce((sum, row) => sum + Number(row.lines), 0);
    assert.equal(await countRows(journal, {}, 10_000), lines);
    await assert.rejects(countRows(ledger, { account_id: newId() }, 10), { code: 'not_found' });
  });
});
