/** Months that have payrolls: their days of employment stay as they are, and their periods stay open while there are drafts. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { useApp } from '../../../helpers/hooks.ts';
import { generate, hire, listPayrolls } from '../../../helpers/payrolls.ts';
import { assertProblem } from '../../../helpers/problem.ts';

const MARCH = { year: 2026, month: 3 };

describe('a month that has a payroll', () => {
  const app = useApp({}, { each: true });
  const payroll = async (query = 'year=2026&month=3&status[ne]=X') => {
    const [found] = await listPayrolls(app, query);
    assert.ok(found);
    return found;
  };
  const refused = (answer: { status: number; body: Record<string, unknown> }, pointer: string) => {
    assertProblem(answer as never, 409, 'in_use');
    assert.match(String(answer.body.detail), /2026-03/);
    assert.equal((answer.body.errors as { pointer: string }[])[0]?.pointer, pointer);
  };

  it('keeps its days of employment until the payroll is deleted or cancelled', async () => {
    const { id } = await hire(app);
    const change = (members: object) => app.client.patch(`/api/employees/${id}`, members);
    for (const post of [false, true]) {
      await generate(app, { ...MARCH, post });
      refused(await change({ hireDate: '2026-03-02' }), '/hireDate');
      refused(await change({ hireDate: '2026-04-01' }), '/hireDate');
      refused(await change({ endDate: '2026-03-15' }), '/endDate');
      refused(await change({ endDate: '2026-02-28' }), '/endDate');
      const shown = await payroll();
      if (post) assert.equal((await app.client.post(`/api/payrolls/${shown.id}/cancel`, {})).status, 200);
      else assert.equal((await app.client.del(`/api/payrolls/${shown.id}`)).status, 204);
    }
    assert.equal((await change({ endDate: '2026-03-15' })).status, 200);
  });

  it('may not become the last one, since the pay of the last month is another one', async () => {
    const { id } = await hire(app);
    await generate(app, MARCH);
    refused(await app.client.patch(`/api/employees/${id}`, { endDate: '2026-03-31' }), '/endDate');
    assert.equal((await app.client.patch(`/api/employees/${id}`, { endDate: '2026-04-30' })).status, 200);
    assert.equal((await app.client.patch(`/api/employees/${id}`, { endDate: null })).status, 200);
  });

  it('may have the employment begin earlier or later in months without payrolls', async () => {
    const { id } = await hire(app);
    await generate(app, MARCH);
    for (const hireDate of ['2024-01-01', '2026-02-10', '2026-03-01'])
      assert.equal((await app.client.patch(`/api/employees/${id}`, { hireDate })).status, 200, hireDate);
  });

  it('is kept by transactions too, which change nothing then', async () => {
    const { id } = await hire(app);
    await generate(app, MARCH);
    const operations = [
      { id: 'a', method: 'PATCH', path: `/api/employees/${id}`, body: { name: 'Other' } },
      { id: 'b', method: 'PATCH', path: `/api/employees/${id}`, body: { endDate: '2026-03-15' } },
    ];
    const { status, body } = await app.client.post('/api/transactions', { operations });
    assert.deepEqual([status, body.code], [409, 'in_use'], JSON.stringify(body));
    assert.equal((await app.client.get(`/api/employees/${id}`)).body.data.name, 'Ana Ruiz');
  });

  it('keeps its period open while the payroll is a draft', async () => {
    await hire(app);
    await generate(app, MARCH);
    const { body: periods } = await app.client.get('/api/periods?from[lte]=2026-03-31&to[gte]=2026-03-31');
    const close = () => app.client.patch(`/api/periods/${periods.data[0].id}`, { status: 'C' });
    const answer = await close();
    assertProblem(answer, 409, 'has_drafts');
    assert.match(String(answer.body.detail), /1 draft \(1 payroll\)/);
    assert.equal((await app.client.post(`/api/payrolls/${(await payroll()).id}/post`, {})).status, 200);
    assert.equal((await close()).status, 200);
    const { status, body } = await app.client.post('/api/payrolls/generate', MARCH);
    assert.deepEqual([status, body.code], [409, 'period_closed']);
  });

  it('leaves the periods of other months alone', async () => {
    await hire(app);
    await generate(app, MARCH);
    for (const day of ['2026-02-15', '2026-04-15']) {
      const { body: periods } = await app.client.get(`/api/periods?from[lte]=${day}&to[gte]=${day}`);
      for (const { id } of periods.data)
        assert.equal((await app.client.patch(`/api/periods/${id}`, { status: 'C' })).status, 200, day);
    }
  });
});
