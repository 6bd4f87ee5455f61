import assert from 'node:assert/strict';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createTaskActivities } from '../../../../activities/platform/tasks.ts';
import { createReportActivities } from '../../../../activities/reports/generation.ts';
import type { Context } from '../../../../db/context.ts';
import { runSchedule } from '../../../../services/reports/schedules/run.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { ENCRYPTION_KEY } from '../../../helpers/worker.ts';

const MONTHLY = {
  name: 'Sums for the adviser',
  report_name: 'trial_balance',
  params: { from: 'month-1', to: 'month-1' },
  cron: '0 7 1 * *',
  format: 'csv',
};

describe('failing schedules', () => {
  const app = useApp();
  let run = 0;

  const context = (): Context => ({
    tenantId: app.tenantId,
    userId: null,
    actor: 'test',
    requestId: 'test',
    now: app.deps.now(),
  });
  const make = async (): Promise<string> => {
    const { status, body } = await app.client.post('/api/report-schedules', MONTHLY);
    assert.equal(status, 201, JSON.stringify(body));
    return body.data.id;
  };
  /** Starts the task of a run, as the schedule's workflow does. */
  const startRun = async (reportScheduleId: string) => {
    const due = app.deps.now();
    assert.equal(
      await runSchedule(app.database, context(), { reportScheduleId, workflowId: `run-${++run}`, due }),
      'started',
    );
    const { body } = await app.client.get(`/api/report-schedules/${reportScheduleId}`);
    return { tenantId: app.tenantId, taskId: body.data.last_task_id as string };
  };
  const activity = <T>(work: () => Promise<T>) =>
    new MockActivityEnvironment({ workflowExecution: { workflowId: 'w', runId: 'r' } }).run(work);
  const failRun = async (id: string) => {
    const input = await startRun(id);
    const { failTask } = createTaskActivities(app.deps);
    await activity(() => failTask({ ...input, reason: 'The period is closed' }));
    // A retry of the activity counts nothing again.
    await activity(() => failTask({ ...input, reason: 'The period is closed' }));
  };
  const succeed = async (id: string) => {
    const input = await startRun(id);
    const unused = () => assert.fail('not needed for CSV');
    const { generateReport } = createReportActivities({
      ...app.deps,
      browser: { print: unused, draw: unused },
      logos: { load: unused, draw: unused },
      links: { keys: [ENCRYPTION_KEY], keepDays: 7 },
      mail: { recipientsPerHour: 0 },
      appUrl: 'https://erp.example.test',
    });
    await activity(() => generateReport(input));
    assert.equal((await app.client.get(`/api/tasks/${input.taskId}`)).body.data.status, 'completed');
  };
  const alerts = async () => {
    const { body } = await app.client.get('/api/notifications?type=system_alert');
    return body.data.map(({ title }: { title: string }) => title).reverse() as string[];
  };

  it('alerts people once, at the third failure in a row, and again when it works', async () => {
    const id = await make();
    await failRun(id);
    await failRun(id);
    await succeed(id);
    await failRun(id);
    await failRun(id);
    assert.deepEqual(await alerts(), []);
    await failRun(id);
    const failed = 'Sums for the adviser ha fallado 3 veces seguidas';
    assert.deepEqual(await alerts(), [failed]);
    await failRun(id);
    assert.deepEqual(await alerts(), [failed]);
    const { body } = await app.client.get('/api/notifications?type=system_alert');
    assert.equal(body.data[0].body, 'La última vez: The period is closed');
    assert.equal(body.data[0].action_url, `/api/report-schedules/${id}`);
    await succeed(id);
    assert.deepEqual(await alerts(), [failed, 'Sums for the adviser vuelve a funcionar']);
  });

  it('leaves nothing behind when the schedule is deleted', async () => {
    const id = await make();
    await failRun(id);
    await app.client.del(`/api/report-schedules/${id}`);
    const left = await app.database.withTenant(context(), (trx) =>
      trx('incidents').where({ subject: `/api/report-schedules/${id}` }),
    );
    assert.deepEqual(left, []);
  });
});
