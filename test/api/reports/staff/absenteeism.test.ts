/** Absenteeism over HTTP. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { use, useApp } from '../../../helpers/hooks.ts';

describe('the report absenteeism', () => {
  const app = useApp({ clock: { now: new Date('2026-04-10T10:00:00Z') } });
  const made = use(async () => {
    const post = async (path: string, body: object) => {
      const answer = await app.client.post(path, body);
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      return answer.body.data as { id: string };
    };
    const shop = (await post('/api/departments', { name: 'Shop' })).id;
    const ana = (await post('/api/employees', { name: 'Ana', hireDate: '2025-01-01', departmentId: shop })).id;
    const bea = (await post('/api/employees', { name: 'Bea', hireDate: '2026-03-02' })).id;
    const absences = [
      { employeeId: ana, type: 'sick', from: '2026-02-26', to: '2026-03-03' },
      { employeeId: ana, type: 'vacation', from: '2026-03-09', to: '2026-03-15' },
      { employeeId: ana, type: 'other', from: '2026-03-20', to: '2026-03-20', days: 0.5 },
      { employeeId: bea, type: 'unpaid', from: '2026-03-30', to: '2026-04-05' },
    ];
    for (const absence of absences) await post('/api/absences', absence);
    return { shop };
  });
  const read = async (more = '') => {
    const { status, body } = await app.client.get(`/api/reports/absenteeism?from=2026-03-01&to=2026-03-31${more}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };

  it('counts the days of the period by department and type, over those without vacation', async () => {
    const { data, summary } = await read();
    const rows = data.rows.map(({ name, type, days, rate_percent }: Record<string, unknown>) => [
      name,
      type,
      days,
      rate_percent,
    ]);
    assert.deepEqual(rows, [
      ['Shop', 'other', 0.5, 2.08], // of 31 days, 7 of them vacation
      ['Shop', 'sick', 3, 12.5],
      ['Sin departamento', 'unpaid', 2, 6.67], // of 30 days
    ]);
    assert.deepEqual(summary, { days: 5.5, rate_percent: 10.19, theoretical_days: 54, vacation_days: 7 });
  });

  it('is of one department, and traced to the absences', async () => {
    const { data, summary } = await read(`&department_id=${made.shop}`);
    assert.deepEqual([data.rows.length, summary.theoretical_days, summary.days], [2, 24, 3.5]);
    const { body } = await app.client.get(data.rows[1].drilldown);
    assert.deepEqual(
      (body.data as { from: string }[]).map(({ from }) => from),
      ['2026-02-26'],
    );
  });

  it('is Spanish in files of a Spanish company', async () => {
    const range = 'from=2026-03-01&to=2026-03-31&format=csv';
    const [absent, heads] = await Promise.all(
      ['absenteeism', 'headcount'].map(async (name) => (await app.client.get(`/api/reports/${name}?${range}`)).body),
    );
    const [titles, first] = absent.replace('\ufeff', '').split('\r\n');
    assert.equal(titles, 'Departamento;Tipo;Días;Tasa %');
    assert.match(first, /^Shop;Otros permisos;0,5/);
    const expected = 'Departamento;Al final;Media;Equivalente a jornada completa;Altas;Bajas';
    assert.equal(heads.replace('\ufeff', '').split('\r\n')[0], expected);
  });

  it('counts the holidays of the place neither as absence nor as planned', async () => {
    await app.client.patch(`/api/departments/${made.shop}`, { place: 'Málaga' });
    for (const [day, place] of [
      ['2026-03-02', 'Málaga'],
      ['2026-03-10', null],
      ['2026-03-31', 'Sevilla'],
    ]) {
      assert.equal((await app.client.post('/api/holidays', { day, place, name: 'Fiesta' })).status, 201);
    }
    const { data, summary } = await read();
    const rows = data.rows.map(({ type, days, rate_percent }: Record<string, unknown>) => [type, days, rate_percent]);
    assert.deepEqual(rows, [
      ['other', 0.5, 2.17], // of 29 days, 6 of them vacation
      ['sick', 2, 8.7],
      ['unpaid', 2, 6.9], // of 29 days, without a place
    ]);
    assert.deepEqual(summary, { days: 4.5, rate_percent: 8.65, theoretical_days: 52, vacation_days: 6 });
    const twice = await app.client.post('/api/holidays', { day: '2026-03-10', name: 'Again' });
    assert.deepEqual([twice.status, twice.body.code], [409, 'duplicate']);
  });
});
