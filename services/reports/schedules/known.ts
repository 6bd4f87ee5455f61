/** Scheduled reports of all companies, for comparison with Temporal. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { ReportSchedule } from '../../../db/models/platform/tasks.ts';
import type { KnownSchedule } from '../../platform/schedules/known.ts';
import { setActiveBecause } from './manage.ts';

/** Query of all scheduled reports, for `knownSchedules`. */
export const REPORT_SCHEDULES_SQL = `select tenant_id as "tenantId", id, version, active,
    report_name || ' as ' || format as title, cron, timezone
  from report_schedules where true`;

/**
 * Changes a row to the state that an operator has chosen in Temporal.
 * @param row as it was compared
 * @param reason of a pause
 * @returns false if it was changed in the meantime
 */
export async function takeOver(trx: Db, ctx: Context, row: KnownSchedule, reason: string): Promise<boolean> {
  const current = (await ReportSchedule.query(trx).findById(row.id).forNoKeyUpdate()) as ReportSchedule | undefined;
  if (current === undefined || current.version !== row.version) return false;
  await setActiveBecause(trx, ctx, current, !row.active, reason);
  return true;
}
