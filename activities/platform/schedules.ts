/** Keeps the schedules in Temporal in sync with their rows. */
import { heartbeat } from '@temporalio/activity';
import type { SchedulesCompared } from '../../workflows/platform/schedules/contract.ts';

export interface ScheduleActivities {
  compareSchedules(): Promise<SchedulesCompared>;
}

/** Creates the activities. @param compare must call `alive` from time to time */
export function createScheduleActivities(
  compare: (alive: () => void) => Promise<SchedulesCompared>,
): ScheduleActivities {
  return { compareSchedules: () => compare(heartbeat) };
}
