/** Schedules of reports. The row is authoritative; each change emits an event by which the relay updates the schedule in Temporal. */

import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { lockName } from '../../../db/locks.ts';
import { fromRow, type JsonRow } from '../../../db/models/base.ts';
import { ReportSchedule } from '../../../db/models/platform/tasks.ts';
import { fragment, joined, toStatement, where } from '../../../db/queries/fragments.ts';
import { query, runOn } from '../../../db/sql.ts';
import { assertVersion, insertRow, patchRow, removeRow } from '../../../db/write.ts';
import { notFound, ServiceError } from '../../../domain/errors.ts';
import { REPORT_SCHEDULE_CHANGED, REPORT_SCHEDULE_REMOVED } from '../../../domain/platform/internal-events.ts';
import { nextTimes } from '../../../domain/platform/schedules/next-times.ts';
import { shortened } from '../../../domain/shorten.ts';
import { loadPermissions } from '../../access/sessions/current-permissions.ts';
import { deleteScheduleIncident } from '../../messages/incidents/schedules.ts';
import { scheduleEvent, storedCron } from '../../platform/schedules/known.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { type TaskViewer, visibleTo } from '../../platform/tasks/tasks.ts';
import { permissionFor } from '../engine/declaration.ts';
import { checkForm, checkMakeable, orderAt, scheduledReport } from './check.ts';
import { DEFAULT_FORMAT, type ReportScheduleChanges, type ReportScheduleInput } from './schemas.ts';

type Stated = Pick<ReportSchedule, 'version' | 'active' | 'reportName' | 'format' | 'cron' | 'timezone'>;

/** Maximum schedules per company. */
const MAX_SCHEDULES = 100;
/** Number of upcoming runs shown. */
const NEXT_RUNS = 5;

/** Creates a schedule for the requester. @throws ServiceError validation_failed */
export async function createSchedule(trx: Db, ctx: Context, input: ReportScheduleInput): Promise<ReportSchedule> {
  const { timezone: companyZone } = await loadSettings(trx, 'format');
  const values = {
    name: input.name,
    reportName: input.report_name,
    params: { ...input.params },
    cron: input.cron.trim(),
    timezone: input.timezone ?? companyZone,
    recipients: [...(input.recipients ?? [])],
    format: input.format ?? DEFAULT_FORMAT,
    skipWhenEmpty: input.skip_when_empty ?? false,
    active: input.active ?? true,
  };
  await assertRoom(trx, ctx);
  checkForm(values);
  await checkMakeable(trx, await orderAt(trx, ctx, values, ctx.now));
  const owner = { createdBy: ctx.userId, actor: ctx.userId === null ? ctx.actor : null };
  const row = { ...values, ...owner, pauseReason: null, lastRunAt: null, lastOutcome: null, lastTaskId: null };
  return await insertRow(trx, ctx, ReportSchedule, row, [changed({ ...row, version: 1 })]);
}

async function assertRoom(trx: Db, { tenantId }: Context): Promise<void> {
  // Without the lock, two concurrent requests could both find room.
  await lockName(trx, `report_schedules:${tenantId}`);
  const [found] = await query<{ count: number }>(trx, 'select count(*)::integer as count from report_schedules', {});
  if (found !== undefined && found.count >= MAX_SCHEDULES) {
    throw new ServiceError(
      'validation_failed',
      `A company has at most ${MAX_SCHEDULES} schedules; delete or change some`,
      {
        errors: [
          {
            pointer: '',
            code: 'too_many',
            message: `cannot be added because there are already ${MAX_SCHEDULES} schedules`,
          },
        ],
      },
    );
  }
}

/**
 * Changes the given members.
 * @throws ServiceError not_found, stale_version, validation_failed, forbidden; invalid_transition if it would run for an owner who may not
 * see the report
 */
export async function changeSchedule(
  trx: Db,
  ctx: Context,
  viewer: TaskViewer,
  id: string,
  input: ReportScheduleChanges,
  ifMatch: number | null,
): Promise<ReportSchedule> {
  const current = await lockSchedule(trx, viewer, id);
  assertVersion(current, ifMatch);
  const { timezone: companyZone } =
    input.timezone === null ? await loadSettings(trx, 'format') : { timezone: undefined };
  const given = {
    name: input.name,
    reportName: input.report_name,
    params: input.params && { ...input.params },
    cron: input.cron?.trim(),
    timezone: input.timezone ?? companyZone,
    recipients: input.recipients && [...input.recipients],
    format: input.format,
    skipWhenEmpty: input.skip_when_empty,
    active: input.active,
  };
  const values = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const next = { ...current, ...values } as ReportSchedule;
  checkForm(next);
  assertOwn(ctx, next, values);
  const isOther = ['params', 'reportName', 'format'].some((member) => member in values);
  if (isOther || next.active) await assertOwnerMay(trx, ctx, next);
  if (isOther) await checkMakeable(trx, await orderAt(trx, ctx, next, ctx.now));
  const pauseReason = next.active === current.active ? current.pauseReason : null;
  return await patchRow(trx, ctx, ReportSchedule, current, { ...values, pauseReason }, (row) => [changed(row)]);
}

/**
 * Keeps others from directing what the owner may see to themselves: a report of several companies may hold what they may not. They can
 * pause it.
 * @throws ServiceError forbidden
 */
function assertOwn({ userId }: Context, next: ReportSchedule, values: object): void {
  if (scheduledReport(next).personal !== true || userId === next.createdBy) return;
  if (Object.keys(values).every((member) => member === 'active')) return;
  const message = 'Only its owner can change this schedule, because the report holds data of other companies';
  throw new ServiceError('forbidden', message);
}

/** Pauses or resumes a schedule. @throws ServiceError as `changeSchedule` */
export async function setActive(
  trx: Db,
  ctx: Context,
  viewer: TaskViewer,
  id: string,
  active: boolean,
  ifMatch: number | null,
): Promise<ReportSchedule> {
  return await changeSchedule(trx, ctx, viewer, id, { active }, ifMatch);
}

/** Removes a schedule; its files stay. @throws ServiceError not_found, stale_version */
export async function removeSchedule(
  trx: Db,
  ctx: Context,
  viewer: TaskViewer,
  id: string,
  ifMatch: number | null,
): Promise<void> {
  const current = await lockSchedule(trx, viewer, id);
  assertVersion(current, ifMatch);
  await removeRow(trx, ctx, ReportSchedule, current, [{ name: REPORT_SCHEDULE_REMOVED, payload: {} }]);
  await deleteScheduleIncident(trx, schedulePath(current.id));
}

/** Reads a schedule. @throws ServiceError not_found, also for schedules of others */
export async function readSchedule(reader: Reader, viewer: TaskViewer, id: string): Promise<ReportSchedule> {
  const found = joined([fragment('select * from report_schedules'), where({ id, ...visibleTo(viewer) })]);
  const [row] = await runOn<JsonRow>(reader, toStatement(found));
  if (row === undefined) throw notFound('This schedule');
  return fromRow(ReportSchedule, row);
}

async function lockSchedule(trx: Db, viewer: TaskViewer, id: string): Promise<ReportSchedule> {
  const found = ReportSchedule.query(trx).findOne({ id, ...visibleTo(viewer) });
  const schedule = (await found.forNoKeyUpdate()) as ReportSchedule | undefined;
  if (schedule === undefined) throw notFound('This schedule');
  return schedule;
}

/** Pauses or resumes a schedule for a reason other than a request, in the transaction that found the reason. */
export async function setActiveBecause(
  trx: Db,
  ctx: Context,
  current: ReportSchedule,
  active: boolean,
  reason: string | null,
): Promise<void> {
  const values = { active, pauseReason: active || reason === null ? null : shortened(reason, 500) };
  await patchRow(trx, ctx, ReportSchedule, current, values, (row) => [changed(row)]);
}

/** Whether the owner may currently see the report. */
export async function ownerMay(reader: Reader, schedule: ReportSchedule, now: Date): Promise<boolean> {
  const permissions = await loadPermissions(reader, { userId: schedule.createdBy, actor: schedule.actor }, now);
  return permissions.has(permissionFor(scheduledReport(schedule)));
}

async function assertOwnerMay(trx: Db, { now }: Context, schedule: ReportSchedule): Promise<void> {
  if (await ownerMay(trx, schedule, now)) return;
  throw new ServiceError(
    'invalid_transition',
    'The schedule cannot run because its owner may not see the report; make one of your own',
  );
}

/** Builds the event with the data that the relay needs to update the schedule in Temporal. */
function changed({ version, active, reportName, format, cron, timezone }: Stated) {
  return scheduleEvent(REPORT_SCHEDULE_CHANGED, {
    version,
    active,
    title: `${reportName} as ${format}`,
    cron,
    timezone,
  });
}

/** Converts a schedule to the form that clients see, with its next runs. */
export function scheduleToJson(schedule: ReportSchedule, now: Date): JsonRow {
  const { cron, timezone, active } = schedule;
  const next = active ? nextTimes(storedCron(cron), timezone, now, NEXT_RUNS) : [];
  return { ...ReportSchedule.toJson({ ...schedule }), next_runs: next };
}

/** The path of a schedule in the API. */
export function schedulePath(id: string): string {
  return `/api/report-schedules/${id}`;
}
