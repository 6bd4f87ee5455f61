import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import ExcelJS from 'exceljs';
import { memberLabel } from '../../../../domain/locale/labels.ts';
import { openReport, type ReportContent, writeReportExcel } from '../../../../services/reports/engine/content.ts';
import type { Report } from '../../../../services/reports/engine/declaration.ts';
import { pictures } from '../../../../services/reports/engine/drawings.ts';
import { REPORTS } from '../../../../services/reports/generation/reports.ts';
import { model420Report } from '../../../../services/reports/tax-returns/model420.ts';
import { model425Report } from '../../../../services/reports/tax-returns/model425.ts';
import { enterGoldenQuarter, type GoldenQuarter } from '../../../api/reports/golden-quarter.ts';
import { BankDesk } from '../../../helpers/bank-desk.ts';
import { sampleLine } from '../../../helpers/bank-files.ts';
import { download, readCsv } from '../../../helpers/download.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { generate, hire, listPayrolls } from '../../../helpers/payrolls.ts';

const NOW = new Date('2026-04-15T10:00:00Z');
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** Text that a spreadsheet would compute. */
const FORMULA = '=1+1|cmd';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Answered = any;

/** The rows of the first table in an answer, whatever shape it has. */
function reportRows({ data, report_name: report, ...bare }: Answered): Answered[] {
  if (data === undefined)
    return Object.entries<Answered>(bare.by_method).map(([method, sums]) => ({ method, in: sums.in, out: sums.out }));
  const { sections, boxes, opening_balance: opening } = data;
  if (sections !== undefined) return sections.flatMap(nested);
  if (data.payer !== undefined) return certified(data);
  if (data.payroll_id !== undefined) return paid(data);
  if (boxes !== undefined && data.rows === undefined)
    return Object.entries(boxes).map(([box, amount]) => ({ box, amount }));
  const rows = data.rows ?? data.customers ?? data.kpis ?? data.opening_balances.rows;
  // The ledger of an account begins with what was there; a forecast has that as a figure.
  return report === 'ledger' ? [{ balance: opening }, ...rows] : rows;
}

/** Returns the content of a certificate, in the order of its form. */
function certified({ payer, employee, ...amounts }: Answered): Answered[] {
  const { amount, withheld, in_kind: inKind, in_kind_withheld: ofKind, contributions } = amounts;
  const texts = [payer.nif, payer.name, employee.nif ?? '', employee.name].map((text) => ({ text }));
  return [...texts, ...[amount, withheld, inKind, ofKind, contributions].map((value) => ({ amount: value }))];
}

/** Returns the content of a payslip, in the order of its form. */
function paid({ company, employee, days, earnings, deductions, bases, employer, net }: Answered): Answered[] {
  const { name, address, tax_id: taxId, contribution_account: account } = company;
  const { nif, social_security_number: number, position, contribution_group: group, hire_date: hired } = employee;
  const texts = [name, address, taxId, account, employee.name, nif, number, position, group, hired, days];
  const contributed = (rows: Answered[]) => rows.flatMap(({ base, rate, amount }) => [base, rate, amount]);
  const { irpf } = deductions;
  const amounts = [
    ...[...earnings.lines.map(({ amount }: Answered) => amount), earnings.total],
    ...[...contributed(deductions.contributions), deductions.contributions_total],
    ...[irpf.base, irpf.rate, irpf.amount, deductions.total, net],
    ...[bases.monthly, bases.extras, ...contributed(employer.contributions), employer.total, bases.irpf],
  ];
  return [...texts.map((text) => ({ text: text ?? '' })), ...amounts.map((amount) => ({ amount }))];
}

function nested({ children = [], ...row }: Answered): Answered[] {
  return [row, ...children.flatMap(nested)];
}

/** Computes one of our formulas: the sum of a range or of cells. */
function computed(sheet: ExcelJS.Worksheet, formula: string): number {
  const [, letter, first, last] = /^SUBTOTAL\(9,([A-Z]+)(\d+):\1(\d+)\)$/.exec(formula) ?? [];
  const range = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => `${letter}${from + index}`);
  const cells = letter === undefined ? formula.split('+') : range(Number(first), Number(last));
  const values = cells.map((cell) => Number(sheet.getCell(cell).result ?? sheet.getCell(cell).value ?? 0));
  return Math.round(values.reduce((sum, value) => sum + value, 0) * 1e6) / 1e6;
}

/** A month with something of everything: the golden quarter, goods in stock, money, a project and a cost center. */
interface Entered extends GoldenQuarter {
  readonly employeeId: string;
  readonly payrollId: string;
  readonly bankAccountId: string;
}

async function enterEverything(app: ReturnType<typeof useApp>): Promise<Entered> {
  const books = await enterGoldenQuarter(app);
  const { body } = await app.client.get('/api/config/tax');
  await app.client.put('/api/config/tax', { ...body, taxpayer: 'sole_trader', ossFrom: '2026-01-01' });
  const { make, invoice, customerId, supplierId } = books;
  const first = async (path: string) => (await app.client.get(path)).body.data[0].id;
  const group = await first('/api/partnerGroups?isCustomer=true');
  const named = (await make('/api/partners', { name: FORMULA, groupId: group })).id;
  const project = (await make('/api/projects', { name: '@SUM(A1)', code: 'P1' })).id;
  await make('/api/cost-centers', { name: '-2+3', code: 'CC1' });
  const goods = { name: '+1+1', type: 'product', uomId: await first('/api/uom?code=UD') };
  const itemId = (await make('/api/items', goods)).id;
  const line = { itemId, quantity: 3, price: 1.333 };
  await make('/api/purchases/delivery-notes', { partnerId: supplierId, date: '2026-02-01', lines: [line] });
  await make('/api/sales/delivery-notes', {
    partnerId: customerId,
    date: '2026-02-02',
    lines: [{ ...line, quantity: 1 }],
  });
  const planned = (await make('/api/items', { ...goods, name: '=2+2', costMethod: 'standard' })).id;
  await make('/api/standard-costs', { itemId: planned, date: '2026-02-01', cost: 5 });
  const dearer = { itemId: planned, quantity: 2, price: 6.5 };
  await make('/api/purchases/delivery-notes', { partnerId: supplierId, date: '2026-02-01', lines: [dearer] });
  const budget = (await make('/api/budgets', { name: FORMULA, fiscalYear: 2026 })).id;
  await make('/api/budget-lines', {
    budgetId: budget,
    account: '62',
    month: '2026-03-01',
    amount: 800,
    projectId: project,
  });
  await make('/api/budget-lines', { budgetId: budget, account: '62', month: '2026-03-01', amount: 900 });
  await app.client.patch(`/api/budgets/${budget}`, { status: 'approved', isDefault: true });
  const account = async (code: string) => await first(`/api/accounts?code=${code}`);
  const depreciation = { accumulatedAccountId: await account('281'), expenseAccountId: await account('681') };
  const assetGroup = {
    code: '=3+3',
    name: FORMULA,
    assetAccountId: await account('213'),
    usefulLifeMonths: 60,
    ...depreciation,
  };
  const { id: groupId } = await make('/api/asset-groups', assetGroup);
  await make('/api/assets', { name: '=4+4', groupId, acquiredOn: '2026-01-01', cost: 6000.6 });
  const owed = { longTermAccountId: await account('170'), shortTermAccountId: await account('520') };
  const paid = { interestAccountId: await account('662'), bankAccountId: await account('572') };
  const terms = { principal: 900, annualRate: 6, instalments: 9, startsOn: '2026-01-10', partnerId: named };
  const { id: loanId } = await make('/api/loans', { code: '=5+5', name: FORMULA, ...terms, ...owed, ...paid });
  await make(`/api/loans/${loanId}/draw`, {});
  const salespersonId = (await make('/api/salespeople', { code: 'S1', name: '=1+1' })).id;
  await make('/api/commission-rates', { name: 'All', percent: 5 });
  await invoice('sales', '2026-03-20', 99.99, { partnerId: named, projectId: project, salespersonId });
  const money = { partner_id: named, amount: 20.5, payment_date: '2026-03-21', payment_method: 'transfer' };
  await make('/api/payments/in', money);
  const state = { code: 'FR20', name: FORMULA, rate: 20, consumptionCountry: 'FR', rateKind: 'standard' };
  await invoice('sales', '2026-03-02', 10, {}, { taxGroupId: (await make('/api/taxes', state)).id });
  const fees = { itemId: undefined, description: 'Abogado' };
  const rent = { itemId: undefined, description: 'Alquiler', serviceFrom: '2026-02-01', serviceTo: '2026-04-30' };
  await invoice('purchases', '2026-02-01', 0.03, {}, rent);
  await invoice('purchases', '2026-03-22', 1000, { withholdingRate: 15 }, fees);
  await invoice(
    'purchases',
    '2026-03-22',
    4000.5,
    {},
    { itemId: undefined, description: FORMULA, vatUse: 'investment' },
  );
  const { id: document_id } = await invoice('purchases', '2026-03-23', 50, { cashBasis: true });
  const part = { partner_id: supplierId, amount: 12.1, payment_date: '2026-03-24', payment_method: 'transfer' };
  const linked_documents = [{ document_type: 'purchase_invoice', document_id }];
  await make('/api/payments/out', { ...part, linked_documents });
  const tax = { kind: 'withholding', operation: 'domestic', rate: 19, base: 100 };
  const dividend = [
    { accountId: books.account('526'), debit: 100, partnerId: named },
    { accountId: books.account('4751'), credit: 19, tax },
    { accountId: books.account('572'), credit: 81 },
  ];
  await make('/api/journal-entries', { date: '2026-03-25', lines: dividend, post: true });
  const { id: employeeId } = await hire(app, { name: FORMULA });
  await make('/api/absences', { employeeId, type: 'sick', from: '2026-02-02', to: '2026-02-04' });
  const [startedAt, endedAt] = ['2026-02-05T08:00:00Z', '2026-02-05T16:30:00Z'];
  await make('/api/time-records', { employeeId, startedAt, endedAt, breakMinutes: 30, note: FORMULA });
  await generate(app, { year: 2026, month: 3, post: true });
  const [payroll] = await listPayrolls(app, `employeeId=${employeeId}`);
  const desk = new BankDesk(app);
  const bankAccountId = await desk.openAccount({ name: FORMULA });
  await desk.importLines('2026-03-01', [sampleLine({ text: FORMULA })]);
  return { ...books, employeeId, payrollId: payroll?.id ?? '', bankAccountId };
}

describe('the files of every report', function () {
  this.timeout(120_000);
  const app = useApp({ clock: { now: NOW } });
  const books = use(() => enterEverything(app));

  const sampleQuery = ({ name: report, parameters }: Report): Record<string, string> => {
    if ('period' in parameters) return { year: '2026', period: '1T' };
    if ('quarter' in parameters) return { year: '2026', quarter: '1' };
    if ('payroll_id' in parameters) return { payroll_id: books.payrollId };
    if ('month' in parameters) return { year: '2026', month: '2' };
    if ('employee_id' in parameters) return { year: '2026', employee_id: books.employeeId };
    if (report === 'operations-letter') return { year: '2026', partner_id: books.customerId };
    if ('year' in parameters) return { year: '2026' };
    const partner = /^(customer|supplier)-statement$/.test(report)
      ? { partner_id: report.startsWith('c') ? books.customerId : books.supplierId }
      : {};
    const bank = 'bank_account_id' in parameters ? { bank_account_id: books.bankAccountId } : {};
    const account = 'account_id' in parameters ? { account_id: books.account('430') } : {};
    return {
      ...account,
      ...bank,
      ...partner,
      ...('from' in parameters ? { from: '2026-01-01' } : {}),
      ...('to' in parameters ? { to: '2026-03-31' } : {}),
    };
  };
  const reportPath = (report: Report, more: Record<string, string> = {}) =>
    `/api/reports/${report.name}?${new URLSearchParams({ ...sampleQuery(report), ...more })}`;
  const reportAnswer = async (report: Report): Promise<Answered> => {
    const { status, body } = await app.client.get(reportPath(report, report.paged === true ? { limit: '500' } : {}));
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const reportWorkbook = (report: Report) =>
    app.database.snapshot(app, async (db) => {
      const numbers = ['year', 'quarter', 'month'];
      const typed = Object.entries(sampleQuery(report)).map(([name, value]) => [
        name,
        numbers.includes(name) ? Number(value) : value,
      ]);
      const ctx = { tenantId: app.tenantId, userId: null, actor: 'test', now: NOW, requestId: 'r' };
      const opened = await openReport(db, { report, params: Object.fromEntries(typed), ctx: ctx as never });
      const drawn = await pictures(opened, async () => PIXEL);
      const output = new PassThrough();
      const workbook = new ExcelJS.Workbook();
      await Promise.all([writeReportExcel({ ...opened, pictures: drawn }, output), workbook.xlsx.read(output)]);
      return { workbook, content: opened };
    });

  it('protect names that a spreadsheet would compute', async () => {
    const path = '/api/reports/profit-customer?format=csv&from=2026-01-01&to=2026-03-31';
    const names = (await readCsv(await download(app, path), ';')).map(({ Nombre }) => Nombre);
    assert.deepEqual(names, ['Café Central', `'${FORMULA}`]);
  });

  // Models 420 and 425 are for companies that charge IGIC, with tests of their own.
  for (const report of REPORTS.filter((one) => one !== model420Report && one !== model425Report)) {
    it(`${report.name}: CSV has a header, the rows of JSON with the same numbers, and no formulas`, async () => {
      const rows = reportRows(await reportAnswer(report));
      assert.ok(rows.length > 0, 'nothing to compare');
      const labelled = await readCsv(await download(app, reportPath(report, { format: 'csv' })), ';');
      const records = await readCsv(await download(app, reportPath(report, { format: 'csv', header: 'names' })), ';');
      assert.equal(labelled.length, records.length);
      assert.equal(
        Object.keys(labelled[0] ?? {}).length,
        Object.keys(records[0] ?? {}).length,
        'two columns of a title',
      );
      assertSameRows(report, records as Record<string, string>[], rows);
      for (const text of [...labelled, ...records].flatMap((record) => Object.values(record as object)))
        assert.match(String(text), /^(?![=+@\t\r])(?!-(?![\d.,]+$))/);
    });

    it(`${report.name}: Excel has typed cells, totals that its formulas come to, a filter, and its charts`, async () => {
      const { workbook, content } = await reportWorkbook(report);
      const more = [content.charts, content.warnings].filter(({ length }) => length > 0);
      assert.equal(workbook.worksheets.length, content.tables.length + more.length);
      assert.equal(workbook.model.media.length, content.charts.length);
      for (const [index, table] of content.tables.entries()) {
        const sheet = workbook.worksheets[index] as ExcelJS.Worksheet;
        assert.deepEqual([sheet.views[0]?.state, sheet.autoFilter !== undefined], ['frozen', true]);
        assertTyped(sheet, table);
        assertTitled(table);
        assertFormulas(sheet);
      }
      assertTotals(workbook.worksheets[0] as ExcelJS.Worksheet, content, (await reportAnswer(report)).summary ?? {});
    });
  }
});

/** Rows by rows; of a form each box, in the order of the form. */
function assertSameRows({ name }: Report, records: readonly Record<string, string>[], rows: readonly Answered[]): void {
  assert.equal(records.length, rows.length, `${name}: ${records.length} of ${rows.length} rows`);
  const boxes = new Map(rows.map((row) => [row.box, row]));
  for (const [index, record] of records.entries()) {
    const row = record.box === undefined ? rows[index] : boxes.get(record.box);
    for (const [column, text] of Object.entries(record)) {
      if (typeof row[column] === 'number')
        assert.equal(text.replace(',', '.'), String(row[column]), `${column} ${index}`);
    }
  }
}

function assertTyped(sheet: ExcelJS.Worksheet, { columns }: ReportContent['tables'][number]): void {
  sheet.eachRow((row, number) => {
    if (number === 1) return;
    for (const [index, { kind, name }] of columns.entries()) {
      const { value, numFmt, result } = row.getCell(index + 1);
      const at = `${name} of row ${number}`;
      if (value === null || value === 'Total') continue;
      if (kind === 'number') assert.equal(typeof (result ?? value), 'number', at);
      else if (kind === 'date') assert.ok(value instanceof Date, at);
      else if (kind !== 'integer') assert.doesNotMatch(String(value), /^[=+@-]/, at);
      if (['number', 'date'].includes(kind)) assert.ok(numFmt !== undefined && numFmt !== 'General', at);
    }
  });
}

/** Titles that are the same in Spanish as in English. */
const ALIKE = new Set(['Base', 'Total']);

/** Asserts that the columns have titles in Spanish, the language of the company. */
function assertTitled({ columns }: ReportContent['tables'][number]): void {
  const foreign = columns.filter(({ name, title }) => title === memberLabel(name, 'en') && !ALIKE.has(title));
  assert.deepEqual(
    foreign.map(({ name }) => name),
    [],
  );
}

function assertFormulas(sheet: ExcelJS.Worksheet): void {
  sheet.eachRow((row) =>
    row.eachCell({ includeEmpty: false }, ({ formula, result }) => {
      if (formula !== undefined) assert.equal(computed(sheet, formula), result, formula);
    }),
  );
}

/** Asserts that each column's total in JSON is below the column, as a formula if it is a sum. */
function assertTotals(sheet: ExcelJS.Worksheet, { tables }: ReportContent, summary: Record<string, unknown>): void {
  const { columns = [], totals = {} } = tables[0] ?? {};
  for (const [index, { name, measure }] of columns.entries()) {
    if (typeof totals[name] !== 'number') continue;
    const cell = sheet.getCell(sheet.rowCount, index + 1);
    assert.equal(cell.result ?? cell.value, summary[name] ?? totals[name], name);
    if (measure !== 'percent' && !STANDING.has(name)) assert.ok(cell.formula !== undefined, `${name} is no formula`);
  }
}

/** Columns whose last value is the total. */
const STANDING = new Set(['balance']);
