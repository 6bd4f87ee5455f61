/** Mails the payslips of a month, some at a time; each mail has a delivery of its own. */
import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { PayrollActivities } from '../../activities/payroll.ts';
import { asTaskInParts } from '../tasks/as-task.ts';
import type { TaskInput, TaskOutcome } from '../tasks/contract.ts';

const payroll = proxyActivities<PayrollActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

export async function payslipMails(input: TaskInput): Promise<TaskOutcome | null> {
  return asTaskInParts(
    input,
    'Payslips of a month by e-mail',
    () => payroll.mailPayslips.executeWithOptions({ summary: 'Queue some mails' }, [input]),
    () => continueAsNew<typeof payslipMails>(input),
  );
}
