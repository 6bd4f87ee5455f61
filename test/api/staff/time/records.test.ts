/** Time records over HTTP. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

const PATH = '/api/time-records';

describe('time records', () => {
  const app = useApp({ clock: { now: new Date('2026-06-15T10:00:00Z') } });
  const hire = async (more: object = {}) => {
    const { body } = await app.client.post('/api/employees', { name: 'Ana Ruiz', hireDate: '2026-04-01', ...more });
    return body.data.id as string;
  };
  const ana = use(async () => ({ id: await hire() }));
  const enter = (startedAt: string, endedAt: string | null, more: object = {}) =>
    app.client.post(PATH, { employeeId: ana.id, startedAt, endedAt, ...more });

  it('begin and end by clocking, once each', async () => {
    const employeeId = await hire();
    assertProblem(await app.client.post(`${PATH}/clock-out`, { employeeId }), 409, 'invalid_transition');
    const begun = await app.client.post(`${PATH}/clock-in`, { employeeId });
    assert.deepEqual([begun.status, begun.body.data.endedAt, begun.body.data.day], [201, null, '2026-06-15']);
    assertProblem(await app.client.post(`${PATH}/clock-in`, { employeeId }), 409, 'invalid_transition');
    const ended = await app.client.post(`${PATH}/clock-out`, { employeeId });
    assert.deepEqual([ended.status, ended.body.data.workedMinutes], [200, 0]);
  });

  it('begin once, however often somebody clocks in at the same moment', async () => {
    const employeeId = await hire();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => app.client.post(`${PATH}/clock-in`, { employeeId })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409]);
  });

  it('belong to the day on which they begin here, and do not overlap', async () => {
    const { status, body } = await enter('2026-04-30T22:30:00Z', '2026-05-01T04:00:00Z', { breakMinutes: 30 });
    assert.equal(status, 201, JSON.stringify(body));
    assert.deepEqual([body.data.day, body.data.workedMinutes], ['2026-05-01', 300]);
    assertProblem(await enter('2026-05-01T03:59:00Z', '2026-05-01T05:00:00Z'), 409, 'overlap');
    assert.equal((await enter('2026-05-01T06:00:00+02:00', '2026-05-01T07:00:00+02:00')).status, 201);
    assert.equal((await app.client.get(`${PATH}?employeeId=${ana.id}&day=2026-05-01`)).body.pagination.total, 2);
  });

  it('lie within the employment, which cannot be cut short of them', async () => {
    assertProblem(await enter('2026-03-31T21:59:00Z', '2026-03-31T23:00:00Z'), 422, 'validation_failed');
    const { body } = await enter('2026-03-31T22:00:00Z', '2026-03-31T23:00:00Z');
    assert.equal(body.data.day, '2026-04-01');
    const path = `/api/employees/${ana.id}`;
    assertProblem(await app.client.patch(path, { hireDate: '2026-04-02' }), 422, 'validation_failed');
    const reason = 'Entered twice';
    const cancelled = await app.client.post(`${PATH}/${body.data.id}/cancel`, { reason });
    assert.deepEqual([cancelled.status, cancelled.body.data.lastReason], [200, reason]);
    assert.equal((await app.client.patch(path, { hireDate: '2026-04-02' })).status, 200);
    assertProblem(await app.client.post(`${PATH}/${body.data.id}/cancel`, { reason }), 409, 'invalid_transition');
  });

  it('are corrected with a reason, and the audit log keeps what stood before', async () => {
    const { id } = (await enter('2026-05-04T07:00:00Z', '2026-05-04T15:00:00Z')).body.data;
    const path = `${PATH}/${id}`;
    assertProblem(await app.client.patch(path, { breakMinutes: 30 }), 422, 'validation_failed');
    for (const breakMinutes of [30, 45]) {
      const { status, body } = await app.client.patch(path, { breakMinutes, reason: 'Forgot lunch' });
      assert.deepEqual([status, body.data.lastReason], [200, 'Forgot lunch'], JSON.stringify(body));
    }
    const { body } = await app.client.get(`/api/audit-logs?entityId=${id}&action=UPDATE`);
    const before = body.data.map(({ oldValue }: { oldValue: { breakMinutes: number } }) => oldValue.breakMinutes);
    assert.deepEqual(before.sort(), [0, 30]);
  });
});
