/** Requests for leave over HTTP: asked for, approved and refused (decision 0252). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

describe('requests for leave', () => {
  const app = useApp({ clock: { now: new Date('2026-06-15T10:00:00Z') } });
  const employee = use(async () => {
    const { body } = await app.client.post('/api/employees', { name: 'Ana Ruiz', hireDate: '2026-01-01' });
    return body.data as { id: string };
  });
  const post = (members: object) =>
    app.client.post('/api/absences', { employeeId: employee.id, type: 'vacation', ...members });
  const requested = async (members: object) => {
    const { body } = await post({ status: 'requested', ...members });
    return body.data as { id: string; status: string; requestedBy: string };
  };
  const decide = (id: string, act: 'approve' | 'refuse', body?: object, headers?: Record<string, string>) =>
    app.client.post(`/api/absences/${id}/${act}`, body, headers);
  const REASON = { reason: 'Stocktaking' };
  const planned = async () => {
    const { body } = await app.client.get(`/api/employees/${employee.id}/vacation?year=2026`);
    return [body.data.planned, body.data.remaining];
  };

  it('count only when they are approved, and say who decided when', async () => {
    const { id, status, requestedBy } = await requested({ from: '2026-07-01', to: '2026-07-05' });
    assert.equal(status, 'requested');
    assert.deepEqual(await planned(), [0, 30]);
    const preview = await app.client.post(`/api/absences/${id}/approve?preview=true`);
    assert.equal(preview.status, 200);
    assert.deepEqual(await planned(), [0, 30]);
    const { body } = await decide(id, 'approve');
    const { decidedBy, decidedAt } = body.data;
    assert.deepEqual([body.data.status, decidedBy, decidedAt], ['approved', requestedBy, '2026-06-15T10:00:00.000Z']);
    assert.deepEqual(await planned(), [5, 25]);
    await app.client.del(`/api/absences/${id}`);
  });

  it('are decided once', async () => {
    const { id } = await requested({ from: '2026-07-01', to: '2026-07-05' });
    assertProblem(await decide(id, 'approve', undefined, { 'If-Match': `"${id}-9"` }), 412, 'stale_version');
    assertProblem(await decide(id, 'refuse', {}), 422, 'validation_failed');
    const { body } = await decide(id, 'refuse', REASON);
    assert.deepEqual([body.data.status, body.data.refusalReason], ['refused', 'Stocktaking']);
    for (const again of [await decide(id, 'approve'), await decide(id, 'refuse', REASON)])
      assertProblem(again, 409, 'invalid_transition');
    assertProblem(await app.client.patch(`/api/absences/${id}`, { to: '2026-07-06' }), 409, 'invalid_transition');
    const { body: approved } = await post({ from: '2026-07-01', to: '2026-07-05' });
    assert.equal(approved.data.status, 'approved');
    assertProblem(await decide(approved.data.id, 'refuse', REASON), 409, 'invalid_transition');
    await app.client.del(`/api/absences/${approved.data.id}`);
    assert.equal((await post({ status: 'refused', from: '2026-08-01', to: '2026-08-02' })).status, 422);
  });

  it('overlap with others until they are refused', async () => {
    const { id } = await requested({ from: '2026-08-01', to: '2026-08-05' });
    assertProblem(await post({ from: '2026-08-05', to: '2026-08-09' }), 409, 'overlap');
    await decide(id, 'refuse', REASON);
    const other = await requested({ from: '2026-08-05', to: '2026-08-09' });
    assert.equal(other.status, 'requested');
    await app.client.del(`/api/absences/${other.id}`);
  });

  it('are approved within the employment only', async () => {
    const { id } = await requested({ from: '2026-09-01', to: '2026-09-05' });
    const ends = (endDate: string | null) => app.client.patch(`/api/employees/${employee.id}`, { endDate });
    assert.equal((await ends('2026-09-02')).status, 200);
    assertProblem(await decide(id, 'approve'), 422, 'validation_failed');
    assert.equal((await ends(null)).status, 200);
    assert.equal((await decide(id, 'approve')).status, 200);
    assertProblem(await ends('2026-09-02'), 422, 'validation_failed');
    await app.client.del(`/api/absences/${id}`);
  });

  it('are warned of beyond the vacation that is left, and done anyway', async () => {
    const codes = ({ body }: { body: { data: { warnings?: { code: string; message: string }[] } } }) =>
      body.data.warnings?.map(({ code, message }) => `${code}: ${message}`);
    const exceeded = (asked: string, left: string) => [
      `vacation_exceeded: takes ${asked} days of vacation in 2026, of which ${left} are left`,
    ];
    const first = await post({ from: '2026-10-01', to: '2026-10-30' });
    assert.equal(codes(first), undefined);
    const request = await post({ status: 'requested', from: '2026-11-01', to: '2026-11-02', days: 1.5 });
    assert.deepEqual([request.status, codes(request)], [201, exceeded('1.5', '0')]);
    assert.deepEqual(codes(await decide(request.body.data.id, 'approve')), exceeded('1.5', '0'));
    const sick = await post({ type: 'sick', from: '2026-12-01', to: '2026-12-20' });
    assert.equal(codes(sick), undefined);
    const changed = await app.client.patch(`/api/absences/${first.body.data.id}`, { to: '2026-10-31' });
    assert.deepEqual([changed.status, codes(changed)], [200, exceeded('31', '28.5')]);
  });

  it('are left out of statistics and listed by status', async () => {
    const { id } = await requested({ type: 'unpaid', from: '2026-03-02', to: '2026-03-06' });
    const days = async () => {
      const { body } = await app.client.get('/api/reports/absenteeism?from=2026-03-01&to=2026-03-31');
      return body.summary.days;
    };
    assert.equal(await days(), 0);
    const { body } = await app.client.get('/api/absences?status=requested');
    assert.deepEqual(
      body.data.map((row: { id: string }) => row.id),
      [id],
    );
    await decide(id, 'approve');
    assert.equal(await days(), 5);
  });

  it('notify those who can decide, and then who asked', async () => {
    const member = async (role: string) => {
      const login = { email: `${role}@example.test`, password: 'a password of twenty letters' };
      await app.client.post('/api/users', { ...login, name: role, role });
      return app.as((await app.anonymous.post('/api/auth/login', login)).body.token);
    };
    const [hr, viewer] = [await member('hr'), await member('viewer')];
    const told = async (client: typeof hr) => {
      const { body } = await client.get('/api/notifications?type=system_alert&limit=100');
      return body.data.map(({ title, body: text }: { title: string; body: string }) => `${title}: ${text}`);
    };
    const absence = {
      employeeId: employee.id,
      type: 'other',
      status: 'requested',
      from: '2026-05-04',
      to: '2026-05-05',
    };
    const { body } = await hr.post('/api/absences', { ...absence, notes: 'At the hospital' });
    const asked = 'Ana Ruiz solicita una ausencia: 04/05/2026 – 05/05/2026. Apruébela o deniéguela.';
    assert.ok((await told(app.client)).includes(asked), JSON.stringify(await told(app.client)));
    await decide(body.data.id, 'refuse', REASON);
    assert.deepEqual(await told(hr), ['Ausencia de Ana Ruiz denegada: 04/05/2026 – 05/05/2026', asked]);
    assert.deepEqual(await told(viewer), []);
    await hr.post('/api/absences', { ...absence, status: 'approved' });
    assert.equal((await told(hr)).length, 2);
  });
});
