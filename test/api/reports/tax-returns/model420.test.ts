import assert from 'node:assert/strict';
import { download, readCsv, readWorkbook, rowCells } from '../../../helpers/download.ts';
import { assertSound, use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem, assertRefused } from '../../../helpers/problem.ts';
import { notZero, openIslands } from '../golden-quarter.ts';

type Body = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;
const PATH = '/api/reports/tax/model420?year=2026';

/** A company in the Canary Islands: IGIC in its taxes, documents, records and returns. */
describe('a company that charges IGIC', function () {
  this.timeout(120_000);
  const app = useApp();
  const putCompany = async (more: Body) => {
    const company = (await app.client.get('/api/company')).body;
    return await app.client.put('/api/company', { ...company, ...more });
  };
  const books = use(() => openIslands(app));
  const tax = (code: string) => ({ taxGroupId: books.taxes.get(code) });
  const boxes = async (period: string): Promise<Data> =>
    notZero((await app.client.get(`${PATH}&period=${period}`)).body.data.boxes);

  it('declares it in model 420, with what earlier quarters left', async () => {
    await books.invoice('purchases', '2026-01-15', 2000, { supplierReference: 'F-1' }, tax('IGIC7'));
    const sale = await books.invoice('sales', '2026-02-01', 1000, {}, tax('IGIC7'));
    await books.invoice('sales', '2026-02-02', 100, {}, tax('IGIC3'));
    await books.invoice('sales', '2026-02-03', 50, {}, tax('IGICMIN'));
    await books.invoice('sales', '2026-02-04', 300, { vatRegime: 'export' }, tax('IGIC7'));
    // 70 + 3 charged, 140 deducted: 67 left.
    const {
      '02': _02,
      '05': _05,
      '08': _08,
      '11': _11,
      '14': _14,
      '17': _17,
      '17b': _17b,
      ...first
    } = await boxes('1T');
    assert.deepEqual(first, {
      ...{ '04': 100, '06': 3, '07': 1000, '09': 70, '25': 73, '26': 2000, '27': 140, '40': 140 },
      ...{ '41': -67, '45': -67, '46': 300 },
    });
    const lines = [{ baseLineId: sale.lines[0]?.id, quantity: 1 }];
    const credit = { reason: 'Devolución', date: '2026-04-10', lines };
    const draft = await books.make<Data>(`/api/sales/invoices/${sale.id}/rectify`, credit);
    await books.make(`/api/sales/invoices/${draft.id}/post`);
    const { '21': base, '22': quota, '43': carried, '45': result } = await boxes('2T');
    assert.deepEqual([base, quota, carried, result], [-1000, -70, 67, -137]);
    assert.deepEqual([await books.balance('4777'), await books.balance('4727')], [-3, 140]);
    const { data } = (await app.client.get(`${PATH}&period=1T`)).body;
    assert.deepEqual([data.type, data.unmapped, data.undeclared], ['C', [], { output: 0, input: 0 }]);
    assert.deepEqual(
      data.sources.map(({ box, amount }: Data) => `${box} ${amount}`),
      ['04 100', '06 3', '07 1000', '09 70', '26 2000', '27 140', '46 300'],
    );
    const rows = (await app.client.get(data.drilldown)).body.data.rows as Data[];
    const charged = rows.filter(({ kind }) => kind === 'repercutido').map(({ code, amount }) => `${code} ${amount}`);
    assert.deepEqual(charged.sort(), ['IGIC3 3', 'IGIC7 0', 'IGIC7 70', 'IGICMIN 0']);
    await assertSound(app.databaseUrl);
  });

  it('has it as a form, in files', async () => {
    const csv = await readCsv(await download(app, `${PATH}&period=1T&format=csv`), ';');
    assert.ok(csv.some((row: Data) => Object.values(row).includes('45') && Object.values(row).includes('-67')));
    const [sheet] = (await readWorkbook(await download(app, `${PATH}&period=1T&format=excel`))).worksheets;
    assert.ok((sheet?.rowCount ?? 0) > 40 && rowCells(sheet, 2).length > 1);
    assertProblem(await app.client.get(PATH), 400, 'invalid_parameter');
    assertProblem(await app.client.get(`${PATH}&period=01`), 400, 'invalid_parameter');
  });

  it('has no models of VAT, neither to read nor to file', async () => {
    for (const model of ['model303', 'model390', 'model349'])
      assertProblem(await app.client.get(`/api/reports/tax/${model}`), 409, 'invalid_transition');
    const refused = await app.client.post('/api/tax-returns', { model: '303', year: 2026, period: '1T' });
    assertProblem(refused, 422, 'validation_failed');
    assert.equal(refused.body.errors[0].pointer, '/model');
    const [{ id }] = (await app.client.get('/api/periods?from=2026-03-01')).body.data;
    const { checks } = (await app.client.get(`/api/periods/${id}/checklist`)).body.data;
    // The quarter's return 420.
    assert.equal(checks.find(({ code }: Data) => code === 'returns_not_filed').count, 1);
  });

  it('takes its general rate where nothing else is said, and no regime of VAT', async () => {
    const partnerId = books.customerId;
    const line = { description: 'Servicio', quantity: 1, price: 100 };
    const { lines, taxTotal } = await books.make<Data>('/api/sales/invoices', { partnerId, lines: [line] });
    assert.deepEqual([lines[0].taxRate, taxTotal], [7, 7]);
    const wrong = { partnerId, vatRegime: 'surcharge', lines: [{ ...line, vatRegime: 'intra_eu' }] };
    const { status, body } = await app.client.post('/api/sales/invoices', wrong);
    assert.equal(status, 422);
    assert.deepEqual(
      body.errors.map(({ pointer, code }: Data) => `${pointer} ${code}`),
      ['/vatRegime not_applicable', '/lines/0/vatRegime not_applicable'],
    );
  });

  it('charges it in recurring documents', async () => {
    const template = { partnerId: books.customerId, lines: [{ description: 'Cuota', quantity: 1, price: 200 }] };
    const agreed = {
      name: 'Cuota',
      document_type: 'sales_invoice',
      interval: { unit: 'month' },
      mode: 'draft',
      template,
    };
    const { id } = await books.make<Data>('/api/recurring', agreed);
    const { document_id: made } = await books.make<Data>(`/api/recurring/${id}/run`);
    const { data } = (await app.client.get(`/api/sales/invoices/${made}`)).body;
    assert.deepEqual([data.lines[0].taxRate, data.total], [7, 214]);
  });

  it('refuses the taxes of another one in lines', async () => {
    const [{ id: taxGroupId }] = (await app.client.get('/api/taxes?code=IVA21')).body.data;
    const lines = [{ description: 'Hora', quantity: 1, price: 1, taxGroupId }];
    const answer = await app.client.post('/api/sales/invoices', { partnerId: books.customerId, lines });
    assertRefused(answer, '/lines/0/taxGroupId');
  });

  it('keeps it when the company is changed, and cannot have another once there are documents', async () => {
    const { taxSet: _, ...others } = (await app.client.get('/api/company')).body;
    const kept = await app.client.put('/api/company', { ...others, city: 'Telde' });
    assert.deepEqual([kept.status, kept.body.taxSet], [200, 'igic']);
    assertProblem(await putCompany({ taxSet: 'vat' }), 409, 'in_use');
  });
});

describe('companies in the territories of Spain', function () {
  this.timeout(60_000);
  const app = useApp();
  const found = async (company: Body) => {
    const made = await app.client.post('/api/tenants', { name: `Tax ${JSON.stringify(company)}`, ...company });
    if (made.status !== 201) return made;
    const client = app.as(app.token, made.body.data.id);
    const codes = ((await client.get('/api/taxes?limit=100')).body.data as { code: string }[]).map(({ code }) => code);
    const own = (await client.get('/api/accounts?code=4777')).body.data.length;
    return { status: 201, body: { taxSet: (await client.get('/api/company')).body.taxSet, codes, own } };
  };

  it('begin with the indirect tax of their postal code, or the one named', async () => {
    const islands = (await found({ taxId: 'B64717838', zipCode: '38003' })).body;
    assert.deepEqual([islands.taxSet, islands.own, islands.codes.includes('IGIC9.5')], ['igic', 1, true]);
    assert.ok(!islands.codes.some((code: string) => code.startsWith('IVA')));
    const melilla = (await found({ taxId: 'A58818501', zipCode: '52001' })).body;
    assert.deepEqual([melilla.taxSet, melilla.codes.includes('IPSI0.5')], ['ipsi', true]);
    const named = (await found({ taxId: 'B12345674', zipCode: '35001', taxSet: 'vat' })).body;
    assert.deepEqual([named.taxSet, named.codes.includes('IVA21')], ['vat', true]);
  });

  it('have none but VAT abroad, and model 420 only with IGIC', async () => {
    const { status, body } = await found({ taxId: '98-7654321', country: 'US', taxSet: 'igic' });
    assert.deepEqual([status, body.errors[0].pointer], [422, '/taxSet']);
    for (const model of ['model420', 'model425'])
      assertProblem(await app.client.get(`/api/reports/tax/${model}`), 409, 'invalid_transition');
    const refused = await app.client.post('/api/tax-returns', { model: '420', year: 2026, period: '1T' });
    const message = 'cannot be filed because it is of IGIC, and the company charges VAT';
    assert.deepEqual([refused.status, refused.body.errors[0].message], [422, message]);
  });
});
