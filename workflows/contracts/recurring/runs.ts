/** Makes the recurring documents of a company that are due. Each is made in a transaction of its own, once. */
import { proxyActivities } from '@temporalio/workflow';
import type { RecurringActivities } from '../../../activities/contracts/recurring.ts';
import { taskInParts } from '../../platform/tasks/as-task.ts';

const recurring = proxyActivities<RecurringActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

export const recurringRuns = taskInParts(
  { what: 'Recurring documents that are due', part: 'Make some of them' },
  recurring.makeRecurring,
);
