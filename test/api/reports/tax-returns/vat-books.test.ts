/** The VAT books: what their lines say of invoices, and that they add up to model 303. */
import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import { describe, it } from 'mocha';
import { ISSUED_DESIGN, RECEIVED_DESIGN } from '../../../../domain/reports/tax-returns/vat-book-designs.ts';
import { download, readWorkbook, rowCells } from '../../../helpers/download.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { enterGoldenQuarter, type GoldenQuarter, openReports } from '../golden-quarter.ts';

type Body = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;

const pick = (rows: Data[], ...names: string[]) => rows.map((row) => names.map((name) => row[name]));
const read = async (books: GoldenQuarter, name: string, period: string): Promise<Data> =>
  await books.report(`tax/${name}`, `year=2026&period=${period}`);

/** Asserts that the books declare and deduct what the return does. */
async function assertAgrees(books: GoldenQuarter, period: string): Promise<void> {
  const { boxes } = (await read(books, 'model303', period)).data;
  const issued = await read(books, 'vat-book-issued', period);
  const received = await read(books, 'vat-book-received', period);
  const cents = (...amounts: number[]) => Math.round(amounts.reduce((sum, one) => sum + one, 0) * 100) / 100;
  assert.equal(issued.summary.tax_due, cents(boxes['27'], -boxes['11'], -boxes['13']), `27 of ${period}`);
  assert.equal(received.summary.tax_deducted, cents(boxes['45'], -boxes['43']), `45 of ${period}`);
  for (const [book, member] of [
    [issued, 'tax_due'],
    [received, 'tax_deducted'],
  ]) {
    const total = cents(...book.data.rows.map((row: Data) => row[member]));
    assert.equal(total, book.summary[member], `lines of ${period}`);
  }
}

describe('the VAT books of the golden quarter', () => {
  const app = useApp();
  const books = use(() => enterGoldenQuarter(app));

  it('have a line for each invoice, and agree with model 303', async () => {
    const issued = await read(books, 'vat-book-issued', '1T');
    assert.deepEqual(
      pick(issued.data.rows, 'invoice_type', 'issued_on', 'base', 'rate', 'amount', 'total', 'tax_due'),
      [
        ['F2', '2026-01-20', 8000, 21, 1680, 9680, 1680],
        ['R5', '2026-03-10', -500, 21, -105, -605, -105],
      ],
    );
    assert.equal(issued.data.rows[0].partner_name, 'VENTAS A CONSUMIDOR FINAL');
    const received = await read(books, 'vat-book-received', '1T');
    assert.deepEqual(pick(received.data.rows, 'operation_key', 'base', 'amount', 'deductible', 'total'), [
      ['01', 5000, 1050, 1050, 6050],
      ['01', 1000, 210, 210, 1210],
      ['09', 1000, 210, 210, 1000],
    ]);
    for (const period of ['1T', 'T1', '01', '02', '03', '2T', '0A']) await assertAgreesIfReturned(period);
  });
  async function assertAgreesIfReturned(period: string): Promise<void> {
    if (period !== '0A') return assertAgrees(books, period);
    assert.equal((await read(books, 'vat-book-issued', '0A')).summary.tax_due, 1575);
  }

  it('come in pages, and lead to their invoices', async () => {
    const { data, summary } = await books.report('tax/vat-book-received', 'year=2026&period=1T&limit=2&page=2');
    const { rows, pagination } = data as Data;
    assert.deepEqual([rows.length, pagination.total, pagination.has_more], [1, 3, false]);
    assert.equal((summary as Data).base, 7000);
    assert.equal((await app.client.get(rows[0].drilldown)).body.data.id, rows[0].document_id);
    const beyond = await books.report('tax/vat-book-received', 'year=2026&period=1T&limit=2&page=9');
    assert.deepEqual([(beyond.data as Data).rows, (beyond.data as Data).pagination.total], [[], 3]);
  });

  it('come as workbook and CSV with the columns of the tax agency', async () => {
    const response = await download(app, '/api/reports/tax/vat-book-issued?format=aeat&year=2026&period=1T');
    assert.match(response.headers.get('Content-Disposition') ?? '', /"2026[A-Z0-9]{9}E[\w .-]+\.xlsx"/);
    const [sheet] = (await readWorkbook(response)).worksheets;
    assert.deepEqual(
      [sheet?.name, sheet?.rowCount, sheet?.columnCount],
      ['EXPEDIDAS', 5, ISSUED_DESIGN.columns.length],
    );
    assert.deepEqual(rowCells(sheet, 3)[0], 'Decimal (4,0)');
    const cells = rowCells(sheet, 4);
    assert.deepEqual([cells[0], cells[1], cells[5], cells[8]], [2026, '1T', 'F2', '20/01/2026']);
    assert.deepEqual(cells.slice(20, 24), [9680, 8000, 21, 1680]);
    const csv = await download(app, '/api/reports/tax/vat-book-received?format=aeat-csv&year=2026&period=1T');
    const records: string[][] = parse(await csv.text(), { bom: true, delimiter: ';', record_delimiter: '\r\n' });
    assert.deepEqual([records.length, records[0]?.length], [6, RECEIVED_DESIGN.columns.length]);
    assert.deepEqual(records[3]?.slice(25, 30), ['6050,00', '5000,00', '21,00', '1050,00', '1050,00']);
    assert.deepEqual(records[3]?.slice(20, 23), ['N', 'N', '']);
  });

  it('refuse a year without a period', async () => {
    const answer = await app.client.get('/api/reports/tax/vat-book-issued?year=2026');
    assertProblem(answer, 400, 'invalid_parameter');
    assert.match(answer.body.detail, /period must be given together with year/);
  });
});

describe('the VAT books of operations of every kind', function () {
  this.timeout(120_000);
  const app = useApp();
  const books = use(() => openReports(app));
  const partner = async (side: 'isCustomer' | 'isVendor', name: string, nif: string, countryCode: string) => {
    const [group] = (await app.client.get(`/api/partnerGroups?${side}=true`)).body.data;
    return (await books.make('/api/partners', { name, nif, countryCode, groupId: group.id })).id;
  };

  it('agree with model 303, whatever is sold and bought', async () => {
    for (const tax of ['IVA21', 'IVA10', 'IVA4']) {
      const line = { taxGroupId: books.taxes.get(tax) };
      for (const vatRegime of ['general', 'surcharge', 'intra_eu', 'export', 'exempt', 'reverse_charge', 'not_subject'])
        await books.invoice('sales', '2026-01-10', 33.33, { vatRegime }, line);
      for (const vatRegime of ['general', 'intra_eu', 'reverse_charge', 'exempt']) {
        await books.invoice('purchases', '2026-02-10', 77.77, { vatRegime }, line);
        await books.invoice('purchases', '2026-02-11', 55.55, { vatRegime }, { ...line, vatUse: 'investment' });
        await books.invoice('purchases', '2026-02-12', 55.55, { vatRegime }, { ...line, deductiblePercent: 50 });
        await books.invoice('purchases', '2026-02-13', 55.55, { vatRegime }, { ...line, deductiblePercent: 0 });
      }
    }
    const abroad = { itemId: undefined, description: 'Servicio' };
    await books.invoice('purchases', '2026-02-14', 99.99, { vatRegime: 'export' }, abroad);
    const undone = await books.invoice('sales', '2026-02-15', 70);
    await books.make(`/api/sales/invoices/${undone.id}/rectify`, { reason: 'Error', date: '2026-02-16' });
    const lines = [
      { accountId: books.account('472'), debit: 21, tax: { kind: 'input', rate: 21, base: 100 } },
      { accountId: books.account('600'), debit: 100 },
      { accountId: books.account('572'), credit: 121 },
    ];
    await books.make('/api/journal-entries', { date: '2026-02-17', lines, post: true });
    for (const period of ['1T', '01', '02']) await assertAgrees(books, period);
    const { rows } = (await read(books, 'vat-book-received', '02')).data;
    const half = rows.filter(({ received_on }: Data) => received_on === '2026-02-12');
    assert.deepEqual(pick(half.slice(0, 1), 'base', 'rate', 'amount', 'deductible'), [[55.55, 21, 11.67, 5.84]]);
    const investment = rows.filter((row: Data) => row.investment);
    assert.equal(investment.length, 12);
    const voucher = rows.at(-1);
    assert.deepEqual([voucher.invoice_type, voucher.document_id, voucher.total], ['F6', null, 121]);
  });

  it('say how sales are taxed, and who bought', async () => {
    const spanish = await partner('isCustomer', 'Cliente SA', 'A58818501', 'ES');
    const german = await partner('isCustomer', 'Beispiel GmbH', 'DE111111125', 'DE');
    const american = await partner('isCustomer', 'Example Inc.', '12-3456789', 'US');
    const code = (await books.invoice('sales', '2026-04-01', 100, { partnerId: spanish, vatRegime: 'surcharge' })).code;
    await books.invoice('sales', '2026-04-02', 200, { partnerId: german, vatRegime: 'intra_eu' });
    await books.invoice('sales', '2026-04-03', 300, { partnerId: american, vatRegime: 'export' });
    await books.invoice('sales', '2026-04-04', 400, { partnerId: spanish, vatRegime: 'reverse_charge' });
    const { rows } = (await read(books, 'vat-book-issued', '04')).data;
    assert.deepEqual(pick(rows, 'invoice_type', 'id_type', 'country', 'nif', 'partner_name'), [
      ['F1', null, null, 'A58818501', 'Cliente SA'],
      ['F1', '02', 'DE', 'DE111111125', 'Beispiel GmbH'],
      ['F1', '04', 'US', '123456789', 'Example Inc.'],
      ['F1', null, null, 'A58818501', 'Cliente SA'],
    ]);
    assert.deepEqual(
      pick(rows, 'operation_key', 'qualification', 'exemption', 'total', 'surcharge_rate', 'surcharge'),
      [
        ['01', 'S1', null, 126.2, 5.2, 5.2],
        ['01', null, 'E5', 200, null, null],
        ['02', null, 'E2', 300, null, null],
        ['01', 'S2', null, 400, null, null],
      ],
    );
    assert.equal(`${rows[0].series}${rows[0].number}`, code);
  });

  it('have imports by their customs documents, and not the invoices of their suppliers', async () => {
    const customsDocument = {
      number: '26ES00281112345678',
      date: '2026-05-20',
      base: 1100,
      vatAmount: 231,
      deferred: true,
    };
    const more = { vatRegime: 'export', customsDocument, supplierReference: 'X-1' };
    await books.invoice('purchases', '2026-05-15', 1000, more);
    const { rows } = (await read(books, 'vat-book-received', '05')).data;
    const { taxId } = (await app.client.get('/api/company')).body;
    assert.deepEqual(
      pick(rows, 'invoice_type', 'number', 'issued_on', 'nif', 'base', 'amount', 'deductible', 'total'),
      [['F5', '26ES00281112345678', '2026-05-20', taxId, 1100, 231, 231, 1331]],
    );
    await assertAgrees(books, '05');
  });
});

describe('the VAT books of the cash basis and of investment goods', () => {
  const app = useApp();
  const books = use(() => openReports(app));
  const tax = async (more: Body) => {
    const { data } = (await app.client.get('/api/config/tax')).body;
    assert.equal((await app.client.put('/api/config/tax', { ...data, ...more })).status, 200);
  };

  it('state an invoice once, and each payment in its own return', async () => {
    await tax({ cashBasisYears: [2026] });
    const { id } = await books.invoice('sales', '2026-01-10', 100, { vatRegime: 'surcharge' });
    const pay = { partner_id: books.customerId, payment_method: 'transfer', amount: 63.1, payment_date: '2026-04-10' };
    await books.make('/api/payments/in', {
      ...pay,
      linked_documents: [{ document_type: 'sales_invoice', document_id: id }],
    });
    const members = ['operation_key', 'base', 'amount', 'surcharge', 'settled_on', 'settled', 'means', 'tax_due'];
    const first = (await read(books, 'vat-book-issued', '1T')).data.rows;
    assert.deepEqual(pick(first, ...members), [['07', 100, 21, 5.2, null, null, null, 0]]);
    const second = (await read(books, 'vat-book-issued', '2T')).data.rows;
    assert.deepEqual(pick(second, ...members), [['07', null, null, null, '2026-04-10', 63.1, '01', 13.1]]);
    assert.deepEqual([second[0].document_id, second[0].number], [id, first[0].number]);
    for (const period of ['1T', '2T']) await assertAgrees(books, period);
    await tax({ cashBasisYears: [] });
  });

  it('list investment goods with their invoice and what the year regularised', async () => {
    await tax({ proRata: 80 });
    const line = { vatUse: 'investment', itemId: undefined, description: 'Torno', accountId: books.account('213') };
    await books.invoice('purchases', '2026-02-01', 10_000, { supplierReference: 'T-1' }, line);
    const { data, summary } = (await books.report('tax/vat-book-investment-goods', 'year=2026')) as Data;
    assert.deepEqual(
      pick(data.rows, 'period', 'good_type', 'number', 'base', 'rate', 'percent', 'deductible', 'regularised'),
      [['0A', '21', 'T-1', 10_000, 21, 80, 1680, null]],
    );
    assert.deepEqual(summary, { base: 10_000, deductible: 1680, regularised: 0 });
    const received = (await read(books, 'vat-book-received', '1T')).data.rows;
    assert.deepEqual(pick(received, 'investment', 'base', 'amount', 'deductible', 'tax_deducted'), [
      [true, 10_000, 2100, 1680, 1680],
    ]);
    const response = await download(app, '/api/reports/tax/vat-book-investment-goods?format=aeat&year=2026');
    const [sheet] = (await readWorkbook(response)).worksheets;
    assert.deepEqual([sheet?.name, rowCells(sheet, 4)[6]], ['BIENES-INVERSIÓN', data.rows[0].identifier]);
  });
});
