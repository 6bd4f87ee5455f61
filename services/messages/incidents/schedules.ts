/** Alerts to schedules that keep failing. Failures are counted in the transaction that ends a run, for schedules of every kind. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { query } from '../../../db/sql.ts';
import { FAILURES_BEFORE_ALERT } from '../../../domain/messages/incidents.ts';
import { scheduleFails, scheduleSucceeds } from '../../../domain/messages/notifications/alerts.ts';
import { alertAdmins } from '../notifications/notify.ts';

/** The schedule that a run belongs to. */
export interface ScheduleRun {
  /** Its API path, such as /api/report-schedules/:id. */
  readonly address: string;
  readonly name: string;
}

const COUNT = `
  insert into incidents as i (id, tenant_id, kind, subject, failures, begun_at, seen_at)
  values (:id, :tenantId, 'schedule_fails', :subject, 1, :now, :now)
  on conflict on constraint incidents_subject_key do update set failures = i.failures + 1, seen_at = :now
  returning failures`;

/** Counts a failed run, and alerts people to the third in a row. @param reason in words for users */
export async function recordScheduleFailure(trx: Db, ctx: Context, run: ScheduleRun, reason: string): Promise<void> {
  const { tenantId, now } = ctx;
  const values = { id: newId(), tenantId, subject: run.address, now: now.toISOString() };
  const [counted] = await query<{ failures: number }>(trx, COUNT, values);
  if (counted?.failures !== FAILURES_BEFORE_ALERT) return;
  await alertAdmins(trx, ctx, { ...scheduleFails(run.name, FAILURES_BEFORE_ALERT, reason), actionUrl: run.address });
}

/** Resets the count; if people were alerted, tells them that the schedule works again. */
export async function recordScheduleSuccess(trx: Db, ctx: Context, run: ScheduleRun): Promise<void> {
  const failures = await deleteScheduleIncident(trx, run.address);
  if (failures < FAILURES_BEFORE_ALERT) return;
  await alertAdmins(trx, ctx, { ...scheduleSucceeds(run.name, failures), actionUrl: run.address });
}

/** Deletes the failure count of a schedule. @returns the number of consecutive failures */
export async function deleteScheduleIncident(trx: Db, address: string): Promise<number> {
  const sql = `delete from incidents where kind = 'schedule_fails' and subject = :address returning failures`;
  const [row] = await query<{ failures: number }>(trx, sql, { address });
  return row?.failures ?? 0;
}
