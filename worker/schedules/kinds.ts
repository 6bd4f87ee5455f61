/** Kinds of rows with a schedule in Temporal that is kept equal to them. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import {
  AUTOMATION_SCHEDULE_CHANGED,
  AUTOMATION_SCHEDULE_REMOVED,
  REPORT_SCHEDULE_CHANGED,
  REPORT_SCHEDULE_REMOVED,
} from '../../domain/platform/internal-events.ts';
import { AUTOMATION_SCHEDULES_SQL } from '../../services/integrations/automations/clock/schedule-state.ts';
import { takeOverRule } from '../../services/integrations/automations/clock/take-over.ts';
import type { KnownSchedule } from '../../services/platform/schedules/known.ts';
import { REPORT_SCHEDULES_SQL, takeOver } from '../../services/reports/schedules/known.ts';
import {
  AUTOMATION,
  automationSchedule,
  automationScheduleId,
} from '../../workflows/integrations/automations/clock-contract.ts';
import type { keptSchedule, ScheduleState } from '../../workflows/platform/schedules/contract.ts';
import { REPORT_SCHEDULE, reportSchedule, reportScheduleId } from '../../workflows/reports/schedules/contract.ts';

export interface ScheduleKind {
  /** Search attribute of the schedules. */
  readonly entityType: string;
  /** Names of the rows' events. */
  readonly changed: string;
  readonly removed: string;
  /** Selects all rows, for `knownSchedules`. */
  readonly rows: string;
  readonly toScheduleId: (row: Pick<KnownSchedule, 'tenantId' | 'id'>) => string;
  readonly toSchedule: (state: ScheduleState) => ReturnType<typeof keptSchedule>;
  /**
   * Changes the row to the state that an operator has chosen in Temporal.
   * @param reason of a pause
   * @returns false if the row has changed since
   */
  readonly takeOver: (trx: Db, ctx: Context, row: KnownSchedule, reason: string) => Promise<boolean>;
}

export const SCHEDULE_KINDS: readonly ScheduleKind[] = [
  {
    entityType: REPORT_SCHEDULE,
    changed: REPORT_SCHEDULE_CHANGED,
    removed: REPORT_SCHEDULE_REMOVED,
    rows: REPORT_SCHEDULES_SQL,
    toScheduleId: ({ tenantId, id }) => reportScheduleId({ tenantId, reportScheduleId: id }),
    toSchedule: reportSchedule,
    takeOver,
  },
  {
    entityType: AUTOMATION,
    changed: AUTOMATION_SCHEDULE_CHANGED,
    removed: AUTOMATION_SCHEDULE_REMOVED,
    rows: AUTOMATION_SCHEDULES_SQL,
    toScheduleId: ({ tenantId, id }) => automationScheduleId({ tenantId, automationId: id }),
    toSchedule: automationSchedule,
    takeOver: takeOverRule,
  },
];
