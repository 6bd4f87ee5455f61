/** Runs a schedule once: starts the task that makes the file, for the schedule's owner and with their permissions. */
import { v5 } from 'uuid';
import type { Context } from '../../../db/context.ts';
import type { Database, Db } from '../../../db/database.ts';
import { ReportSchedule } from '../../../db/models/platform/tasks.ts';
import { findRow } from '../../../db/queries/find.ts';
import { query } from '../../../db/sql.ts';
import { ServiceError } from '../../../domain/errors.ts';
import type { RunOutcome } from '../../../workflows/reports/schedules/contract.ts';
import { alertAdmins } from '../../messages/notifications/notify.ts';
import { readReport } from '../engine/read.ts';
import { type ReportOrder, reportRequest } from '../engine/request.ts';
import { startGeneration } from '../generation/generate.ts';
import { checkForm, orderAt } from './check.ts';
import { hasFigures } from './figures.ts';
import { ownerMay, schedulePath, setActiveBecause } from './manage.ts';

export interface Run {
  readonly reportScheduleId: string;
  /** The workflow; each starts at most one task. */
  readonly workflowId: string;
  /** Scheduled time, on which relative periods are based. */
  readonly due: Date;
}

/** Namespace of task ids. */
const TASKS = '6f1f3c52-3d6f-4a52-9c0d-4b1f2c8a7e11';

const NOT_SEEN = {
  en: 'Its owner may no longer see the report, or has left the company',
  es: 'Su propietario ya no puede ver el informe, o ha dejado la empresa',
};

/** Runs a schedule. @returns the outcome; a repetition returns `started` and does nothing */
export async function runSchedule(database: Database, ctx: Context, run: Run): Promise<RunOutcome> {
  const schedule = await database.readTenant(ctx, (db) => findRow(db, ReportSchedule, { id: run.reportScheduleId }));
  if (schedule === undefined) return 'gone';
  let order: ReportOrder;
  try {
    order = await database.readTenant(ctx, (db) => checkedOrder(db, ownerContext(ctx, schedule), schedule, run.due));
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status >= 500) throw error;
    const reason = { en: error.message, es: `Ya no se puede hacer: ${error.message}` };
    return await database.withTenant(ctx, (trx) => locked(trx, run, (row) => pause(trx, ctx, row, reason)));
  }
  const isEmpty = schedule.skipWhenEmpty && !(await database.snapshot(ctx, (db) => says(db, order)));
  return await database.withTenant(ctx, (trx) =>
    locked(trx, run, async (row) => {
      if (!row.active) return 'paused';
      if (!(await ownerMay(trx, row, ctx.now))) {
        return await pause(trx, ctx, row, NOT_SEEN);
      }
      return await start(trx, ctx, row, { order, isEmpty, taskId: v5(run.workflowId, TASKS) });
    }),
  );
}

/** The context of the schedule's owner, whose rights decide what the report shows. */
function ownerContext(ctx: Context, { createdBy, actor }: ReportSchedule): Context {
  return { ...ctx, userId: createdBy, actor: actor ?? ctx.actor };
}

/** @throws ServiceError if this release can no longer make the report */
async function checkedOrder(db: Db, ctx: Context, schedule: ReportSchedule, due: Date): Promise<ReportOrder> {
  checkForm(schedule);
  return await orderAt(db, ctx, schedule, due);
}

/** Whether the report has anything to show; true if it cannot be read, because its task then reports why. */
async function says(db: Db, order: ReportOrder): Promise<boolean> {
  try {
    const request = await reportRequest(db, { ...order, format: 'json' }, false);
    return hasFigures(order.report, await readReport(order.report, request));
  } catch (error) {
    if (error instanceof ServiceError && !error.isFailure && error.code !== 'too_many_requests') return true;
    throw error;
  }
}

async function locked(trx: Db, { reportScheduleId }: Run, work: (row: ReportSchedule) => Promise<RunOutcome>) {
  const row = await ReportSchedule.query(trx).findById(reportScheduleId).forNoKeyUpdate();
  return row === undefined ? 'gone' : await work(row as ReportSchedule);
}

const TASKS_SQL = `select id = :id::uuid as own, status = 'running' as running from tasks where id in (:id::uuid, :last::uuid)`;

async function start(
  trx: Db,
  ctx: Context,
  row: ReportSchedule,
  { order, isEmpty, taskId }: { readonly order: ReportOrder; readonly isEmpty: boolean; readonly taskId: string },
): Promise<RunOutcome> {
  const tasks = await query<{ own: boolean; running: boolean }>(trx, TASKS_SQL, { id: taskId, last: row.lastTaskId });
  if (row.lastTaskId === taskId || tasks.some(({ own }) => own)) return 'started';
  if (isEmpty) return await record(trx, ctx, row, 'empty', null);
  if (tasks.some(({ running }) => running)) return await record(trx, ctx, row, 'still_running', row.lastTaskId);
  const { report, params } = order;
  const schedule = { address: schedulePath(row.id), name: row.name };
  const input = {
    report: report.name,
    params,
    format: row.format,
    names: false,
    notify: true,
    schedule,
    recipients: row.recipients,
  };
  await startGeneration(trx, ownerContext(ctx, row), input, false, taskId);
  return await record(trx, ctx, row, 'started', taskId);
}

/** Records the last run, which does not change the schedule's version. */
async function record(
  trx: Db,
  { now }: Context,
  { id }: ReportSchedule,
  outcome: RunOutcome,
  taskId: string | null,
): Promise<RunOutcome> {
  await query(
    trx,
    `update report_schedules set last_run_at = :now::timestamptz, last_outcome = :outcome, last_task_id = :taskId::uuid
     where id = :id::uuid`,
    { id, now: now.toISOString(), outcome, taskId },
  );
  return outcome;
}

/** Pauses a schedule, and notifies its owner and the company's owners and administrators. */
async function pause(trx: Db, ctx: Context, row: ReportSchedule, { en, es }: typeof NOT_SEEN): Promise<RunOutcome> {
  if (!row.active) return 'paused';
  await setActiveBecause(trx, ctx, row, false, en);
  const path = schedulePath(row.id);
  const notice = {
    title: `The scheduled report ${row.name} is paused`,
    body: `${en}. Change or delete the schedule; resume it by POST ${path}/resume.`,
    actionLabel: 'Show',
    es: {
      title: `El informe programado ${row.name} está en pausa`,
      body: `${es}. Cambie o elimine la programación; se reanuda con POST ${path}/resume.`,
      actionLabel: 'Ver',
    },
    metadata: { report_schedule_id: row.id },
    actionUrl: path,
  };
  await alertAdmins(trx, ctx, notice, row.createdBy === null ? [] : [row.createdBy]);
  return 'paused';
}
