/** A year of wages and invoices: models 111 and 190, certificates and the ledger say the same. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { REAL_CLOCK } from '../../../helpers/app.ts';
import { download, readCsv } from '../../../helpers/download.ts';
import { use, useApp, useTemporal, useWorker } from '../../../helpers/hooks.ts';
import { pdfText } from '../../../helpers/pdf-text.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { ENCRYPTION_KEY, eventually, testConfig } from '../../../helpers/worker.ts';
import { type GoldenQuarter, openReports } from '../golden-quarter.ts';

type Body = Record<string, unknown>;

interface Row {
  readonly employee_id: string | null;
  readonly key: string;
  readonly name: string;
  readonly amount: number;
  readonly withheld: number;
  readonly in_kind: number;
  readonly in_kind_withheld: number;
  readonly contributions: number;
  readonly children: number | null;
  readonly disability: number | null;
  readonly ascendants: number | null;
}

interface Model {
  readonly boxes: Record<string, number>;
  readonly rows: readonly Row[];
  readonly elsewhere: readonly { readonly amount: number }[];
  readonly entered: number;
}

const QUARTERS = ['1T', '2T', '3T', '4T'];
const LAST_DAYS = ['2026-03-31', '2026-06-30', '2026-09-30', '2026-12-31'];
const FEE = { itemId: undefined, description: 'Abogado' };

function cents(amounts: readonly (number | undefined)[]): number {
  return Math.round(amounts.reduce<number>((total, amount) => total + (amount ?? 0), 0) * 100) / 100;
}

/** Returns a recipient's amounts as models and certificates show them. */
function recipientAmounts({ amount, withheld, in_kind, in_kind_withheld, contributions }: Row): number[] {
  return [amount, withheld, in_kind, in_kind_withheld, contributions];
}

describe('a year of income tax withheld', function () {
  this.timeout(180_000);
  const temporal = useTemporal();
  const app = useApp(() => {
    const { address, namespace } = temporal;
    return { clock: REAL_CLOCK, env: { ENCRYPTION_KEY, TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace } };
  });
  useWorker(() => testConfig({ url: app.databaseUrl, ...temporal }));

  const post = async (path: string, body: Body = {}) => {
    const answer = await app.client.post(path, body);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body.data as Body & { id: string };
  };
  const hire = async (members: Body) => {
    const usual = { hireDate: '2026-01-01', contributionGroup: 5, grossAnnualSalary: 28000 };
    return (await post('/api/employees', { ...usual, ...members })).id;
  };
  const rate = async (id: string, body: Body) =>
    (await post(`/api/employees/${id}/irpf`, { ...body, apply: true })) as unknown as {
      rate: number;
      steps: { tax: number };
      paid: { withheld: number; months: number[] };
    };
  const generate = async (month: number) => {
    const { body } = await app.client.post('/api/payrolls/generate', { year: 2026, month, post: true });
    await eventually(async () => {
      const { status } = (await app.client.get(`/api/tasks/${body.task_id}`)).body.data as { status: string };
      assert.equal(status, 'completed');
    }, 60_000);
  };
  const payrolls = async (query: string) =>
    (await app.client.get(`/api/payrolls?limit=100&${query}`)).body.data as {
      id: string;
      gross: number;
      irpf: number;
    }[];

  /** Three employees, one with a car and one for half a year; a lawyer, and a rent. */
  const year = use(async () => {
    await post('/api/periods/generate', { year: 2026 });
    const books: GoldenQuarter = await openReports(app);
    const ana = await hire({ name: 'Ana Ruiz', nif: '12345678Z' });
    const bea = await hire({ name: 'Bea Gil', payments: 12 });
    const short = {
      contractType: 'temporary',
      hireDate: '2026-03-01',
      endDate: '2026-08-31',
      grossAnnualSalary: 18000,
    };
    const carl = await hire({ name: 'Carl Sanz', ...short });
    const car = { description: 'Coche', kind: 'in_kind', amount: 133.33, from: '2026-02-01' };
    await post(`/api/employees/${bea}/pay-items`, car);
    for (const id of [ana, bea, carl]) await rate(id, { date: '2026-01-01' });
    for (const month of [1, 2, 3, 4, 5]) await generate(month);
    const [wrong] = await payrolls(`employeeId=${ana}&month=5`);
    await post(`/api/payrolls/${wrong?.id}/cancel`, { date: '2026-05-31' });
    await generate(5);
    await generate(6);
    await app.client.put(`/api/employees/${ana}/tax-data`, { children: 2, childrenUnderThree: 1 });
    const regularised = await rate(ana, { date: '2026-07-01' });
    for (const month of [7, 8, 9, 10, 11, 12]) await generate(month);
    await books.invoice('purchases', '2026-02-10', 1000, { withholdingRate: 15 }, FEE);
    await books.invoice('purchases', '2026-11-10', 500, { withholdingRate: 15 }, FEE);
    await books.invoice('purchases', '2026-05-10', 800, { withholdingRate: 19 }, FEE);
    return { ...books, ids: { ana, bea, carl }, regularised };
  });
  const model = async (name: string, query: string) => (await year.report(name, query)).data as Model;

  it('is regularised, so that the tax of the year has been withheld in the end', async () => {
    const { steps, rate: rest, paid } = year.regularised;
    assert.deepEqual(paid.months, [1, 2, 3, 4, 5, 6]);
    const withheld = cents((await payrolls(`employeeId=${year.ids.ana}&status=O`)).map(({ irpf }) => irpf));
    assert.equal((await payrolls(`employeeId=${year.ids.ana}&status=O`)).length, 12);
    const missing = steps.tax - withheld;
    // The percentage is cut off, and each payroll rounds to the cent.
    assert.ok(missing > -0.1 && missing < 14000 * 0.0001 + 0.1, `${missing} at ${rest} %`);
  });

  it('is in the models 111 of its quarters, which equal the account', async () => {
    const account = year.account('4751');
    for (const [index, period] of QUARTERS.entries()) {
      const { boxes, elsewhere, entered } = await model('tax/model111', `year=2026&period=${period}`);
      const from = `2026-${String(index * 3 + 1).padStart(2, '0')}-01`;
      const { summary } = await year.report('ledger', `account_id=${account}&from=${from}&to=${LAST_DAYS[index]}`);
      const { debit, credit } = summary as { debit: number; credit: number };
      assert.equal(entered, cents([credit, -debit]), period);
      assert.equal(entered, cents([boxes['28'], ...elsewhere.map(({ amount }) => amount)]), period);
      assert.equal(boxes['01'], [3, 3, 3, 2][index], period);
      assert.equal(boxes['04'], 1, period);
    }
  });

  it('has the same sums in model 190, by recipient', async () => {
    const { boxes, rows } = await model('tax/model190', 'year=2026');
    const quarters = await Promise.all(QUARTERS.map((period) => model('tax/model111', `year=2026&period=${period}`)));
    const all = (...of: string[]) => cents(quarters.flatMap((quarter) => of.map((box) => quarter.boxes[box])));
    assert.deepEqual(boxes, { '01': 4, '02': all('02', '05', '08'), '03': all('28') });
    assert.deepEqual(
      rows.map(({ key, name, children }) => [key, name, children]),
      [
        ['A', 'Ana Ruiz', 2],
        ['A', 'Bea Gil', null],
        ['A', 'Carl Sanz', null],
        ['G', 'Huerta del Sur', null],
      ],
    );
    const paid = await payrolls('status=O&year=2026');
    assert.equal(
      cents(rows.slice(0, 3).flatMap((row) => [row.amount, row.in_kind])),
      cents(paid.map((one) => one.gross)),
    );
    assert.equal(rows[1]?.in_kind, cents(Array<number>(11).fill(133.33)));
    const csv = await readCsv(await download(app, '/api/reports/tax/model190?year=2026&format=csv&header=names'), ';');
    assert.equal(csv.length, 4);
  });

  it('is certified for each employee as model 190 has it', async () => {
    const { rows } = await model('tax/model190', 'year=2026');
    for (const row of rows.slice(0, 3)) {
      const { data } = await year.report('withholding-certificate', `employee_id=${row.employee_id}&year=2026`);
      assert.deepEqual(recipientAmounts(data), recipientAmounts(row));
    }
    const file = await download(
      app,
      `/api/reports/withholding-certificate?employee_id=${year.ids.bea}&year=2026&format=pdf`,
    );
    const text = await pdfText(new Uint8Array(await file.arrayBuffer()));
    for (const said of ['Bea Gil', '27.999,96', '1.466,63', 'Firma y sello']) assert.ok(text.includes(said), text);
    const before = await year.report('withholding-certificate', `employee_id=${year.ids.ana}&year=2025`);
    assert.equal((before.data as Row).amount, 0);
    const unknown = '/api/reports/withholding-certificate?employee_id=018f0000-0000-7000-8000-000000000000';
    assertProblem(await app.client.get(unknown), 404, 'not_found');
    assertProblem(await app.client.get('/api/reports/withholding-certificate'), 400, 'invalid_parameter');
  });

  it('has directors and speakers on payrolls under their own keys, within the wages of model 111', async () => {
    const before = await model('tax/model111', 'year=2026&period=2T');
    const data = `/api/employees/${year.ids.bea}/tax-data`;
    const key = async () => (await model('tax/model190', 'year=2026')).rows.find(({ name }) => name === 'Bea Gil')?.key;
    for (const [withholding, expected] of [
      ['administrator', 'E'],
      ['small_administrator', 'E'],
      ['author', 'F'],
      ['special_relation', 'A'],
    ]) {
      await app.client.put(data, { withholding });
      assert.equal(await key(), expected, withholding);
    }
    assert.deepEqual(await model('tax/model111', 'year=2026&period=2T'), before);
    await app.client.put(data, { disability: 33, ascendants: [] });
    const [, bea] = (await model('tax/model190', 'year=2026')).rows;
    assert.deepEqual([bea?.key, bea?.disability, bea?.ascendants], ['A', 33, 0]);
  });

  it('is a file for the tax agency, once it is known who and where people are', async () => {
    const path = '/api/reports/tax/model190?year=2026&format=aeat';
    assertProblem(await app.client.get(path), 400, 'invalid_parameter');
    const { ana, bea, carl } = year.ids;
    await app.client.patch(`/api/employees/${bea}`, { nif: '00000000T' });
    await app.client.patch(`/api/employees/${carl}`, { nif: '00000001R' });
    const told = { birthYear: 1980, province: '28' };
    const family = { children: 2, childrenUnderThree: 1, familySituation: 2, spouseNif: '00000002W' };
    await app.client.put(`/api/employees/${ana}/tax-data`, { ...told, ...family });
    await app.client.put(`/api/employees/${bea}/tax-data`, {
      province: '51',
      withholding: 'administrator',
      subkey: '01',
    });
    await app.client.put(`/api/employees/${carl}/tax-data`, told);
    await app.client.patch(`/api/partners/${year.supplierId}`, { nif: 'B64717838' });
    await post(`/api/partners/${year.supplierId}/addresses`, { name: 'Sede', type: 'B', zipCode: '03001' });
    const text = Buffer.from(await (await download(app, path)).arrayBuffer()).toString('latin1');
    const [, ...records] = text.split('\r\n').slice(0, -1);
    assert.deepEqual(records.map((record) => record.slice(75, 80)).toSorted(), ['03G01', '28A00', '28A00', '51E01']);
    const [first = '', , third = ''] = ['12345678Z', '00000000T', '00000001R'].map((nif) =>
      records.find((record) => record.slice(17, 26) === nif),
    );
    assert.deepEqual([first.slice(152, 168), first.slice(222, 228)], ['1980200000002W01', '100100']);
    assert.equal(third.slice(152, 168), `19803${' '.repeat(9)}02`);
    assert.deepEqual((await app.client.get('/api/reports/tax/model190?year=2026')).body.data.missing, []);
  });

  it('takes back in January what a payroll of December had withheld', async () => {
    await post('/api/periods/generate', { year: 2027 });
    const before = (await model('tax/model190', 'year=2026')).rows;
    const [december] = await payrolls(`employeeId=${year.ids.ana}&month=12&status=O`);
    await post(`/api/payrolls/${december?.id}/cancel`, { date: '2027-01-15' });
    const { boxes } = (await model('tax/model111', 'year=2027&period=1T')) as unknown as {
      boxes: Record<string, number>;
    };
    assert.deepEqual([boxes['02'], boxes['03']], [-(december?.gross ?? 0), -(december?.irpf ?? 0)]);
    assert.deepEqual((await model('tax/model190', 'year=2026')).rows, before);
  });
});
