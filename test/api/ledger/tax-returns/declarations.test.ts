/** Filing models of withheld tax, and informative ones, which carry nothing over (decision 0347). */
import assert from 'node:assert/strict';
import { download } from '../../../helpers/download.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { addMember } from '../../../helpers/members.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { enterGoldenQuarter } from '../../reports/golden-quarter.ts';

const PATH = '/api/tax-returns';
type Filed = { id: string; type: string; result: number; entryId: string | null; boxes: Record<string, number> };
// biome-ignore lint/suspicious/noExplicitAny: reports of every shape
type Data = any;

describe('tax returns that carry nothing over', () => {
  const app = useApp({ clock: { now: new Date('2027-02-10T09:00:00Z') } });
  const books = use(() => enterGoldenQuarter(app));
  const file = (model: string, period?: string, more: object = {}) =>
    books.make<Filed>(PATH, { model, year: 2026, ...(period === undefined ? {} : { period }), ...more });
  const report = async (model: string, period?: string): Promise<Data> =>
    (await books.report(`tax/model${model}`, `year=2026${period === undefined ? '' : `&period=${period}`}`)).data;
  const fee = { itemId: undefined, description: 'Abogado' };

  it('are filed in any order, without an entry', async () => {
    await books.invoice('purchases', '2026-02-10', 1000, { withholdingRate: 15 }, fee);
    const second = await file('111', '2T');
    const first = await file('111', '1T');
    assert.deepEqual([second.type, second.result, first.type, first.result], ['N', 0, 'I', 150]);
    assert.deepEqual([first.boxes['07'], first.boxes['08'], first.boxes['28'], first.entryId], [1, 1000, 150, null]);
    const rents = await file('115', '1T');
    assert.deepEqual([rents.result, rents.boxes], [190, { '01': 1, '02': 1000, '03': 190, '04': 0, '05': 190 }]);
    assert.deepEqual((await file('349', '1T')).boxes, { '01': 1, '02': 1000, '03': 0, '04': 0 });
    assert.deepEqual((await file('180')).boxes, { '01': 1, '02': 1000, '03': 190 });
    assert.deepEqual((await file('190')).boxes, { '01': 1, '02': 1000, '03': 150 });
    // 7,500 sold and 5,000 bought, with 21 %; rents and what comes from the Union are elsewhere.
    assert.deepEqual((await file('347')).boxes, { '01': 2, '02': 15125 });
  });

  it('say in their reports what has changed since, by box and by person', async () => {
    assert.deepEqual((await report('347')).changed_rows, []);
    await books.invoice('sales', '2026-05-10', 1000);
    await books.invoice('purchases', '2026-03-10', 400, { withholdingRate: 15 }, fee);
    const { boxes, filed, changed, rows, changed_rows } = await report('347');
    assert.ok(filed !== null);
    assert.deepEqual([boxes['02'], changed, rows.length], [15125, { '02': 16335 }, 2]);
    assert.deepEqual(
      changed_rows.map((each: Data) => [each.filed.name, each.filed.total, each.now.total, each.now.q2]),
      [['Café Central', 9075, 10285, 1210]],
    );
    const withheld = await report('111', '1T');
    assert.deepEqual([withheld.boxes['28'], withheld.changed], [150, { '08': 1400, '09': 210, '28': 210, '30': 210 }]);
    const people = await report('190');
    assert.deepEqual([people.rows[0].amount, people.changed_rows[0].now.amount], [1000, 1400]);
    assert.deepEqual([(await report('349', '1T')).changed, (await report('180')).changed_rows], [{}, []]);
  });

  it('are files for the tax agency, as they were filed', async () => {
    const text = async (model: string) => {
      const file = await download(app, `/api/reports/tax/model${model}?year=2026&period=1T&format=aeat`);
      return Buffer.from(await file.arrayBuffer()).toString('latin1');
    };
    assert.equal((await text('111')).slice(-18 - 1000).slice(486, 503), '00000000000015000');
    assert.equal((await text('115')).slice(-18 - 500).slice(140, 157), '00000000000019000');
    const path = '/api/reports/tax/model349?year=2026&period=1T&format=aeat';
    const refused = await app.client.get(path);
    assertProblem(refused, 400, 'invalid_parameter');
    assert.match(refused.body.detail, /: Huerta del Sur$/);
    assertProblem(await app.client.get(path.replace('2026', '2019')), 400, 'invalid_parameter');
  });

  it('are undone in any order, and then show the books', async () => {
    const { body } = await app.client.get(`${PATH}?model=111`);
    const first = (body.data as (Filed & { period: string })[]).find(({ period }) => period === '1T');
    assert.equal((await app.client.del(`${PATH}/${first?.id}`)).status, 204);
    const { boxes, filed, changed } = await report('111', '1T');
    assert.deepEqual([boxes['28'], filed, changed], [210, null, {}]);
  });

  it('have months or quarters, and boxes that a person states', async () => {
    const january = await file('111', '01', { overrides: { '13': 1, '14': 100, '15': 19, '29': 4 } });
    assert.deepEqual([january.boxes['28'], january.result], [19, 15]);
    const refused = async (body: object, status: number, code: string, pointer?: string) => {
      const answer = await app.client.post(PATH, { year: 2026, ...body });
      assertProblem(answer, status, code);
      assert.equal(answer.body.errors?.[0].pointer, pointer);
    };
    await refused({ model: '111', period: '1T' }, 409, 'overlap');
    await refused({ model: '111', period: '01' }, 409, 'duplicate');
    await refused({ model: '347', period: '1T' }, 422, 'validation_failed', '/period');
    await refused({ model: '115', period: '2T', refund: true }, 422, 'validation_failed', '/refund');
    await refused({ model: '115', period: '2T', overrides: { '05': 1 } }, 422, 'validation_failed', '/overrides/05');
    await refused({ model: '115', period: '2T', overrides: { '01': 1.5 } }, 422, 'validation_failed', '/overrides/01');
    await refused({ model: '180', year: 2025, overrides: { '02': 1 } }, 422, 'validation_failed', '/overrides/02');
    await refused({ model: '349', period: '1T', year: 2027 }, 422, 'validation_failed', '/period');
  });

  it('do not tell those who file them what people earn', async () => {
    const { client } = await addMember(app, 'accountant');
    const { body } = await client.get(`${PATH}?model=190`);
    assert.equal(body.data.length, 1);
    const one = (await client.get(`${PATH}/${body.data[0].id}`)).body.data;
    assert.deepEqual([one.boxes['03'], 'details' in one], [150, false]);
    const { body: audit } = await app.client.get(`/api/audit-logs?entityId=${one.id}`);
    assert.ok(audit.data.length > 0 && !JSON.stringify(audit.data).includes('recipients'), JSON.stringify(audit));
  });
});
