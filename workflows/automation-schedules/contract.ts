/** The contract of rules by the clock: each is a schedule of Temporal, which is kept equal to its row. */
import { AUTOMATIONS_QUEUE, type AutomationRunInput } from '../automations/contract.ts';
import { type KeptInput, keptSchedule, type ScheduleState } from '../schedules/contract.ts';

/** Does what a rule does at one time: once, or for each record that its query selects. */
export const SCHEDULED_AUTOMATION = 'scheduledAutomation';

/** Input of each run. */
export interface ScheduledAutomationInput extends KeptInput {
  readonly automationId: string;
  /** How far it has come; absent at the beginning. */
  readonly progress?: ScheduleProgress;
}

export interface ScheduleProgress extends ScheduleCounts {
  /** When it was due, ISO 8601. */
  readonly due: string;
  /** The last record that was looked at. */
  readonly after: string;
}

/** What a run has done so far. */
export interface ScheduleCounts {
  /** Records that the query has selected. */
  readonly selected: number;
  /** Runs whose actions were all done, and others: of records for which the conditions hold. */
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
  readonly runs: readonly AutomationRunInput[];
  /** Records that were looked at. */
  readonly selected: number;
  /** Where the next ones begin; null after the last. */
  readonly after: string | null;
}

/** Both kinds of records, and of the search attribute. */
export const AUTOMATION = 'Automation';

/** `<tenant>/automation-schedule/<id>`; runs have this id and the time after it. */
export function automationScheduleId({
  tenantId,
  automationId: id,
}: Pick<ScheduledAutomationInput, 'tenantId' | 'automationId'>) {
  return `${tenantId}/automation-schedule/${id}`;
}

/** The schedule of a rule by the clock. */
export function automationScheduleOf(state: ScheduleState) {
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
