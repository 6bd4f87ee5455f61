/** Labor cost over HTTP, against the ledger. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { use, useApp } from '../../../helpers/hooks.ts';
import { generate, hire } from '../../../helpers/payrolls.ts';
import { assertProblem } from '../../../helpers/problem.ts';

describe('the report labor cost', () => {
  const app = useApp({ clock: { now: new Date('2026-04-10T10:00:00Z') } });
  const made = use(async () => {
    const department = await app.client.post('/api/departments', { name: 'Shop' });
    const shop = department.body.data.id as string;
    await hire(app, { departmentId: shop });
    await hire(app, { name: 'Bea', grossAnnualSalary: 30000 });
    for (const month of [1, 2]) await generate(app, { year: 2026, month, post: true });
    await generate(app, { year: 2026, month: 3 });
    return { shop };
  });
  const read = async (query: string) => (await app.client.get(`/api/reports/labor-cost?${query}`)).body;

  it('has the posted payrolls of each month by department, as the ledger has them', async () => {
    const { data, summary } = await read('from=2026-01-01&to=2026-03-31');
    const rows = data.rows.map(({ month, name, gross }: Record<string, unknown>) => [month, name, gross]);
    assert.deepEqual(rows, [
      ['2026-01', 'Shop', 1700],
      ['2026-01', 'Sin departamento', 2142.86],
      ['2026-02', 'Shop', 1700],
      ['2026-02', 'Sin departamento', 2142.86],
    ]);
    assert.equal(data.rows[0].total, 2337.64);
    const balance = await app.client.get('/api/reports/trial-balance?from=2026-01-01&to=2026-03-31');
    const of = (code: string) => balance.body.data.rows.find((row: { code: string }) => row.code === code)?.debit;
    assert.deepEqual([summary.gross, summary.employer_contributions], [of('640'), of('642')]);
  });

  it('is of months that end in the period, and of one department', async () => {
    assert.deepEqual((await read('from=2026-01-01&to=2026-01-30')).data.rows, []);
    const { data } = await read(`from=2026-01-31&to=2026-01-31&department_id=${made.shop}`);
    assert.equal(data.rows.length, 1);
    const { body } = await app.client.get(data.rows[0].drilldown);
    assert.deepEqual(
      (body.data as { gross: number }[]).map(({ gross }) => gross),
      [data.rows[0].gross],
    );
  });

  it('is for those who read reports on people, the accountant too', async () => {
    const login = (role: string) => ({ email: `${role}@example.test`, password: 'a password of twenty letters' });
    for (const [role, status] of [
      ['accountant', 200],
      ['viewer', 403],
    ] as const) {
      await app.client.post('/api/users', { ...login(role), name: role, role });
      const { body } = await app.anonymous.post('/api/auth/login', login(role));
      const answer = await app.as(body.token).get('/api/reports/labor-cost?from=2026-01-01&to=2026-03-31');
      if (status === 403) assertProblem(answer, 403, 'forbidden');
      else assert.equal(answer.status, status);
    }
  });
});
