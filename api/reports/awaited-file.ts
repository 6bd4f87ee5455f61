/** Files that a worker makes while a request waits for them. */
import { ServiceError } from '../../domain/errors.ts';
import { readTaskFile } from '../../services/files/task-files.ts';
import type { Report, Values } from '../../services/reports/declaration.ts';
import { startGeneration } from '../../services/reports/generate.ts';
import { MAX_PDF_ROWS } from '../../services/reports/paper.ts';
import type { ReportOrder } from '../../services/reports/request.ts';
import { findTask, removeTask } from '../../services/tasks/tasks.ts';
import type { Deps, RouteResponse } from '../route.ts';
import { taskStarted } from '../tasks/started.ts';

/** How long a request waits for its file. */
const WAIT_MS = 60_000;
/** Workbooks of more rows take a worker, so that the processes of the API stay quick. */
const MAX_EXCEL_ROWS = 10_000;

/**
 * Whether the file is made by a worker.
 * @param answer the report as JSON
 * @throws ServiceError invalid_parameter when it has too many rows for a PDF
 */
export function isForWorker({ paged }: Report, format: string, answer: Values): boolean {
  const total = rowsOf(answer, paged === true);
  if (format === 'pdf' && total > MAX_PDF_ROWS) {
    throw new ServiceError(
      'invalid_parameter',
      `A PDF cannot have more than ${MAX_PDF_ROWS} rows; choose a shorter period, csv or excel`,
    );
  }
  return format === 'pdf' || (format === 'excel' && total > MAX_EXCEL_ROWS);
}

/** How many rows its table has, on all pages. */
function rowsOf({ data }: Values, paged: boolean): number {
  const { pagination, ...members } = (data ?? {}) as { readonly pagination?: { readonly total: number } };
  if (paged) return pagination?.total ?? 0;
  return Math.max(0, ...Object.values(members).map((member) => (Array.isArray(member) ? member.length : 0)));
}

/**
 * Has a worker make the file, and waits for it. A task that ends in time leaves no trace but the answer; of one that takes longer the
 * answer is the task.
 * @throws ServiceError unavailable when the worker has failed
 */
export async function awaitedFile(
  { database, workflows }: Deps,
  { report, params, ctx, names = false }: ReportOrder,
  format: string,
): Promise<RouteResponse> {
  const input = { report: report.name, params, format, names, notify: false };
  const task = await database.withTenant(ctx, (trx) => startGeneration(trx, ctx, input, true));
  const { tenantId } = ctx;
  const title = `Report ${report.name} as ${format}`;
  const ended = await workflows.awaitTask({ tenantId, taskId: task.id, kind: 'awaited_report', title }, WAIT_MS);
  if (!ended) return taskStarted({ ...task, status: 'queued' });
  // Whoever asked for it may read it, whatever the role.
  const viewer = { userId: ctx.userId, actor: ctx.actor, role: 'owner' };
  return await database.withTenant(ctx, async (trx) => {
    const { status, error } = await findTask(trx, viewer, task.id);
    if (status === 'failed') throw new ServiceError('unavailable', error ?? 'The file could not be made; try again');
    const { name, contentType, content } = await readTaskFile(trx, task.id, 'task_result');
    await removeTask(trx, ctx, viewer, task.id, null);
    return {
      status: 200,
      body: content,
      headers: { 'Content-Type': contentType, 'Content-Disposition': `attachment; filename="${name}"` },
    };
  });
}
