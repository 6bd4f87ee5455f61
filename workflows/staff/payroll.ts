/** Generates the payrolls of a month, and mails its payslips. Each mail is delivered by its own workflow. */
import { proxyActivities } from '@temporalio/workflow';
import type { PayrollActivities } from '../../activities/staff/payroll.ts';
import { taskInParts } from '../platform/tasks/as-task.ts';

const { generatePayrolls, mailPayslips } = proxyActivities<PayrollActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

export const payrollGeneration = taskInParts(
  { what: 'Payrolls of a month', part: 'Make some payrolls' },
  generatePayrolls,
);

export const payslipMails = taskInParts(
  { what: 'Payslips of a month by e-mail', part: 'Queue some mails' },
  mailPayslips,
);
