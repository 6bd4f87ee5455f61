/** Schedules that fail again and again: counted in the transaction that ends a run, whatever the schedule is for. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { query } from '../../db/sql.ts';
import { FAILURES_TOLD } from '../../domain/incidents.ts';
import { scheduleFails, scheduleSucceeds } from '../../domain/notifications/alerts.ts';
import { alertAdmins } from '../notifications/notify.ts';

/** What runs at certain times. */
export interface ScheduleRun {
  /** What it is: its address, such as /api/report-schedules/:id. */
  readonly address: string;
  readonly name: string;
}

const COUNT = `
  insert into incidents as i (id, tenant_id, kind, subject, failures, begun_at, seen_at)
  values (:id, :tenantId, 'schedule_fails', :subject, 1, :now, :now)
  on conflict on constraint incidents_subject_key do update set failures = i.failures + 1, seen_at = :now
  returning failures`;

/** Counts a run that failed, and tells of the third in a row. @param reason in words for users */
export async function scheduleFailed(trx: Db, ctx: Context, run: ScheduleRun, reason: string): Promise<void> {
  const { tenantId, now } = ctx;
  const values = { id: newId(), tenantId, subject: run.address, now: now.toISOString() };
  const [counted] = await query<{ failures: number }>(trx, COUNT, values);
  if (counted?.failures !== FAILURES_TOLD) return;
  await alertAdmins(trx, ctx, { ...scheduleFails(run.name, FAILURES_TOLD, reason), actionUrl: run.address });
}

/** Begins to count anew, and tells that a schedule succeeds which was told of. */
export async function scheduleSucceeded(trx: Db, ctx: Context, run: ScheduleRun): Promise<void> {
  const failures = await forgetSchedule(trx, run.address);
  if (failures < FAILURES_TOLD) return;
  await alertAdmins(trx, ctx, { ...scheduleSucceeds(run.name, failures), actionUrl: run.address });
}

/** Forgets a schedule that is gone. @returns how often it had failed in a row */
export async function forgetSchedule(trx: Db, address: string): Promise<number> {
  const sql = `delete from incidents where kind = 'schedule_fails' and subject = :address returning failures`;
  const [row] = await query<{ failures: number }>(trx, sql, { address });
  return row?.failures ?? 0;
}
