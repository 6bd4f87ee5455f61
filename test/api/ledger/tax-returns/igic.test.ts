/** Filed returns of IGIC (decisions 0400 and 0401). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { download, readCsv } from '../../../helpers/download.ts';
import { assertSound, use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { notZero, openIslands } from '../../reports/golden-quarter.ts';

const PATH = '/api/tax-returns';
const RECEIPT = '4202026000001';
const SERVICE = { itemId: undefined, description: 'Servicio' };
const AFTER = new Date('2027-02-10T09:00:00Z');
type Filed = {
  id: string;
  type: string;
  result: number;
  entryId: string | null;
  boxes: Record<string, number>;
};
// biome-ignore lint/suspicious/noExplicitAny: reports of every shape
type Data = any;

function openOffice(app: ReturnType<typeof useApp>) {
  const books = use(() => openIslands(app));
  const sell = (date: string, price: number) => books.invoice('sales', date, price, {}, SERVICE);
  const buy = (date: string, price: number) => books.invoice('purchases', date, price, {}, SERVICE);
  const post = (period: string, more: object = {}) =>
    app.client.post(PATH, { model: '420', year: 2026, period, ...more });
  const file = (period: string, more: object = {}) =>
    books.make<Filed>(PATH, { model: '420', year: 2026, period, ...more });
  const report = async (query: string): Promise<Data> => (await books.report(`tax/model${query}`)).data;
  const refuse = async (more: object, pointer: string, period = '1T') => {
    const answer = await post(period, more);
    assertProblem(answer, 422, 'validation_failed');
    assert.equal(answer.body.errors[0].pointer, pointer);
  };
  const missed = async (month: string): Promise<number> => {
    const [{ id }] = (await app.client.get(`/api/periods?code=${month}`)).body.data;
    const { checks } = (await app.client.get(`/api/periods/${id}/checklist`)).body.data;
    return checks.find(({ code }: Data) => code === 'returns_not_filed').count;
  };
  return { books, sell, buy, post, file, report, refuse, missed };
}

describe('filed returns of IGIC', function () {
  this.timeout(120_000);
  const app = useApp({ clock: { now: AFTER } });
  const { books, sell, buy, post, file, report, refuse, missed } = openOffice(app);
  const owed = async () => [
    ...[await books.balance('4777'), await books.balance('4727')],
    ...[await books.balance('4700'), await books.balance('4750')],
  ];
  let first: Filed;
  let second: Filed;

  it('freeze the boxes, settle the tax and leave a credit', async () => {
    await buy('2026-01-15', 2000);
    await sell('2026-02-01', 1000);
    assert.equal(await missed('2026-03'), 1);
    first = await file('T1');
    assert.deepEqual([first.type, first.result, await missed('2026-03')], ['C', -70, 0]);
    assert.deepEqual((await books.enteredFor(first.id)).sort(), ['D 4700 70', 'D 4777 70', 'H 4727 140']);
    const { description, date } = (await app.client.get(`/api/journal-entries/${first.entryId}`)).body.data;
    assert.deepEqual([description, date], ['Liquidación de IGIC 1T 2026', '2026-03-31']);
    await sell('2026-04-10', 3000);
    second = await file('2T');
    assert.deepEqual([second.type, second.result, second.boxes['43']], ['I', 140, 70]);
    assert.deepEqual((await books.enteredFor(second.id)).sort(), ['D 4777 210', 'H 4700 70', 'H 4750 140']);
    assert.deepEqual(await owed(), [0, 0, 0, -140]);
    await assertSound(app.databaseUrl);
  });

  it('are shown by the report, with what the books have otherwise since', async () => {
    await sell('2026-05-10', 100);
    const { filed, boxes, changed, type, undeclared } = await report('420?year=2026&period=2T');
    assert.deepEqual([filed.id, boxes['45'], type], [second.id, 140, 'I']);
    assert.deepEqual(changed, { '07': 3100, '09': 217, '25': 217, '41': 217, '45': 147 });
    assert.deepEqual(undeclared, { output: 0, input: 0 });
    const csv = await readCsv(await download(app, '/api/reports/tax/model420?year=2026&period=2T&format=csv'), ';');
    assert.ok(csv.some((row: Data) => Object.values(row).includes('45') && Object.values(row).includes('140')));
  });

  it('stand in the books of invoices, which the other agency has no file of', async () => {
    const path = '/api/reports/tax/vat-book-issued?year=2026&period=2T';
    const { data, summary } = (await app.client.get(path)).body;
    assert.deepEqual([data.rows.length, summary.base, summary.tax_due], [2, 3100, 217]);
    const received = (await app.client.get('/api/reports/tax/vat-book-received?year=2026&period=1T')).body;
    assert.deepEqual([received.data.rows[0].rate, received.summary.tax_deducted], [7, 140]);
    for (const format of ['aeat', 'aeat-csv'])
      assertProblem(await app.client.get(`${path}&format=${format}`), 409, 'invalid_transition');
    assert.equal((await app.client.get('/api/reports/tax/vat-book-investment-goods?year=2026')).status, 200);
  });

  it('are complemented by another of the quarter, which settles the difference today', async () => {
    const rectification = { receiptNumber: RECEIPT };
    await refuse({ rectification: { ...rectification, reason: 'correction' } }, '/rectification/reason', '2T');
    const added = await file('2T', { rectification });
    assert.deepEqual([added.type, added.result, added.boxes['44']], ['I', 7, 140]);
    assert.deepEqual((await books.enteredFor(added.id)).sort(), ['D 4777 7', 'H 4750 7']);
    const { description, date } = (await app.client.get(`/api/journal-entries/${added.entryId}`)).body.data;
    assert.deepEqual([description, date], ['Liquidación de IGIC 2T 2026 (complementaria)', '2027-02-10']);
    assert.deepEqual((await report('420?year=2026&period=2T')).changed, {});
    await refuse({ rectification: { receiptNumber: '4202026000002' } }, '/rectification', '2T');
    assert.deepEqual(await owed(), [0, 0, 0, -147]);
  });

  it('are a file for the agency, with what it complements', async () => {
    const path = '/api/reports/tax/model420?year=2026&period=2T&format=atc';
    assertProblem(await app.client.get(path), 400, 'invalid_parameter');
    assertProblem(
      await app.client.get(`${path}&municipality=35016&iban=DE89370400440532013000`),
      400,
      'invalid_parameter',
    );
    assertProblem(await app.client.get(`${path}&municipality=38038`), 400, 'invalid_parameter');
    const response = await download(app, `${path}&municipality=35016&street_type=AV`);
    const text = Buffer.from(await response.arrayBuffer()).toString('latin1');
    assert.ok(text.includes(`<DEC MOD="420" ANY="2026" PER="2T" COM="X" NJA="${RECEIPT}">`), text);
    assert.match(text, /SVP="AV" NVP="CALLE TRIANA 1".* POP="35" CMU="35016" CP="35002" PAI="ES"/);
    assert.match(text, /<DEV BAS="310000" TIP="700" CUO="21700"><\/DEV>.*DAC="14000" RLI="700".*TIP="I" IMP="700"/);
  });

  it('are filed in order, and undone from the last one on', async () => {
    assertProblem(await post('4T'), 409, 'invalid_transition');
    assertProblem(await post('2T'), 409, 'duplicate');
    assertProblem(await app.client.del(`${PATH}/${first.id}`), 409, 'invalid_transition');
    const third = await file('3T');
    assert.deepEqual([third.type, third.result, third.entryId], ['N', 0, null]);
    assert.equal((await app.client.del(`${PATH}/${third.id}`)).status, 204);
    assert.deepEqual((await report('420?year=2026&period=3T')).filed, null);
    await assertSound(app.databaseUrl);
  });

  it('request a refund for the last quarter, and are added up for the year', async () => {
    await file('3T');
    await refuse({ refund: true }, '/refund', '3T');
    await buy('2026-11-10', 1000);
    // 420, 425 and 347.
    assert.equal(await missed('2026-12'), 3);
    assertProblem(await app.client.post(PATH, { model: '425', year: 1900 }), 422, 'validation_failed');
    assertProblem(await app.client.get('/api/reports/tax/model420?year=1900&period=1T'), 400, 'invalid_parameter');
    const last = await file('4T', { refund: true });
    assert.deepEqual([last.type, last.result], ['D', -70]);
    assert.deepEqual((await books.enteredFor(last.id)).sort(), ['D 4700 70', 'H 4727 70']);
    const path = '/api/reports/tax/model420?year=2026&period=4T&format=atc&municipality=35016';
    assertProblem(await app.client.get(path), 400, 'invalid_parameter');
    const response = await download(app, `${path}&iban=ES91 2100 0418 4502 0005 1332`);
    assert.match(await response.text(), /<RES TIP="D" IMP="7000" IBAN="ES9121000418450200051332">/);
    const year = await books.make<Filed>(PATH, { model: '425', year: 2026, overrides: { '117': 12 } });
    assert.deepEqual([year.type, year.result, year.entryId, await missed('2026-12')], ['N', 77, null, 1]);
    const { filed, boxes, changed, sources } = await report('425?year=2026');
    assert.deepEqual([filed.id, changed, sources.length > 0], [year.id, {}, true]);
    // Boxes up to 69 print percentages too.
    const amounts = Object.entries(notZero(boxes)).filter(([box]) => Number(box) > 69 || ['07', '09'].includes(box));
    assert.deepEqual(Object.fromEntries(amounts), {
      ...{ '07': 4100, '09': 287, '74': 4100, '79': 287, '80': 3000, '81': 210, '94': 210, '95': 77, '113': 77 },
      ...{ '115': 77, '116': 147, '117': 12, '119': 70, '120': 4100, '134': 4100 },
    });
  });

  it('of a year take the place of another', async () => {
    await sell('2026-12-10', 200);
    assert.equal((await report('425?year=2026')).changed['120'], 4300);
    const rectification = { receiptNumber: '4252026000001' };
    const again = await books.make<Filed>(PATH, { model: '425', year: 2026, rectification });
    assert.deepEqual([again.result, again.boxes['120']], [91, 4300]);
    const csv = await readCsv(await download(app, '/api/reports/tax/model425?year=2026&format=csv'), ';');
    assert.ok(csv.some((row: Data) => Object.values(row).includes('16b')));
    await assertSound(app.databaseUrl);
  });
});

describe('first returns of IGIC', function () {
  this.timeout(60_000);
  const app = useApp({ clock: { now: AFTER } });
  const { books, sell, buy, post, file, report, refuse } = openOffice(app);

  it('state what another program left, and what the books do not know', async () => {
    await sell('2026-01-15', 100);
    await sell('2026-04-10', 1000);
    const missing = await post('2T');
    assertProblem(missing, 409, 'invalid_transition');
    assert.match(missing.body.detail, /Model 420 of 2026 1T .*; state box 43 in overrides/);
    await refuse({ overrides: { '07': 1 } }, '/overrides/07');
    await refuse({ overrides: { '43': -1 } }, '/overrides/43');
    await refuse({ overrides: { '24': -1 } }, '/overrides/24');
    await refuse({ refund: true }, '/refund');
    await refuse({ period: '01' }, '/period');
    const filed = await file('2T', { overrides: { '23': 100, '24': 7, '42': 2, '43': 100 } });
    assert.deepEqual([filed.type, filed.result], ['C', -35]);
    // 35 of the credit are left; what travellers got back, less what is paid back, is not in the books.
    assert.deepEqual((await books.enteredFor(filed.id)).sort(), ['D 4777 70', 'H 4700 65', 'H 639 5']);
    assert.equal((await report('420?year=2026&period=3T')).boxes['43'], 35);
  });

  it('hand on less credit once they are complemented', async () => {
    await sell('2026-05-10', 100);
    const rectification = { receiptNumber: RECEIPT };
    const less = await file('2T', { rectification, overrides: { '43': 100, '24': 7, '42': 2, '23': 100 } });
    assert.deepEqual([less.type, less.result, less.boxes['44']], ['C', -28, 0]);
    assert.deepEqual((await books.enteredFor(less.id)).sort(), ['D 4777 7', 'H 4700 7']);
    await buy('2026-06-10', 1000);
    await refuse(
      { rectification: { receiptNumber: '4202026000002' }, overrides: { '43': 100 } },
      '/rectification',
      '2T',
    );
    assert.equal((await report('420?year=2026&period=3T')).boxes['43'], 28);
    await assertSound(app.databaseUrl);
  });
});
