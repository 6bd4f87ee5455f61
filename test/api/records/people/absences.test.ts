/** Absences and vacation over HTTP. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

describe('absences', () => {
  const app = useApp({ clock: { now: new Date('2026-06-15T10:00:00Z') } });
  const employee = use(async () => {
    const hired = { name: 'Ana Ruiz', hireDate: '2026-01-01', endDate: '2027-06-30' };
    const { body } = await app.client.post('/api/employees', hired);
    return body.data as { id: string };
  });
  const absence = (members: object) => ({ employeeId: employee.id, type: 'vacation', ...members });
  const post = (members: object) => app.client.post('/api/absences', absence(members));

  it('count days of the calendar unless somebody counts otherwise', async () => {
    const { body } = await post({ from: '2026-03-02', to: '2026-03-08' });
    assert.equal(body.data.days, 7);
    const path = `/api/absences/${body.data.id}`;
    assert.equal((await app.client.patch(path, { to: '2026-03-09' })).body.data.days, 8);
    assert.equal((await app.client.patch(path, { days: 5.5 })).body.data.days, 5.5);
    assert.equal((await app.client.patch(path, { notes: 'Asked for in May' })).body.data.days, 5.5);
    await app.client.del(path);
  });

  it('do not overlap, and lie within the employment', async () => {
    const { body } = await post({ type: 'sick', from: '2026-04-01', to: '2026-04-10' });
    assertProblem(await post({ from: '2026-04-10', to: '2026-04-20' }), 409, 'overlap');
    const bad: [object, string, string][] = [
      [{ from: '2025-12-31', to: '2026-01-02' }, '/from', 'out_of_range'],
      [{ from: '2027-06-30', to: '2027-07-01' }, '/to', 'out_of_range'],
      [{ from: '2026-05-02', to: '2026-05-01' }, '/to', 'out_of_range'],
      [{ from: '2026-05-01', to: '2026-05-02', days: 3 }, '/days', 'out_of_range'],
      [{ from: '2026-05-01', to: '2026-05-02', days: 0 }, '/days', 'out_of_range'],
      [{ from: '2026-05-01', to: '2026-05-02', type: 'party' }, '/type', 'invalid_choice'],
    ];
    for (const [members, pointer, code] of bad) {
      const answer = await post(members);
      const [found] = (answer.body as { errors?: { pointer: string; code: string }[] }).errors ?? [];
      assert.deepEqual([answer.status, found?.pointer, found?.code], [422, pointer, code], JSON.stringify(answer.body));
    }
    const ends = await app.client.patch(`/api/employees/${employee.id}`, { endDate: '2026-04-05' });
    assert.equal((ends.body as { errors: { pointer: string }[] }).errors[0]?.pointer, '/endDate');
    await app.client.del(`/api/absences/${body.data.id}`);
  });

  it('of vacation are taken from what the contract gives', async () => {
    await post({ from: '2026-05-04', to: '2026-05-10' });
    await post({ from: '2026-06-14', to: '2026-06-17' });
    await post({ from: '2026-12-30', to: '2027-01-03' });
    await post({ type: 'sick', from: '2026-02-01', to: '2026-02-10' });
    const path = `/api/employees/${employee.id}/vacation`;
    const { body } = await app.client.get(path);
    const balance = { year: 2026, entitled: 30, taken: 9, planned: 4, remaining: 17 };
    assert.deepEqual(body.data, { employeeId: employee.id, ...balance });
    const next = (await app.client.get(`${path}?year=2027`)).body.data;
    assert.deepEqual([next.entitled, next.planned], [14.9, 3]); // 181 of 365 days
    assertProblem(
      await app.client.get('/api/employees/018f0000-0000-7000-8000-000000000000/vacation'),
      404,
      'not_found',
    );
  });
});
