/** Contract for scheduled rules: each is a Temporal schedule that is kept in sync with its row. */

import { type KeptInput, keptSchedule, type ScheduleState } from '../../platform/schedules/contract.ts';
import { AUTOMATIONS_QUEUE, type RunToStart } from './contract.ts';

/** Runs a rule at a scheduled time: once, or for each record that its query selects. */
export const SCHEDULED_AUTOMATION = 'scheduledAutomation';

/** Input of each run. */
export interface ScheduledAutomationInput extends KeptInput {
  readonly automationId: string;
  /** Progress; absent at the beginning. */
  readonly progress?: ScheduleProgress;
}

export interface ScheduleProgress extends ScheduleCounts {
  /** The scheduled time, ISO 8601. */
  readonly due: string;
  /** The last record examined. */
  readonly after: string;
}

/** Counts of a run so far. */
export interface ScheduleCounts {
  /** Records that the query has selected. */
  readonly selected: number;
  /** Runs whose actions all succeeded, and others; for records that meet the conditions. */
  readonly done: number;
  readonly failed: number;
}

/**
 * `none`: its conditions do not hold, or no record is selected; `not_due`: the clock does not show one of its times (decision 0199);
 * `paused`, `gone`: the rule is.
 */
export type ScheduleOutcome = 'begun' | 'none' | 'not_due' | 'paused' | 'gone';

/** The next runs, begun in the database. */
export interface BegunRuns {
  readonly outcome: ScheduleOutcome;
  readonly runs: readonly RunToStart[];
  /** Number of records examined. */
  readonly selected: number;
  /** Position of the next records; null after the last. */
  readonly after: string | null;
}

/** Entity type of rules, in records and in the search attribute. */
export const AUTOMATION = 'Automation';

/** `<tenant>/automation-schedule/<id>`; runs have this id and the time after it. */
export function automationScheduleId({
  tenantId,
  automationId: id,
}: Pick<ScheduledAutomationInput, 'tenantId' | 'automationId'>) {
  return `${tenantId}/automation-schedule/${id}`;
}

/** Builds the schedule of a rule. */
export function automationSchedule(state: ScheduleState) {
  const { tenantId, id, version, active } = state;
  const input: ScheduledAutomationInput = { tenantId, automationId: id, version, active };
  return keptSchedule(state, {
    scheduleId: automationScheduleId(input),
    entityType: AUTOMATION,
    workflowType: SCHEDULED_AUTOMATION,
    taskQueue: AUTOMATIONS_QUEUE,
    work: 'scheduledAutomation',
    input,
  });
}
