/** Makes the payrolls of a month, some employees at a time. What is committed stays: a worker that is killed leaves the rest to another. */
import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { PayrollActivities } from '../../activities/payroll.ts';
import { asTaskInParts } from '../tasks/as-task.ts';
import type { TaskInput, TaskOutcome } from '../tasks/contract.ts';

const payroll = proxyActivities<PayrollActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

export async function payrollGeneration(input: TaskInput): Promise<TaskOutcome | null> {
  return asTaskInParts(
    input,
    'Payrolls of a month',
    () => payroll.generatePayrolls.executeWithOptions({ summary: 'Make some payrolls' }, [input]),
    () => continueAsNew<typeof payrollGeneration>(input),
  );
}
