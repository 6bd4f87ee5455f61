/**
 * Matches payments to open invoices: one payment after its registration, or all open payments as a task. Nothing is
 * applied twice.
 */

import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';

import type { PaymentActivities } from '../../../activities/trade/payments.ts';
import { shown } from '../../details.ts';
import { taskInParts } from '../../platform/tasks/as-task.ts';
import type { TaskInput, TaskOutcome } from '../../platform/tasks/contract.ts';
import type { PaymentRef, ReconciliationResult } from './contract.ts';

const RETRY = { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '1 minute' } as const;
/**
 * Local activities, because the request that registered the payment is waiting: they need a quarter of the server's
 * steps. If a worker dies between them, the next one repeats both and finds what was already applied.
 */
const matching = proxyLocalActivities<PaymentActivities>({
  startToCloseTimeout: '10 seconds',
  retry: RETRY,
  // Longer waits become server timers.
  localRetryThreshold: '3 seconds',
});
const long = proxyActivities<PaymentActivities>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute', maximumAttempts: 30 },
});

/** Matches all open payments. Each page is committed with its progress, so that a retry continues from there. */
const reconcileAll = taskInParts(
  { what: 'Matching of all open payments', part: 'Match some pages of payments' },
  long.reconcilePages,
);

export async function paymentReconciliation(
  input: PaymentRef | TaskInput,
): Promise<ReconciliationResult | TaskOutcome | null> {
  return 'paymentId' in input ? shown(progressTexts(input), () => reconcileOne(input)) : reconcileAll(input);
}

async function reconcileOne(input: PaymentRef): Promise<ReconciliationResult> {
  const found = await matching.findInvoices.executeWithOptions({ summary: 'Find matching invoices' }, [input]);
  if (found === null) return { outcome: 'gone', documentIds: [] };
  return matching.applyMatch.executeWithOptions({ summary: 'Apply the payment once' }, [
    { ...input, documentIds: found },
  ]);
}

function progressTexts({ paymentId }: PaymentRef) {
  return {
    what: 'Matching of a payment',
    begun: 'Nothing to do: it is retried until it succeeds',
    done: ({ outcome, documentIds: { length } }: ReconciliationResult) =>
      outcome === 'gone'
        ? 'Nothing left to match'
        : length > 0
          ? `Applied to ${length} ${length === 1 ? 'invoice' : 'invoices'}`
          : 'No matching invoice: the payment remains as credit',
    failed: 'The payment remains as credit; it can be applied through the API',
    cancelled: 'The payment remains as credit; it can be applied through the API',
    more: [`Payment: \`${paymentId}\``],
  };
}
