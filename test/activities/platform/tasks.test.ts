import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { CancelledFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createTaskActivities, runTask, type TaskRun } from '../../../activities/platform/tasks.ts';
import { createImportActivities } from '../../../activities/records/imports.ts';
import { endTask } from '../../../services/platform/tasks/report.ts';
import { removeTask, startTask } from '../../../services/platform/tasks/tasks.ts';
import { startImportTask } from '../../../services/records/imports/task.ts';
import { useCompany } from '../../helpers/hooks.ts';
import { OWNER } from '../../helpers/viewer.ts';

const LINKS = { keys: ['a key of the tests, 32 characters or more'], keepDays: 7 };

describe('the work of a task', function () {
  this.timeout(30_000);
  const deps = () => ({ database: company.database, now: () => new Date('2026-06-15T12:00:00Z') });

  const company = useCompany();

  async function start(kind: 'import' | 'awaited_report' = 'import') {
    const { ctx } = company;
    const task = await company.run((trx) =>
      startTask(trx, ctx, { kind, permission: null, input: { n: 1 }, message: 'Waiting', title: 'Import' }),
    );
    return { tenantId: ctx.tenantId, taskId: task.id };
  }
  const read = async (id: string) =>
    (await company.rows('select status, progress, message, error, version from tasks where id = ?', [id]))[0];
  const work = (input: { tenantId: string; taskId: string }, run: (run: TaskRun) => Promise<void>) =>
    new MockActivityEnvironment({ workflowExecution: { workflowId: 'w', runId: 'r' } }).run(() =>
      runTask(deps(), input, run),
    );

  it('of an import has ended when its last row is written', async () => {
    const { ctx } = company;
    const times = Array.from({ length: 20 }, (_, minute) => new Date(Date.UTC(2026, 5, 15, 12, minute)));
    for (const partial of [false, true]) {
      const content = Buffer.from(`code;name\nEND${partial};Unit\n`);
      const { id: taskId } = await company.run((trx) =>
        startImportTask(trx, ctx, {
          ...{
            resource: 'uom',
            role: 'owner',
            permission: 'partners:read' as const,
            name: undefined,
            file: { type: 'text/csv', content },
          },
          options: { mode: 'create', dryRun: false, partial },
        }),
      );
      const clock = times.values();
      const { importPart } = createImportActivities({ ...deps(), links: LINKS, now: () => clock.next().value as Date });
      await new MockActivityEnvironment({ workflowExecution: { workflowId: 'w', runId: 'r' } }).run(() =>
        importPart({ tenantId: ctx.tenantId, taskId }),
      );
      const last = times[times.length - [...clock].length - 1];
      const [task] = await company.rows('select status, completed_at from tasks where id = ?', [taskId]);
      assert.deepEqual(task, { status: 'completed', completed_at: last?.toISOString() });
      assert.notEqual(last, times[0]);
    }
  });

  it('writes the first report and then at most two a second', async () => {
    const input = await start();
    await work(input, async ({ task, report }) => {
      assert.deepEqual(task.input, { n: 1 });
      for (let percent = 0; percent < 50; percent++) await report(percent, `${percent} %`);
    });
    assert.equal((await read(input.taskId))?.message, '0 %');
    await work(input, async ({ report }) => {
      await report(50, '50 %');
      await delay(550);
      await report(60, '60 %');
    });
    const { progress, version } = (await read(input.taskId)) ?? {};
    assert.deepEqual([progress, version], [60, 5], 'taking it is a change too');
  });

  it('says nothing at first to a task that a request waits for', async () => {
    const input = await start('awaited_report');
    await work(input, ({ report }) => report(60, 'Printing'));
    assert.equal((await read(input.taskId))?.message, 'Waiting');
    await work(input, async ({ report }) => {
      await delay(550);
      await report(60, 'Printing');
    });
    assert.equal((await read(input.taskId))?.message, 'Printing');
  });

  it('stops when the task is deleted', async () => {
    const input = await start();
    const went: string[] = [];
    const running = work(input, async ({ report, throwIfCancelled }) => {
      await company.run((trx) => removeTask(trx, company.ctx, OWNER, input.taskId, null));
      throwIfCancelled(); // not known yet
      went.push('before the report');
      await report(10, 'x');
      went.push('after it');
    });
    await assert.rejects(running, CancelledFailure);
    assert.deepEqual(went, ['before the report']);
  });

  it('stops when the workflow is cancelled', async () => {
    const input = await start();
    const environment = new MockActivityEnvironment({ workflowExecution: { workflowId: 'w', runId: 'r' } });
    const running = environment.run(() =>
      runTask(deps(), input, async ({ throwIfCancelled }) => {
        environment.cancel();
        throwIfCancelled();
      }),
    );
    await assert.rejects(running, CancelledFailure);
  });

  it('is not done for a task that has ended', async () => {
    const input = await start();
    await company.run((trx) => endTask(trx, company.ctx, input.taskId, { message: 'Done' }));
    await work(input, () => assert.fail('it was worked on'));
  });

  it('a failure is told once, with its reason', async () => {
    const input = await start();
    const { failTask } = createTaskActivities(deps());
    for (const reason of ['No room', 'Repeated']) {
      const environment = new MockActivityEnvironment({ workflowExecution: { workflowId: 'w', runId: 'r' } });
      await environment.run(() => failTask({ ...input, reason }));
    }
    const { status, error } = (await read(input.taskId)) ?? {};
    assert.deepEqual([status, error], ['failed', 'No room']);
    const audit = await company.rows(`select action, actor from audit_logs where entity_id = ? order by id`, [
      input.taskId,
    ]);
    assert.deepEqual(audit, [
      { action: 'CREATE', actor: 'test' },
      { action: 'UPDATE', actor: 'workflow:w' },
    ]);
  });
});
