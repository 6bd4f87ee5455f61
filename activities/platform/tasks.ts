/** The single way to run long work as a background task: it reports progress, can be cancelled, and ends once. */
import { cancellationSignal, heartbeat } from '@temporalio/activity';
import { CancelledFailure } from '@temporalio/common';
import type { Context } from '../../db/context.ts';
import type { Database } from '../../db/database.ts';
import type { Task } from '../../db/models/platform/tasks.ts';
import { removeTaskFiles } from '../../services/platform/files/task-files.ts';
import type { ResultLinks } from '../../services/platform/files/task-results.ts';
import {
  endTask,
  reportProgress,
  runningTask,
  TaskGone,
  takeTask,
  taskOutcome,
} from '../../services/platform/tasks/report.ts';
import { notifyFailure } from '../../services/reports/generation/generate.ts';
import type { TaskInput, TaskOutcome } from '../../workflows/platform/tasks/contract.ts';
import { workflowContext } from '../failures.ts';

export interface TaskDeps {
  readonly database: Database;
  readonly now: () => Date;
  /** Time that one activity works before it yields its slot; 10 s by default. */
  readonly turnMs?: number;
}

/** Dependencies of tasks whose result is a file. */
export interface ResultDeps extends TaskDeps {
  readonly links: ResultLinks;
}

export interface TaskActivities {
  /** Ends a task whose work was given up. */
  failTask(input: TaskInput & { readonly reason: string }): Promise<void>;
}

export function createTaskActivities({ database, now }: TaskDeps): TaskActivities {
  return {
    async failTask({ tenantId, taskId, reason }) {
      const ctx = workflowContext(tenantId, now());
      await database.withTenant(ctx, async (trx) => {
        const task = await runningTask(trx, taskId);
        if (task !== undefined && (await endTask(trx, ctx, taskId, { message: 'Failed', error: reason }))) {
          await removeTaskFiles(trx, taskId, 'task_input');
          await notifyFailure(trx, ctx, task, reason);
        }
      });
    },
  };
}

/** Environment in which a task does its work. */
export interface TaskRun {
  readonly task: Task;
  /** Context of the requester, with the workflow as actor in the audit log and the time at which this attempt began. */
  readonly ctx: Context;
  /** The current time, for the end of the work. */
  readonly now: () => Date;
  /** Reports progress in whole percent. Can be called often: it is written at most twice a second, at first later if a request waits. */
  report(progress: number, message: string): Promise<void>;
  /** Whether this activity has used up its turn; the rest is left to the next one, so that others get theirs. */
  turnIsOver(): boolean;
  /** Must be called between parts of the work. @throws CancelledFailure if the task was cancelled or deleted */
  throwIfCancelled(): void;
}

/** Time that one activity works on a task before it yields its slot. */
const TURN_MS = 10_000;
/** Interval of progress reports. */
const REPORT_MS = 500;
/** Interval of heartbeats, several within the heartbeat timeout of the workflows. */
const HEARTBEAT_MS = 2000;

/**
 * Runs the work of a task inside an activity, with heartbeats. Does nothing for a task that has ended or was deleted, so that retries are
 * harmless.
 * @returns the outcome, also if an earlier attempt has ended the task; null if work is left to do
 */
export async function runTask(
  { database, now, turnMs }: TaskDeps,
  { tenantId, taskId }: TaskInput,
  work: (run: TaskRun) => Promise<void>,
): Promise<TaskOutcome | null> {
  const signal = cancellationSignal();
  const own = workflowContext(tenantId, now());
  const task = await database.withTenant(own, (trx) => takeTask(trx, own, taskId));
  if (task === undefined) return await outcome();
  const ctx: Context = { ...own, userId: task.createdBy };
  const begun = performance.now();
  // Nobody sees the progress of a task yet while a request waits for it.
  let reported = task.kind === 'awaited_report' ? begun : Number.NEGATIVE_INFINITY;
  let gone = false;
  const throwIfCancelled = () => {
    if (gone || signal.aborted) throw new CancelledFailure('The task was cancelled');
  };
  const beat = setInterval(heartbeat, HEARTBEAT_MS);
  try {
    await work({
      task,
      ctx,
      now,
      throwIfCancelled,
      turnIsOver: () => performance.now() - begun > (turnMs ?? TURN_MS),
      async report(progress, message) {
        throwIfCancelled();
        const time = performance.now();
        if (time - reported < REPORT_MS) return;
        reported = time;
        const at = { ...ctx, now: now() };
        gone = !(await database.withTenant(at, (trx) => reportProgress(trx, at, taskId, { progress, message })));
        throwIfCancelled();
      },
    });
    return await outcome();
  } catch (error) {
    throw error instanceof TaskGone ? new CancelledFailure(error.message) : error;
  } finally {
    clearInterval(beat);
  }

  function outcome(): Promise<TaskOutcome | null> {
    return database.readTenant({ tenantId }, (db) => taskOutcome(db, taskId));
  }
}
