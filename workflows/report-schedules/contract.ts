/** The contract of scheduled reports between relay and workers: each is a schedule of Temporal, which is kept equal to its row. */
import type { Cron } from '../../domain/schedules/cron.ts';
import { priorityOf } from '../priorities/contract.ts';
import { REPORTS_QUEUE } from '../reports/contract.ts';
import { searchAttributes } from '../search-attributes/contract.ts';

/** Starts the task that makes the file. */
export const SCHEDULED_REPORT = 'scheduledReport';

/** Input of each run, and what Temporal knows of the row. */
export interface ScheduledReportInput {
  readonly tenantId: string;
  readonly reportScheduleId: string;
  /** Of the row. */
  readonly version: number;
  /** Whether the row was active: a schedule that is in another state was paused or resumed in Temporal. */
  readonly active: boolean;
}

export const RUN_OUTCOMES = ['started', 'empty', 'still_running', 'paused', 'gone'] as const;
/** `paused`: its owner may no longer see the report, or it can no longer be made; `gone`: it was deleted. */
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

/** What a row says of its schedule. */
export interface ScheduleState extends ScheduledReportInput {
  /** For operators, without personal data. */
  readonly title: string;
  readonly expression: string;
  readonly cron: Cron;
  readonly timezone: string;
}

export const REPORT_SCHEDULE = 'ReportSchedule';

/** `<tenant>/report-schedule/<id>`; runs have this id and the time after it. */
export function reportScheduleId({
  tenantId,
  reportScheduleId: id,
}: Pick<ScheduledReportInput, 'tenantId' | 'reportScheduleId'>): string {
  return `${tenantId}/report-schedule/${id}`;
}

/** The schedule of a row. A run missed for less than an hour is made up for. */
export function scheduleOf({ title, expression, cron, timezone, ...input }: ScheduleState) {
  const { tenantId, reportScheduleId: id, version, active } = input;
  const note = active ? '' : 'Paused by the company';
  return {
    scheduleId: reportScheduleId(input),
    spec: { calendars: calendarsOf(cron, expression), timezone },
    policies: { overlap: 'SKIP' as const, catchupWindow: '1 hour' as const },
    action: {
      type: 'startWorkflow' as const,
      workflowType: SCHEDULED_REPORT,
      workflowId: `${reportScheduleId(input)}/run`,
      taskQueue: REPORTS_QUEUE,
      args: [{ tenantId, reportScheduleId: id, version, active }] as [ScheduledReportInput],
      priority: priorityOf('report', tenantId),
      typedSearchAttributes: searchAttributes({ tenantId, entityType: REPORT_SCHEDULE, entityId: id }),
      staticSummary: `Scheduled: ${title}`,
    },
    typedSearchAttributes: searchAttributes({ tenantId, entityType: REPORT_SCHEDULE, entityId: id }),
    state: { paused: !active, note },
  };
}

const MONTHS = [
  'JANUARY',
  'FEBRUARY',
  'MARCH',
  'APRIL',
  'MAY',
  'JUNE',
  'JULY',
  'AUGUST',
  'SEPTEMBER',
  'OCTOBER',
  'NOVEMBER',
  'DECEMBER',
] as const;
const WEEKDAYS = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'] as const;

/** Temporal wants all fields of a calendar to fit: where one of the days is enough, there is a calendar for each. */
function calendarsOf({ minutes, hours, days, months, weekdays, eitherDay }: Cron, comment: string) {
  const common = {
    comment,
    minute: [...minutes],
    hour: [...hours],
    month: months.map((month) => MONTHS[month - 1] as (typeof MONTHS)[number]),
  };
  const byDate = { dayOfMonth: [...days] };
  const byWeekday = { dayOfWeek: weekdays.map((weekday) => WEEKDAYS[weekday] as (typeof WEEKDAYS)[number]) };
  return eitherDay
    ? [
        { ...common, ...byDate },
        { ...common, ...byWeekday },
      ]
    : [{ ...common, ...byDate, ...byWeekday }];
}

/** Compares all rows with the schedules that Temporal has. */
export const REPORT_SCHEDULE_COMPARISON = 'reportScheduleComparison';

/** What a comparison found and did. */
export interface SchedulesCompared {
  readonly schedules: number;
  /** Unknown to Temporal. */
  readonly made: number;
  /** Paused or resumed in Temporal. */
  readonly taken: number;
  /** Of rows that are no longer there. */
  readonly removed: number;
}
