/** Accrues the VAT of the cash basis that is still pending at the end of a year. */
import { proxyActivities } from '@temporalio/workflow';
import type { AccrualActivities } from '../../../activities/ledger/tax-returns.ts';
import { taskInParts } from '../../platform/tasks/as-task.ts';

const { accrueTaxes } = proxyActivities<AccrualActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

export const taxAccruals = taskInParts(
  { what: 'Year-end accrual of the cash basis', part: 'Accrue some invoices' },
  accrueTaxes,
);
