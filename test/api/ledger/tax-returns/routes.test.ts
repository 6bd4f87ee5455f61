/** Filing tax returns over HTTP (decision 0173). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { enterGoldenQuarter, openReports } from '../../reports/golden-quarter.ts';

const PATH = '/api/tax-returns';
const FIRST = { model: '303', year: 2026, period: '1T' };

type Filed = { id: string; type: string; result: number; entryId: string | null; boxes: Record<string, number> };

describe('tax returns', () => {
  const app = useApp({ clock: { now: new Date('2027-02-10T09:00:00Z') } });
  const books = use(() => enterGoldenQuarter(app));
  const readBoxes = async (period: string) => {
    const { data } = await books.report('tax/model303', `year=2026&period=${period}`);
    return data as { boxes: Record<string, number>; filed: { id: string } | null; changed: Record<string, number> };
  };
  let first: Filed;

  it('freeze their boxes and settle the VAT of their period', async () => {
    first = await books.make<Filed>(PATH, FIRST);
    assert.deepEqual([first.type, first.result, first.boxes['27']], ['I', 315, 1785]);
    const lines = ['D 47700021 1575', 'D 47720021 210', 'H 47200021 1260', 'H 47220021 210', 'H 4750 315'];
    assert.deepEqual((await books.enteredFor(first.id)).sort(), lines);
    assert.deepEqual(
      [await books.balance('477'), await books.balance('472'), await books.balance('4750')],
      [0, 0, -315],
    );
    const read = await app.client.get(`${PATH}/${first.id}`);
    assert.deepEqual(read.body.data, first);
    const { body } = await app.client.get(`${PATH}?model=303&year=2026`);
    assert.deepEqual(body.data, [first]);
  });

  it('do not change with the books, but show the difference', async () => {
    await books.invoice('sales', '2026-03-20', 100);
    const { boxes, filed, changed } = await readBoxes('1T');
    assert.deepEqual([boxes['07'], boxes['71'], filed?.id], [8000, 315, first.id]);
    // 100 at 21 % more: 07, 09, 27 and all that follows.
    assert.deepEqual([changed['07'], changed['09'], changed['71'], changed['28']], [8100, 1701, 336, undefined]);
    const vat = await books.report('vat', 'from=2026-01-01&to=2026-03-31');
    assert.deepEqual((vat.data as { undeclared: unknown }).undeclared, { output: 0, input: 0 });
  });

  it('carry credits over to later filings', async () => {
    await books.invoice('purchases', '2026-04-10', 1000);
    const second = await books.make<Filed>(PATH, { model: '303', year: 2026, period: '2T', overrides: { '43': 10 } });
    // 45 = 210 + 10 of investment goods: 220 to compensate, of which 10 are income (639).
    assert.deepEqual([second.type, second.result], ['C', -220]);
    assert.deepEqual((await books.enteredFor(second.id)).sort(), ['D 4700 220', 'H 47200021 210', 'H 639 10']);
    await books.invoice('sales', '2026-07-10', 2000);
    const third = await books.make<Filed>(PATH, { model: '303', year: 2026, period: '3T' });
    // 420 − 220
    assert.deepEqual([third.boxes['110'], third.boxes['78'], third.result], [220, 220, 200]);
    assert.deepEqual((await books.enteredFor(third.id)).sort(), ['D 47700021 420', 'H 4700 220', 'H 4750 200']);
    assert.equal(await books.balance('4700'), 0);
  });

  it('are undone from the last one on', async () => {
    const { body } = await app.client.get(`${PATH}?model=303`);
    const [third, second] = body.data as Filed[];
    assertProblem(await app.client.del(`${PATH}/${second?.id}`), 409, 'invalid_transition');
    assert.equal((await app.client.del(`${PATH}/${third?.id}`)).status, 204);
    // The credit and the tax stand again.
    assert.deepEqual([await books.balance('4700'), await books.balance('4750')], [220, -315]);
    assertProblem(await app.client.get(`${PATH}/${third?.id}`), 404, 'not_found');
    assert.equal((await readBoxes('3T')).filed, null);
  });

  it('are filed once when several people file concurrently', async () => {
    const third = { model: '303', year: 2026, period: '3T' };
    const answers = await Promise.all([1, 2, 3, 4].map(() => app.client.post(PATH, third)));
    const refused = answers.filter(({ status }) => status !== 201);
    assert.equal(refused.length, 3);
    for (const answer of refused) assertProblem(answer, 409, 'duplicate');
    // Settled once: the credit of 220 is used up, and 200 are owed beside the 315 of the first quarter.
    assert.deepEqual([await books.balance('4700'), await books.balance('4750')], [0, -515]);
    const { body } = await app.client.get(`${PATH}?model=303&year=2026&period=3T`);
    assert.equal(body.data.length, 1);
  });

  it('request a refund in the last period of the year only', async () => {
    const early = await app.client.post(PATH, { model: '303', year: 2026, period: '3T', refund: true });
    assertProblem(early, 422, 'validation_failed');
    assert.equal(early.body.errors[0].pointer, '/refund');
    await books.invoice('purchases', '2026-11-10', 300);
    const last = await books.make<Filed>(PATH, { model: '303', year: 2026, period: '4T', refund: true });
    assert.deepEqual([last.type, last.result], ['D', -63]);
    // The file of a refund has a page with the account.
    const file = await app.client.get('/api/reports/tax/model303?year=2026&period=4T&format=aeat');
    assertProblem(file, 400, 'invalid_parameter');
    assert.match(file.body.detail, /^iban must be given, because the file of a refund/);
    const annual = await books.make<Filed>(PATH, { model: '390', year: 2026 });
    // The quarters paid 315 and 200 (95), and the last one gets 63 back (98).
    assert.deepEqual(
      [annual.boxes['95'], annual.boxes['97'], annual.boxes['98'], annual.boxes['662']],
      [515, 0, 63, 0],
    );
  });

  it('are rejected if they cannot be filed', async () => {
    const refused = async (body: object, status: number, code: string, pointer?: string) => {
      const answer = await app.client.post(PATH, body);
      assertProblem(answer, status, code);
      assert.equal(answer.body.errors?.[0].pointer, pointer);
    };
    await refused({ ...FIRST }, 409, 'duplicate');
    await refused({ model: '303', year: 2026, period: '02' }, 409, 'overlap');
    await refused({ model: '303', year: 2025, period: '4T' }, 409, 'invalid_transition');
    await refused({ model: '303', year: 2027, period: '1T' }, 422, 'validation_failed', '/period');
    await refused({ model: '303', year: 2026, period: '0A' }, 422, 'validation_failed', '/period');
    await refused({ model: '303', year: 2026 }, 422, 'validation_failed', '/period');
    await refused({ model: '130', year: 2026, period: '1T' }, 422, 'validation_failed', '/model');
    await refused({ model: '200', year: 2026, period: '1T' }, 422, 'validation_failed', '/model');
    const january = { model: '303', year: 2027, period: '01' };
    await refused({ ...january, overrides: { '27': 1 } }, 422, 'validation_failed', '/overrides/27');
    await refused({ ...january, overrides: { '78': 5 } }, 422, 'validation_failed', '/overrides/78');
    await refused({ ...january, overrides: { '65': 100.01 } }, 422, 'validation_failed', '/overrides/65');
    await refused({ ...january, overrides: { '43': 0.001 } }, 422, 'validation_failed', '/overrides/43');
    await refused({ ...january, date: '2027-01-30' }, 422, 'validation_failed', '/date');
  });

  it('leave nothing behind when their period is closed', async () => {
    await books.invoice('sales', '2027-01-10', 100);
    const { body } = await app.client.get('/api/periods?code=2027-01');
    assert.equal((await app.client.patch(`/api/periods/${body.data[0].id}`, { status: 'C' })).status, 200);
    const january = { model: '303', year: 2027, period: '01' };
    assertProblem(await app.client.post(PATH, january), 409, 'period_closed');
    const later = await books.make<Filed>(PATH, { ...january, date: '2027-02-08' });
    assert.equal(later.result, 21);
    const entry = (await app.client.get(`/api/journal-entries/${later.entryId}`)).body.data;
    assert.deepEqual([entry.date, entry.sourceType], ['2027-02-08', 'tax_return']);
    assertProblem(
      await app.client.post(`/api/journal-entries/${later.entryId}/reverse`, {}),
      409,
      'invalid_transition',
    );
    // Undone on the day of the settlement, since the end of the period is still closed.
    assert.equal((await app.client.del(`${PATH}/${later.id}`)).status, 204);
    const { body: undone } = await app.client.get(`/api/journal-entries?sourceId=${later.id}`);
    assert.deepEqual(
      undone.data.map(({ date }: { date: string }) => date),
      ['2027-02-08', '2027-02-08'],
    );
  });
});

describe('tax returns of a period that ends today', () => {
  const clock = { now: new Date('2026-03-31T21:59:59Z') };
  const app = useApp({ clock });

  it("are filed from the day after it, in the company's time zone", async () => {
    const answer = await app.client.post(PATH, FIRST);
    assertProblem(answer, 422, 'validation_failed');
    assert.equal(answer.body.errors[0].pointer, '/period');
    clock.now = new Date('2026-03-31T22:00:00Z');
    assert.equal((await app.client.post(PATH, FIRST)).status, 201);
  });
});

describe('tax returns of a model', () => {
  const app = useApp({ clock: { now: new Date('2028-02-10T09:00:00Z') } });
  const books = use(() => openReports(app));
  const file = (model: string, year: number, period: string | undefined, more: object = {}) =>
    app.client.post(PATH, { model, year, period, ...more });
  const refused = async (first: string, ...what: Parameters<typeof file>) => {
    const answer = await file(...what);
    assertProblem(answer, 409, 'invalid_transition');
    assert.ok(answer.body.detail.startsWith(`Model ${what[0]} of ${first} must be filed first`), answer.body.detail);
  };
  const filed = async (...what: Parameters<typeof file>) => {
    const answer = await file(...what);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data as Filed;
  };

  it('are filed from the first one for which the books have something, without gaps', async () => {
    await books.make('/api/periods/generate', { year: 2026 });
    const service = { itemId: undefined, description: 'Servicio' };
    await books.invoice('sales', '2026-05-10', 1000, {}, service);
    await books.invoice('sales', '2027-08-10', 1000, {}, service);
    await refused('2026 2T', '303', 2026, '3T');
    await refused('2026 05', '303', 2026, '07');
    // What is before the first activity need not be filed, but may be.
    const first = await filed('303', 2026, '1T');
    await refused('2026 2T', '303', 2026, '3T');
    assert.equal((await app.client.del(`${PATH}/${first.id}`)).status, 204);
    assert.equal((await filed('303', 2026, '2T')).result, 210);
    // A quarter without activity is filed too.
    await refused('2026 3T', '303', 2026, '4T');
    await refused('2026 07', '303', 2026, '12');
    assert.equal((await filed('303', 2026, '3T')).type, 'N');
    for (const month of ['10', '11', '12', '01', '02', '03']) {
      await filed('303', month > '09' ? 2026 : 2027, month);
    }
    const second = await filed('303', 2027, '2T');
    const third = await filed('303', 2027, '3T');
    assertProblem(await app.client.del(`${PATH}/${second.id}`), 409, 'invalid_transition');
    assert.equal((await app.client.del(`${PATH}/${third.id}`)).status, 204);
    assert.equal((await app.client.del(`${PATH}/${second.id}`)).status, 204);
  });

  it('are filed in order for annual summaries and for instalments, which begin anew each year', async () => {
    await refused('2026 0A', '390', 2027, undefined);
    await filed('390', 2026, undefined);
    const early = await file('390', 2027, undefined);
    assertProblem(early, 409, 'invalid_transition');
    assert.match(early.body.detail, /^Model 303 of 2027 must be filed to its last period first/);
    for (const quarter of ['2T', '3T']) await filed('303', 2027, quarter);
    const last = await filed('303', 2027, '4T');
    await filed('390', 2027, undefined);
    const summed = await app.client.del(`${PATH}/${last.id}`);
    assertProblem(summed, 409, 'invalid_transition');
    assert.match(summed.body.detail, /^Model 390 of 2027 is filed too/);
    assert.equal((await app.client.put('/api/config/tax', { taxpayer: 'sole_trader' })).status, 200);
    await refused('2026 2T', '130', 2026, '4T');
    await filed('130', 2026, '2T');
    await refused('2026 3T', '130', 2026, '4T');
    await filed('130', 2026, '3T');
    await filed('130', 2027, '1T');
    await refused('2027 2T', '130', 2027, '3T');
  });
});

describe('tax returns of a company that comes from another program', () => {
  const app = useApp({ clock: { now: new Date('2027-02-10T09:00:00Z') } });
  const books = use(() => openReports(app));

  it('begin with one that states what earlier ones carry over, nothing included', async () => {
    await books.invoice('sales', '2026-02-10', 1000, {}, { itemId: undefined, description: 'Servicio' });
    const third = { model: '303', year: 2026, period: '3T' };
    assertProblem(await app.client.post(PATH, third), 409, 'invalid_transition');
    const filed = await books.make<Filed>(PATH, { ...third, overrides: { '110': 0 } });
    assert.deepEqual([filed.type, filed.result], ['N', 0]);
    const later = { ...third, year: 2026, period: '4T', overrides: { '110': 0 } };
    await books.make<Filed>(PATH, later);
  });
});
