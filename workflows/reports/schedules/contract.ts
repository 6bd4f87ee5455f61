/** Contract for scheduled reports between relay and workers: each is a Temporal schedule that is kept in sync with its row. */

import { type KeptInput, keptSchedule, type ScheduleState } from '../../platform/schedules/contract.ts';
import { REPORTS_QUEUE } from '../generation/contract.ts';

/** Workflow that starts the task that generates the file. */
export const SCHEDULED_REPORT = 'scheduledReport';

/** Input of each run. */
export interface ScheduledReportInput extends KeptInput {
  readonly reportScheduleId: string;
}

export const RUN_OUTCOMES = ['started', 'empty', 'still_running', 'paused', 'gone'] as const;
/** `paused`: its owner may no longer see the report, or it can no longer be generated; `gone`: it was deleted. */
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

export const REPORT_SCHEDULE = 'ReportSchedule';

/** `<tenant>/report-schedule/<id>`; runs have this id and the time after it. */
export function reportScheduleId({
  tenantId,
  reportScheduleId: id,
}: Pick<ScheduledReportInput, 'tenantId' | 'reportScheduleId'>): string {
  return `${tenantId}/report-schedule/${id}`;
}

/** Builds the schedule of a scheduled report. */
export function reportSchedule(state: ScheduleState) {
  const { tenantId, id, version, active } = state;
  const input: ScheduledReportInput = { tenantId, reportScheduleId: id, version, active };
  return keptSchedule(state, {
    scheduleId: reportScheduleId(input),
    entityType: REPORT_SCHEDULE,
    workflowType: SCHEDULED_REPORT,
    taskQueue: REPORTS_QUEUE,
    work: 'report',
    input,
  });
}
