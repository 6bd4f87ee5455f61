/** Imports in the background, for suites: a company, Temporal, and what becomes of the tasks. */
import assert from 'node:assert/strict';
import { readTaskFile } from '../../services/platform/files/task-files.ts';
import { removeTask } from '../../services/platform/tasks/tasks.ts';
import { taskWorkflowId } from '../../workflows/platform/tasks/contract.ts';
import { useCompany, useTemporal } from './hooks.ts';
import { OWNER } from './viewer.ts';
import { eventually, startWorker, testConfig } from './worker.ts';

/** A company whose import tasks are on the run's Temporal server. A worker runs only during `work`. */
export function useImportTasks() {
  const company = useCompany();
  const temporal = useTemporal();

  /** The row of a task. */
  const read = async (id: string) => {
    const columns = 'status, progress, message, error, result_url, position';
    return (await company.rows(`select ${columns} from tasks where id = ?`, [id]))[0];
  };
  /** The row of a task once it has ended. */
  const ended = (id: string) =>
    eventually(async () => {
      const task = await read(id);
      assert.notEqual(task?.status, 'running', 'it is still running');
      return task;
    }, 60_000);
  /** The report that a task has stored. */
  const result = async (id: string) => {
    const stored = await company.run((trx) => readTaskFile(trx, id, 'task_result'));
    return (JSON.parse(stored.content.toString()) as { data: Record<string, unknown> }).data;
  };
  /** Deletes a task as the owner; if it is running, its workflow is cancelled. */
  const remove = (id: string) => company.run((trx) => removeTask(trx, company.ctx, OWNER, id, null));
  const handle = (taskId: string) =>
    temporal.client.workflow.getHandle(taskWorkflowId({ tenantId: company.ctx.tenantId, taskId }));
  const work = async (run: () => Promise<void>) => {
    const worker = startWorker(testConfig({ url: company.url, ...temporal }), { queues: ['tasks'] });
    try {
      await run();
    } finally {
      await worker.stop();
    }
  };
  return { company, temporal, read, ended, result, remove, handle, work };
}
