/** Keeps the schedules in Temporal equal to the rows that they belong to. */
import { heartbeat } from '@temporalio/activity';
import type { SchedulesCompared } from '../../workflows/platform/schedules/contract.ts';

export interface ScheduleActivities {
  compareSchedules(): Promise<SchedulesCompared>;
}

/** @param compare calls `alive` now and then */
export function createScheduleActivities(
  compare: (alive: () => void) => Promise<SchedulesCompared>,
): ScheduleActivities {
  return { compareSchedules: () => compare(heartbeat) };
}
