/** Time records: clocking in and out, entering afterwards, correcting and cancelling. The database ensures that they do not overlap. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { type Employee, TimeRecord } from '../../../db/models/records/people.ts';
import { assertVersion, insertRow, patchRow } from '../../../db/write.ts';
import { LAST_DAY } from '../../../domain/days.ts';
import { invalidMember, notFound, refused, validationFailed } from '../../../domain/errors.ts';
import { localDay } from '../../../domain/records/tables/times.ts';
import { timeFaults, type WorkedTime } from '../../../domain/staff/time/record.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { lockEmployee } from '../../records/people/employment.ts';
import type { ClockedIn, ClockedOut, NewTimeRecord, TimeRecordChange } from './schemas.ts';

/** Begins a record now. @throws ServiceError not_found, validation_failed; invalid_transition if the employee is clocked in */
export async function clockIn(trx: Db, ctx: Context, { employeeId, note = null }: ClockedIn): Promise<TimeRecord> {
  const employee = await lockEmployee(trx, employeeId);
  const open = await findOpen(trx, employeeId);
  if (open !== undefined) {
    throw refused(`They are clocked in since ${open.startedAt}; clock out first, or correct the end of that record`);
  }
  const times = { startedAt: ctx.now.toISOString(), endedAt: null, breakMinutes: 0 };
  return await insertTimes(trx, ctx, employee, times, { note, lastReason: null }, '/employeeId');
}

/** Ends the open record now. @throws ServiceError not_found, validation_failed; invalid_transition if the employee is not clocked in */
export async function clockOut(trx: Db, ctx: Context, { employeeId, ...given }: ClockedOut): Promise<TimeRecord> {
  await lockEmployee(trx, employeeId);
  const open = await findOpen(trx, employeeId);
  if (open === undefined) throw refused('They are not clocked in; enter the record afterwards');
  const values = { ...given, endedAt: ctx.now.toISOString() };
  const faults = timeFaults({ ...open, ...values }, values.endedAt);
  if (faults.some(({ pointer }) => pointer === '/endedAt')) {
    throw refused(`They clocked in more than a day ago, ${open.startedAt}; correct the end of that record`);
  }
  if (faults.length > 0) throw validationFailed(faults);
  return await patchRow(trx, ctx, TimeRecord, open, values);
}

/** Enters a record afterwards. @throws ServiceError not_found, validation_failed, overlap */
export async function enterTimeRecord(trx: Db, ctx: Context, body: NewTimeRecord): Promise<TimeRecord> {
  const { employeeId, startedAt, endedAt = null, breakMinutes = 0, note = null, reason = null } = body;
  const employee = await lockEmployee(trx, employeeId);
  return await insertTimes(
    trx,
    ctx,
    employee,
    { startedAt: utc(startedAt), endedAt: endedAt && utc(endedAt), breakMinutes },
    { note, lastReason: reason },
    '/startedAt',
  );
}

/**
 * Corrects a record; the audit log keeps what stood before. Without a change, the reason is not kept either.
 * @throws ServiceError not_found, stale_version, validation_failed, overlap; invalid_transition if it is cancelled
 */
export async function correctTimeRecord(
  trx: Db,
  ctx: Context,
  id: string,
  { reason, ...given }: TimeRecordChange,
  ifMatch: number | null,
): Promise<TimeRecord> {
  const { employee, current } = await lockRecord(trx, id, ifMatch);
  if (Object.keys(given).length === 0) return current;
  const { startedAt, endedAt } = given;
  const values = {
    ...given,
    ...(startedAt === undefined ? {} : { startedAt: utc(startedAt) }),
    ...(endedAt === undefined ? {} : { endedAt: endedAt && utc(endedAt) }),
  };
  const times = { ...current, ...values };
  const day = await checkedDay(trx, ctx, employee, times, '/startedAt');
  return await patchRow(trx, ctx, TimeRecord, current, { ...values, day, lastReason: reason });
}

/** Cancels a record, which stays on the sheet and counts no more. @throws ServiceError not_found, stale_version, invalid_transition */
export async function cancelTimeRecord(
  trx: Db,
  ctx: Context,
  id: string,
  reason: string,
  ifMatch: number | null,
): Promise<TimeRecord> {
  const { current } = await lockRecord(trx, id, ifMatch);
  return await patchRow(trx, ctx, TimeRecord, current, { cancelledAt: ctx.now.toISOString(), lastReason: reason });
}

/** The same instant as the database shows it. */
function utc(instant: string): string {
  return new Date(instant).toISOString();
}

async function insertTimes(
  trx: Db,
  ctx: Context,
  employee: Employee,
  times: WorkedTime,
  texts: Pick<TimeRecord, 'note' | 'lastReason'>,
  pointer: string,
): Promise<TimeRecord> {
  const day = await checkedDay(trx, ctx, employee, times, pointer);
  return await insertRow(trx, ctx, TimeRecord, {
    employeeId: employee.id,
    day,
    ...times,
    ...texts,
    cancelledAt: null,
  });
}

/**
 * Checks the times of a record, and finds the day to which it belongs: that on which it begins, in the company's time zone.
 * @param pointer the member that is wrong if the day is not within the employment
 * @throws ServiceError validation_failed
 */
async function checkedDay(
  trx: Db,
  ctx: Context,
  { hireDate, endDate }: Employee,
  times: WorkedTime,
  pointer: string,
): Promise<string> {
  const faults = timeFaults(times, ctx.now.toISOString());
  if (faults.length > 0) throw validationFailed(faults);
  const { timezone } = await loadSettings(trx, 'format');
  const day = localDay(new Date(times.startedAt), timezone);
  if (day < hireDate || day > (endDate ?? LAST_DAY)) {
    const span = endDate === null ? `which begins on ${hireDate}` : `from ${hireDate} to ${endDate}`;
    throw invalidMember(pointer, 'out_of_range', `must be within the employment, ${span}`);
  }
  return day;
}

async function findOpen(trx: Db, employeeId: string): Promise<TimeRecord | undefined> {
  return await TimeRecord.query(trx)
    .where({ employee_id: employeeId, ended_at: null, cancelled_at: null })
    .first()
    .forUpdate();
}

/** Locks a record that is not cancelled, after its employee. @throws ServiceError not_found, stale_version, invalid_transition */
async function lockRecord(trx: Db, id: string, ifMatch: number | null) {
  const found = await TimeRecord.query(trx).findById(id);
  if (found === undefined) throw notFound('This time record');
  const employee = await lockEmployee(trx, found.employeeId);
  const current = (await TimeRecord.query(trx).findById(id).forUpdate()) ?? found;
  assertVersion(current, ifMatch);
  if (current.cancelledAt !== null) throw refused('It cannot be changed because it is cancelled; enter it again');
  return { employee, current };
}
