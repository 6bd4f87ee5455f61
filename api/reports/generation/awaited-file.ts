/** Files that a worker makes while a request waits for them. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import type { Task } from '../../../db/models/platform/tasks.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { ROLES } from '../../../domain/permissions.ts';
import { readTaskFile } from '../../../services/platform/files/task-files.ts';
import { findTask, removeTask } from '../../../services/platform/tasks/tasks.ts';
import type { ReportOrder } from '../../../services/reports/engine/request.ts';
import { startGeneration } from '../../../services/reports/generation/generate.ts';
import { taskStarted } from '../../platform/tasks/started.ts';
import type { Deps, RouteResponse } from '../../route.ts';

/** Time that a request waits for its file. */
const WAIT_MS = 60_000;

/**
 * Has a worker make the file of a report, and waits for it.
 * @throws ServiceError like `awaitedTask`
 */
export function awaitedFile(
  deps: Deps,
  { report, params, ctx, names = false }: ReportOrder,
  format: string,
): Promise<RouteResponse> {
  const input = { report: report.name, params, format, names, notify: false };
  return awaitedTask(deps, ctx, `Report ${report.name} as ${format}`, (trx) => startGeneration(trx, ctx, input, true));
}

/**
 * Waits for the file that a worker makes. A task that ends in time leaves no trace but the answer; of one that takes longer the answer is
 * the task.
 * @param start starts the task
 * @throws ServiceError unavailable when the worker has failed; invalid_transition when the task was deleted meanwhile
 */
export async function awaitedTask(
  { database, workflows }: Deps,
  ctx: Context,
  title: string,
  start: (trx: Db) => Promise<Task>,
): Promise<RouteResponse> {
  const task = await database.withTenant(ctx, start);
  const { tenantId } = ctx;
  const ended = await workflows.awaitTask({ tenantId, taskId: task.id, kind: 'awaited_report', title }, WAIT_MS);
  if (!ended) return taskStarted(task, 'queued');
  try {
    return await database.withTenant(ctx, (trx) => answerFile(trx, ctx, task));
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error;
    throw new ServiceError('invalid_transition', 'Somebody has deleted the task that made this file; ask for it again');
  }
}

/** The file of a task that has ended; the task goes. @throws ServiceError unavailable, not_found */
async function answerFile(trx: Db, ctx: Context, task: Task): Promise<RouteResponse> {
  // Whoever asked for it could read it just now.
  const viewer = { userId: ctx.userId, actor: ctx.actor, role: 'owner', permissions: ROLES.owner.permissions };
  const { status, error } = await findTask(trx, viewer, task.id);
  if (status === 'failed') throw new ServiceError('unavailable', error ?? 'The file could not be made; try again');
  const { name, contentType, content } = await readTaskFile(trx, task.id, 'task_result');
  await removeTask(trx, ctx, viewer, task.id, null);
  const headers = { 'Content-Type': contentType, 'Content-Disposition': `attachment; filename="${name}"` };
  return { status: 200, body: content, headers };
}
