import assert from 'node:assert/strict';
import { runSchedule } from '../../../../services/reports/schedules/run.ts';
import { useApp } from '../../../helpers/hooks.ts';

const NOW = new Date('2026-11-22T10:00:00Z');
const MONTHLY = {
  name: 'Sums of the month before',
  report_name: 'trial_balance',
  params: { from: 'month-1', to: 'month-1' },
  cron: '0 8 1 * *',
};

describe('runs of scheduled reports', () => {
  const app = useApp({ clock: { now: NOW } });
  const ctx = () => ({ tenantId: app.tenantId, userId: null, actor: 'temporal', requestId: app.tenantId, now: NOW });
  const run = (reportScheduleId: string, workflowId: string, due: Date) =>
    runSchedule(app.database, ctx(), { reportScheduleId, workflowId, due });
  const tasks = () =>
    app.database.readTenant(app, async (db) => {
      const rows = await db('tasks')
        .where({ type: 'report' })
        .orderBy('created_at')
        .orderBy('id')
        .select('id', 'input');
      return rows as { id: string; input: { params: object } }[];
    });

  it('made up for later are of the time when they were due, and each makes one file', async () => {
    const { body } = await app.client.post('/api/report-schedules', MONTHLY);
    const { id } = body.data;
    // A backfill of March and February, the latter of which Temporal repeats.
    const made: object[] = [];
    for (const month of ['03', '02', '02']) {
      assert.equal(await run(id, `run-${month}`, new Date(`2026-${month}-01T07:00:00Z`)), 'started');
      for (const task of await tasks()) {
        made.push(task.input.params);
        await app.client.del(`/api/tasks/${task.id}`);
      }
    }
    assert.deepEqual(made, [
      { from: '2026-02-01', to: '2026-02-28' },
      { from: '2026-01-01', to: '2026-01-31' },
    ]);
  });

  it('are left out while the file of the one before is still being made', async () => {
    const { id } = (await app.client.post('/api/report-schedules', MONTHLY)).body.data;
    const shown = async () => (await app.client.get(`/api/report-schedules/${id}`)).body.data;
    assert.equal(await run(id, 'first', NOW), 'started');
    const { last_task_id: first } = await shown();
    const made = (await tasks()).length;
    assert.equal(await run(id, 'second', NOW), 'still_running');
    assert.equal((await tasks()).length, made);
    const { last_outcome: outcome, last_task_id: last } = await shown();
    assert.deepEqual([outcome, last], ['still_running', first]);
    assert.equal((await app.client.del(`/api/tasks/${first}`)).status, 204);
    assert.equal(await run(id, 'third', NOW), 'started');
  });

  it('do nothing while their schedule is paused, or after it was deleted', async () => {
    const { id } = (await app.client.post('/api/report-schedules', MONTHLY)).body.data;
    assert.equal((await app.client.post(`/api/report-schedules/${id}/pause`)).status, 200);
    const made = (await tasks()).length;
    assert.equal(await run(id, 'paused', NOW), 'paused');
    assert.equal((await tasks()).length, made);
    assert.equal((await app.client.get(`/api/report-schedules/${id}`)).body.data.last_run_at, null);
    assert.equal((await app.client.del(`/api/report-schedules/${id}`)).status, 204);
    assert.equal(await run(id, 'deleted', NOW), 'gone');
    assert.equal((await tasks()).length, made);
  });

  it('of an API key that is gone pause their schedule, and tell who administers the company', async () => {
    const { body: key } = await app.client.post('/api/api-keys', { name: 'till' });
    const byKey = app.as(key.data.key);
    const { status, body } = await byKey.post('/api/report-schedules', MONTHLY);
    assert.equal(status, 201, JSON.stringify(body));
    const { id } = body.data;
    assert.equal(await run(id, 'before', NOW), 'started');
    const made = (await tasks()).length;
    assert.equal((await app.client.del(`/api/api-keys/${key.data.id}`)).status, 204);
    assert.equal(await run(id, 'after', NOW), 'paused');
    assert.equal((await tasks()).length, made);
    const { data } = (await app.client.get(`/api/report-schedules/${id}`)).body;
    assert.deepEqual([data.active, /may no longer see/.test(data.pause_reason)], [false, true]);
    const told = (await app.client.get('/api/notifications')).body.data;
    assert.deepEqual(
      told.map(({ title }: { title: string }) => title),
      [`El informe programado ${MONTHLY.name} está en pausa`],
    );
  });
});
