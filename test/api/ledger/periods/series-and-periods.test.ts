import assert from 'node:assert/strict';
import { COMPANY } from '../../../helpers/app.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

type Row = Record<string, never> & { id: string };

describe('api: series and periods', () => {
  const app = useApp();

  const first = async (path: string) => (await app.client.get(path)).body.data[0] as Row;
  const make = async (path: string, body: object) => {
    const answer = await app.client.post(path, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data as Row;
  };

  it('never reuses a number of a series', async () => {
    const groupId = (await first('/api/partnerGroups?code=CLI')).id;
    const partnerId = (await make('/api/partners', { name: 'Ana', groupId })).id;
    const taxGroupId = (await first('/api/taxes?code=IVA21')).id;
    const series = await make('/api/series', { docType: 'SO', prefix: 'N', firstNumber: 5, padding: 3 });
    assert.deepEqual([series.nextNumber, series.isDefault], [5, false]);
    const path = `/api/series/${series.id}`;
    const below = await app.client.patch(path, { nextNumber: 4 });
    assert.deepEqual([below.status, below.body.errors[0].pointer], [422, '/nextNumber']);
    assert.equal((await app.client.patch(path, { firstNumber: 7 })).body.data.nextNumber, 7);

    const order = { partnerId, seriesId: series.id, lines: [{ description: 'x', quantity: 1, price: 1, taxGroupId }] };
    const made = await Promise.all(Array.from({ length: 8 }, () => make('/api/sales', order)));
    assert.deepEqual(made.map(({ code }) => String(code)).sort(), [
      'N007',
      'N008',
      'N009',
      'N010',
      'N011',
      'N012',
      'N013',
      'N014',
    ]);
    for (const change of [{ nextNumber: 7 }, { nextNumber: 100 }, { firstNumber: 1 }, { prefix: 'M' }]) {
      const refused = await app.client.patch(path, change);
      assertProblem(refused, 409, 'in_use');
      assert.deepEqual(refused.body.uses, [{ entityType: 'SalesOrder', count: 8 }]);
    }
    assertProblem(await app.client.del(path), 409, 'in_use');
    assertProblem(await app.client.post('/api/series', { docType: 'SO', prefix: 'N' }), 409, 'duplicate');
    assert.equal((await app.client.patch(path, { name: 'Nueva', padding: 5 })).body.data.nextNumber, 15);
  });

  it('generates the months of a fiscal year that begins in summer', async () => {
    assert.equal((await app.client.put('/api/company', { ...COMPANY, fiscalYearStart: '07-01' })).status, 200);
    await make('/api/periods', { code: 'Q', from: '2035-09-10', to: '2035-10-02', status: 'C' });
    const generated = await app.client.post('/api/periods/generate', { year: 2035 });
    assert.equal(generated.status, 201);
    const spans = generated.body.data.map(({ from, to }: Row) => `${from} ${to}`) as string[];
    assert.equal(spans.length, 10);
    assert.deepEqual([spans[0], spans.at(-1)], ['2035-07-01 2035-07-31', '2036-06-01 2036-06-30']);
    assert.ok(
      !spans.some((span) => span.startsWith('2035-09') || span.startsWith('2035-10')),
      'covered in part already',
    );
    assert.deepEqual((await app.client.post('/api/periods/generate', { year: 2035 })).body.data, []);
    for (const [year, pointer] of [
      [1899, '/year'],
      ['2035', '/year'],
      [undefined, '/year'],
    ]) {
      const refused = await app.client.post('/api/periods/generate', { year });
      assert.deepEqual([refused.status, refused.body.errors[0].pointer], [422, pointer]);
    }
  });
});
