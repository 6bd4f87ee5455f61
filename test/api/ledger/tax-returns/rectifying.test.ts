/** Returns that rectify others of their period (decision 0383). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { download } from '../../../helpers/download.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem, assertRefused } from '../../../helpers/problem.ts';
import { enterGoldenQuarter, openReports } from '../../reports/golden-quarter.ts';

const PATH = '/api/tax-returns';
const RECEIPT = '3032026000001';
const SERVICE = { itemId: undefined, description: 'Servicio' };
type Filed = {
  id: string;
  type: string;
  result: number;
  sequence: number;
  rectification: { receiptNumber: string; reason: string | null } | null;
  entryId: string | null;
  boxes: Record<string, number>;
  overrides: Record<string, number>;
};
// biome-ignore lint/suspicious/noExplicitAny: reports of every shape
type Data = any;

describe('returns that rectify others', () => {
  const app = useApp({ clock: { now: new Date('2027-02-10T09:00:00Z') } });
  const books = use(() => openReports(app));
  const file = (period: string, more: object = {}, model = '303') =>
    books.make<Filed>(PATH, { model, year: 2026, period, ...more });
  const rectify = (period: string, receiptNumber: string, more: object = {}) =>
    file(period, { rectification: { receiptNumber, reason: 'correction' }, ...more });
  const report = async (period: string): Promise<Data> =>
    (await books.report('tax/model303', `year=2026&period=${period}`)).data;
  const owed = async () => [await books.balance('477'), await books.balance('4750'), await books.balance('4700')];
  const undo = async (id: string) => await app.client.del(`${PATH}/${id}`);
  let first: Filed;
  let second: Filed;

  it('state what was paid, and settle the difference today', async () => {
    await books.invoice('sales', '2026-05-10', 1000, {}, SERVICE);
    first = await file('2T');
    assert.deepEqual([first.result, first.sequence, first.rectification], [210, 0, null]);
    await books.invoice('sales', '2026-06-10', 100, {}, SERVICE);
    second = await rectify('2T', RECEIPT);
    assert.deepEqual([second.type, second.result, second.sequence], ['I', 21, 1]);
    assert.deepEqual([second.boxes['69'], second.boxes['70'], second.overrides], [231, 210, { '70': 210 }]);
    assert.deepEqual((await books.enteredFor(second.id)).sort(), ['D 47700021 21', 'H 4750 21']);
    const entry = (await app.client.get(`/api/journal-entries/${second.entryId}`)).body.data;
    assert.deepEqual([entry.date, entry.description], ['2027-02-10', 'Liquidación de IVA 2T 2026 (rectificativa)']);
    assert.deepEqual(await owed(), [0, -231, 0]);
    const rectification = { receiptNumber: '3032026000009', reason: 'correction' };
    const again = await app.client.post(PATH, { model: '303', year: 2026, period: '2T', rectification });
    assertRefused(again, '/rectification');
  });

  it('are in force in reports and files, with the ones before in the list', async () => {
    const { boxes, changed, filed } = await report('2T');
    assert.deepEqual([boxes['71'], changed, filed.id, filed.sequence], [21, {}, second.id, 1]);
    assert.deepEqual(filed.rectification, { receipt_number: RECEIPT, reason: 'correction' });
    const { body } = await app.client.get(`${filed.returns}&sort=sequence`);
    assert.deepEqual(
      body.data.map(({ id }: Filed) => id),
      [first.id, second.id],
    );
    const response = await download(app, '/api/reports/tax/model303?year=2026&period=2T&format=aeat');
    const text = Buffer.from(await response.arrayBuffer()).toString('latin1');
    assert.ok(text.includes(`X${RECEIPT} ${'0'.repeat(17)}X `), text.slice(-700));
    const vat = await books.report('vat', 'from=2026-04-01&to=2027-03-31');
    assert.deepEqual((vat.data as Data).undeclared, { output: 0, input: 0 });
  });

  it('get refunded what was paid unduly, in any period', async () => {
    const { body } = await app.client.get('/api/sales/invoices?date[gte]=2026-06-10&date[lte]=2026-06-10');
    await books.make(`/api/sales/invoices/${body.data[0].id}/cancel`, { date: '2026-06-11' });
    const third = await rectify('2T', '3032026000002');
    assert.deepEqual([third.type, third.result, third.boxes['70'], third.boxes['111']], ['D', -21, 231, 21]);
    assert.deepEqual((await books.enteredFor(third.id)).sort(), ['D 4700 21', 'H 47700021 21']);
    const path = '/api/reports/tax/model303?year=2026&period=2T&format=aeat';
    assert.match((await app.client.get(path)).body.detail, /^iban must be given/);
    assertProblem(await app.client.get(`${path}&iban=DE89370400440532013000`), 400, 'invalid_parameter');
    const response = await download(app, `${path}&iban=ES91 2100 0418 4502 0005 1332`);
    const text = Buffer.from(await response.arrayBuffer()).toString('latin1');
    assert.match(text, /<T303DID00> {11}ES9121000418450200051332 .*1 {617}<\/T303DID00>/);
    const annual = await books.report('tax/model390', 'year=2026');
    // 210 and 21 were paid, of which 21 come back.
    const { boxes } = annual.data as Data;
    assert.deepEqual([boxes['95'], boxes['97'], boxes['98'], boxes['86']], [210, 0, 0, 210]);
  });

  it('are undone from the last one on', async () => {
    assertProblem(await undo(second.id), 409, 'invalid_transition');
    const { body } = await app.client.get(`${PATH}?model=303&sequence=2`);
    assert.equal((await undo(body.data[0].id)).status, 204);
    assert.deepEqual([(await report('2T')).filed.id, await owed()], [second.id, [21, -231, 0]]);
    assert.equal((await undo(second.id)).status, 204);
    assert.equal((await undo(first.id)).status, 204);
    assert.deepEqual([(await report('2T')).filed, await owed()], [null, [-210, 0, 0]]);
  });

  it('keep the stated boxes of the return in force, unless they are stated again', async () => {
    await file('2T', { overrides: { '44': 30, '37': 5 } });
    const { boxes, overrides } = await rectify('2T', '3032026000003', { overrides: { '37': 6 } });
    assert.deepEqual([boxes['44'], boxes['37'], overrides], [30, 6, { '37': 6, '44': 30, '70': 175 }]);
  });
});

describe('returns that rectify one before others', () => {
  const app = useApp({ clock: { now: new Date('2027-02-10T09:00:00Z') } });
  const books = use(() => openReports(app));
  const file = (period: string, more: object = {}) =>
    books.make<Filed>(PATH, { model: '303', year: 2026, period, ...more });
  const rectify = (period: string, receiptNumber: string) =>
    file(period, { rectification: { receiptNumber, reason: 'correction' } });

  it('hand on another credit, which later ones take when they are rectified', async () => {
    await books.invoice('purchases', '2026-04-10', 1000);
    const second = await file('2T');
    await books.invoice('sales', '2026-07-10', 2000, {}, SERVICE);
    const third = await file('3T');
    assert.deepEqual([second.type, second.result, third.boxes['78'], third.result], ['C', -210, 210, 210]);
    // 100 more were sold in the second quarter: 21 less are left.
    await books.invoice('sales', '2026-05-10', 100, {}, SERVICE);
    const corrected = await rectify('2T', RECEIPT);
    assert.deepEqual([corrected.type, corrected.result], ['C', -189]);
    assert.deepEqual((await books.enteredFor(corrected.id)).sort(), ['D 47700021 21', 'H 4700 21']);
    const { data } = await books.report('tax/model303', 'year=2026&period=3T');
    assert.deepEqual((data as Data).changed, { '110': 189, '78': 189, '69': 231, '71': 231 });
    const follows = await rectify('3T', '3032026000009');
    assert.deepEqual([follows.boxes['78'], follows.boxes['70'], follows.result], [189, 210, 21]);
    assert.deepEqual((await books.enteredFor(follows.id)).sort(), ['D 4700 21', 'H 4750 21']);
    assert.deepEqual([await books.balance('4700'), await books.balance('4750')], [0, -231]);
    // What the third quarter takes cannot be undone before it.
    assertProblem(await app.client.del(`${PATH}/${corrected.id}`), 409, 'invalid_transition');
    assert.equal((await app.client.del(`${PATH}/${follows.id}`)).status, 204);
    assert.equal((await app.client.del(`${PATH}/${corrected.id}`)).status, 204);
    assertProblem(await app.client.del(`${PATH}/${second.id}`), 409, 'invalid_transition');
  });

  it('request a refund in any month if the company is registered for that', async () => {
    await books.make('/api/periods/generate', { year: 2027 });
    await file('4T');
    await books.invoice('purchases', '2027-01-08', 1000);
    const january = { year: 2027, period: '01', refund: true };
    const refused = await app.client.post(PATH, { model: '303', ...january });
    assertProblem(refused, 422, 'validation_failed');
    assert.equal(refused.body.errors[0].pointer, '/refund');
    assert.equal((await app.client.put('/api/config/tax', { monthlyRefunds: true })).status, 200);
    const filed = await file('01', january);
    assert.deepEqual([filed.type, filed.result], ['D', -210]);
    const path = '/api/reports/tax/model303?year=2027&period=01&format=aeat&iban=ES9121000418450200051332';
    const text = Buffer.from(await (await download(app, path)).arrayBuffer()).toString('latin1');
    assert.match(text, /2027012132/);
    const { data } = await books.report('tax/model390', 'year=2027');
    assert.deepEqual([(data as Data).boxes['96'], (data as Data).boxes['98']], [210, 0]);
  });
});

describe('returns that add to others, or take their place', () => {
  const app = useApp({ clock: { now: new Date('2027-02-10T09:00:00Z') } });
  const books = use(() => enterGoldenQuarter(app));
  const fee = { itemId: undefined, description: 'Abogado' };
  const post = (model: string, more: object) => app.client.post(PATH, { model, year: 2026, ...more });
  const rectification = { receiptNumber: '1112026000001' };

  it('have the rest to pay, without an entry', async () => {
    await books.invoice('purchases', '2026-02-10', 1000, { withholdingRate: 15 }, fee);
    await books.make(PATH, { model: '111', year: 2026, period: '1T' });
    const nothing = await post('111', { period: '1T', rectification });
    assertProblem(nothing, 422, 'validation_failed');
    assert.equal(nothing.body.errors[0].pointer, '/rectification');
    await books.invoice('purchases', '2026-02-20', 400, { withholdingRate: 15 }, fee);
    const filed = await books.make<Filed>(PATH, { model: '111', year: 2026, period: '1T', rectification });
    assert.deepEqual([filed.boxes['28'], filed.boxes['29'], filed.result, filed.entryId], [210, 150, 60, null]);
    const path = '/api/reports/tax/model111?year=2026&period=1T&format=aeat';
    const text = Buffer.from(await (await download(app, path)).arrayBuffer()).toString('latin1');
    assert.ok(text.includes('X1112026000001'));
    assert.deepEqual(((await books.report('tax/model111', 'year=2026&period=1T')).data as Data).changed, {});
  });

  it('keep whom they declare', async () => {
    const annual = await books.make<Filed>(PATH, { model: '347', year: 2026 });
    await books.invoice('sales', '2026-05-10', 1000);
    const again = await books.make<Filed>(PATH, { model: '347', year: 2026, rectification });
    const { data } = await books.report('tax/model347', 'year=2026');
    assert.deepEqual([annual.boxes['02'], again.boxes['02'], (data as Data).changed_rows], [15125, 16335, []]);
  });

  it('are refused if there is nothing to rectify, or it is stated wrongly', async () => {
    const refused = async (model: string, more: object, status: number, code: string, pointer?: string) => {
      const answer = await post(model, more);
      assertProblem(answer, status, code);
      assert.equal(answer.body.errors?.[0].pointer, pointer);
    };
    const reasoned = { ...rectification, reason: 'correction' };
    const invalid = async (model: string, more: object, pointer: string) =>
      await refused(model, more, 422, 'validation_failed', pointer);
    await invalid('111', { period: '2T', rectification }, '/rectification');
    await invalid('111', { period: '1T', rectification: reasoned }, '/rectification/reason');
    await invalid('303', { period: '1T', rectification }, '/rectification/reason');
    await invalid('303', { period: '1T', rectification: reasoned }, '/rectification');
    await invalid('303', { year: 2024, period: '2T', rectification: reasoned }, '/rectification');
    await invalid('369', { period: '1T', rectification }, '/rectification');
    await invalid('347', { rectification: { receiptNumber: '12' } }, '/rectification/receiptNumber');
    await refused('347', { rectification }, 409, 'duplicate');
    await refused('347', {}, 409, 'duplicate');
    await books.make(PATH, { model: '303', year: 2026, period: '1T' });
    await invalid('303', { period: '1T', rectification: reasoned, overrides: { '111': 5 } }, '/overrides/111');
  });

  it('are filed once when several people rectify concurrently', async () => {
    const rectification = { receiptNumber: RECEIPT, reason: 'criterion' };
    const again = { period: '1T', rectification, overrides: { '44': 1 } };
    const answers = await Promise.all([1, 2, 3].map(() => post('303', again)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
  });
});
