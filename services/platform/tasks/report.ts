/**
 * Reports of tasks. Progress is not audited, but the end is. If the task has ended or was deleted, all functions do nothing and tell the
 * caller: repeats are harmless, and cancelled work stops.
 */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { fromRow, type JsonRow } from '../../../db/models/base.ts';
import { Task } from '../../../db/models/platform/tasks.ts';
import { query } from '../../../db/sql.ts';
import { patchRow } from '../../../db/write.ts';
import { TASK_ENDED } from '../../../domain/platform/internal-events.ts';
import type { TaskOutcome } from '../../../workflows/platform/tasks/contract.ts';
import { signalTask } from '../feed/channel.ts';

/** @returns the task while it is running; undefined once it has ended or was deleted */
export async function runningTask(db: Db, id: string): Promise<Task | undefined> {
  return (await Task.query(db).findOne({ id, status: 'running' })) as Task | undefined;
}

/** Notes that a worker has begun with a task. @returns as `runningTask` */
export async function takeTask(trx: Db, ctx: Context, id: string): Promise<Task | undefined> {
  const [row] = await query<JsonRow>(
    trx,
    `update tasks set taken_at = :now::timestamptz, version = version + 1, updated_at = :now::timestamptz
     where id = :id::uuid and status = 'running' and taken_at is null returning *`,
    { id, now: ctx.now.toISOString() },
  );
  if (row === undefined) return await runningTask(trx, id);
  const task = fromRow(Task, row);
  await signalTask(trx, ctx, task);
  return task;
}

/** Reports progress. @returns false if nothing is left to do, because the task has ended or was deleted */
export async function reportProgress(
  trx: Db,
  ctx: Context,
  id: string,
  report: { readonly progress: number; readonly message: string },
): Promise<boolean> {
  const [task] = await query<Pick<Task, 'createdBy' | 'actor'>>(
    trx,
    `update tasks set progress = greatest(progress, :progress), message = :message, version = version + 1, updated_at = :now::timestamptz
     where id = :id::uuid and status = 'running' returning created_by as "createdBy", actor`,
    { ...report, id, now: ctx.now.toISOString() },
  );
  if (task === undefined) return false;
  await signalTask(trx, ctx, { id, ...task });
  return true;
}

/**
 * Records the position in the transaction of the work itself: exactly what is recorded is done. Locks the task until the transaction ends,
 * so that a deletion comes before or after this part.
 * @param position its `rows` rises with each part
 * @param from `rows` before this part: of two concurrent attempts, only one succeeds
 * @returns false if nothing is left to do, or another attempt has done it
 */
export async function recordPosition(
  trx: Db,
  id: string,
  position: { readonly rows: number },
  from: number,
): Promise<boolean> {
  const rows = await query(
    trx,
    `update tasks set position = :position::json
     where id = :id::uuid and status = 'running' and coalesce((position ->> 'rows')::integer, 0) = :from::integer returning id`,
    { position: JSON.stringify(position), id, from },
  );
  return rows.length > 0;
}

/** Restarts a task's work from the beginning. */
export async function forgetPosition(trx: Db, id: string): Promise<void> {
  await query(trx, `update tasks set position = null where id = :id::uuid and status = 'running'`, { id });
}

/** Stands for the reason of a failure, which may quote what was sent: histories have no data of companies. */
const FAILED = 'The work cannot be done: the error of the task says why';

/** The outcome of a task, for operators; null while it runs. */
export async function taskOutcome(db: Db, id: string): Promise<TaskOutcome | null> {
  const task = (await Task.query(db).findById(id)) as Task | undefined;
  if (task === undefined) return { status: 'gone', message: 'The task was deleted', counts: {} };
  const { status, message, error, counts } = task;
  return status === 'running' ? null : { status, message: error === null ? message : FAILED, counts: counts ?? {} };
}

/** Thrown to roll back work whose task has ended, was deleted, or is handled by another attempt. */
export class TaskGone extends Error {
  override readonly name = 'TaskGone';
}

/** @throws TaskGone */
export function assertRunning(running: boolean): void {
  if (!running) throw new TaskGone('The task has ended or was cancelled');
}

export interface TaskEnd {
  readonly message: string;
  /** Address of the result, if any. */
  readonly resultUrl?: string | undefined;
  /** Reason of the failure, in words for the user; absent on success. */
  readonly error?: string | undefined;
  /** Counts of work done, for operators. */
  readonly counts?: Readonly<Record<string, number>> | undefined;
}

/**
 * Ends a task. Call it in the transaction of the work itself, so that both succeed or neither.
 * @returns false if it had already ended or was deleted: the caller must not commit then
 */
export async function endTask(trx: Db, ctx: Context, id: string, end: TaskEnd): Promise<boolean> {
  const current = (await Task.query(trx).findOne({ id, status: 'running' }).forUpdate()) as Task | undefined;
  if (current === undefined) return false;
  const status = end.error === undefined ? 'completed' : 'failed';
  const ended = {
    status,
    message: end.message,
    error: end.error ?? null,
    counts: end.counts ?? null,
    resultUrl: end.resultUrl ?? null,
    completedAt: ctx.now.toISOString(),
    ...(status === 'completed' ? { progress: 100 } : {}),
  } as const;
  // A rule about ended tasks may have started this one.
  await patchRow(trx, { ...ctx, depth: current.depth }, Task, current, ended, [endEvent(current, ended)]);
  await signalTask(trx, ctx, current);
  return true;
}

/** Builds the event by which the task's creator is notified, and rules are triggered. */
function endEvent({ id, kind, createdBy }: Task, ended: Pick<Task, 'status' | 'message' | 'error' | 'resultUrl'>) {
  const { status, message, error, resultUrl } = ended;
  const payload = {
    task_id: id,
    task_kind: kind,
    outcome: status,
    detail: error ?? message,
    result_url: resultUrl,
    created_by: createdBy,
  };
  return { name: TASK_ENDED, payload };
}
