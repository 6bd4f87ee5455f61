/**
 * Compares rows with their schedules in Temporal: applies to the rows what an operator has paused or resumed there, and recreates missing
 * schedules.
 */
import { proxyActivities } from '@temporalio/workflow';
import type { ScheduleActivities } from '../../../activities/platform/schedules.ts';
import { shown } from '../../details.ts';
import type { SchedulesCompared } from './contract.ts';

const { compareSchedules } = proxyActivities<ScheduleActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

const TEXTS = {
  what: 'Comparison of scheduled reports and rules with their schedules here',
  begun: 'Nothing to do: it runs every minute',
  done: ({ schedules, made, taken, removed }: SchedulesCompared) =>
    `${schedules} schedules: ${made} recreated, ${taken} paused or resumed here, ${removed} without a row removed`,
  failed: 'The next run, within a minute, tries again',
  cancelled: 'The next run begins within a minute',
  more: [],
};
const SUMMARY = { summary: 'Compare all schedules' };

export async function scheduleComparison(): Promise<SchedulesCompared> {
  return await shown(TEXTS, () => compareSchedules.executeWithOptions(SUMMARY, []));
}
