/** Contract for Temporal schedules that are kept in sync with rows: scheduled reports and rules. */
import { spelledZone } from '../../../domain/locale/time-zones.ts';
import type { Cron } from '../../../domain/platform/schedules/cron.ts';
import { madeUpTimes } from '../../../domain/platform/schedules/next-times.ts';
import { taskPriority, type Work } from '../priorities/contract.ts';
import { searchAttributes } from '../search-attributes/contract.ts';

/** Part of the input of each run: the state of the row as Temporal knows it. */
export interface KeptInput {
  readonly tenantId: string;
  /** Version of the row. */
  readonly version: number;
  /** Whether the row was active. A schedule in another state was paused or resumed in Temporal. */
  readonly active: boolean;
}

/** State of a schedule as its row declares it. */
export interface ScheduleState extends KeptInput {
  readonly id: string;
  /** For operators, without personal data. */
  readonly title: string;
  readonly expression: string;
  readonly cron: Cron;
  readonly timezone: string;
  /** First year for which times skipped by clock changes are computed. */
  readonly year: number;
}

/** Workflow that a schedule starts at its times. */
export interface Started<Input extends KeptInput> {
  /** Id of the schedule. Ids of its runs are this id, `/run` and the time. */
  readonly scheduleId: string;
  readonly entityType: string;
  readonly workflowType: string;
  readonly taskQueue: string;
  readonly work: Work;
  readonly input: Input;
}

/** Builds the schedule of a row. A run that is at most an hour late still starts. */
export function keptSchedule<Input extends KeptInput>(state: ScheduleState, started: Started<Input>) {
  const { tenantId, id: entityId, active, title } = state;
  const { scheduleId, entityType, workflowType, taskQueue, work, input } = started;
  const typedSearchAttributes = searchAttributes({ tenantId, entityType, entityId });
  return {
    scheduleId,
    spec: {
      calendars: [...scheduleCalendars(state), ...madeUpCalendars(state)],
      timezone: spelledZone(state.timezone),
    },
    policies: { overlap: 'SKIP' as const, catchupWindow: '1 hour' as const },
    action: {
      type: 'startWorkflow' as const,
      workflowType,
      workflowId: `${scheduleId}/run`,
      taskQueue,
      args: [input] as [Input],
      priority: taskPriority(work, tenantId),
      typedSearchAttributes,
      staticSummary: `Scheduled: ${title}`,
    },
    typedSearchAttributes,
    state: { paused: !active, note: active ? '' : 'Paused by the company' },
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

/** Builds calendars. In Temporal all fields of a calendar must match, so an expression for either kind of day needs two. */
function scheduleCalendars({ cron, expression }: ScheduleState) {
  const { minutes, hours, days, months, weekdays, eitherDay } = cron;
  const common = {
    comment: expression,
    minute: [...minutes],
    hour: [...hours],
    month: months.map(monthName),
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

/** Builds calendars for times that the clock skips, which Temporal leaves out (decision 0199). Years with the same dates share one. */
function madeUpCalendars({ cron, timezone, year: first }: ScheduleState) {
  const years = new Map<string, number[]>();
  for (const wall of madeUpTimes(cron, timezone, first)) {
    const [year, rest = ''] = [Number(new Date(wall).toISOString().slice(0, 4)), new Date(wall).toISOString().slice(5)];
    years.set(rest, [...(years.get(rest) ?? []), year]);
  }
  return [...years].map(([time, year]) => {
    const [month = 1, dayOfMonth = 1, hour = 0, minute = 0] = time.split(/[-T:]/).map(Number);
    return { comment: 'The clock skips it', year, month: monthName(month), dayOfMonth, hour, minute };
  });
}

function monthName(month: number) {
  return MONTHS[month - 1] as (typeof MONTHS)[number];
}

/** Workflow that compares all rows with the schedules in Temporal. */
export const SCHEDULE_COMPARISON = 'scheduleComparison';

/** Result of a comparison. */
export interface SchedulesCompared {
  readonly schedules: number;
  /** Number of recreated schedules, which were missing in Temporal. */
  readonly made: number;
  /** Number of schedules that were paused or resumed in Temporal. */
  readonly taken: number;
  /** Number of removed schedules, whose rows no longer exist. */
  readonly removed: number;
}
