/** Matches payments with open invoices: one after its registration, or all open ones as a task. Nothing is applied twice. */
import { continueAsNew, patched, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { PaymentActivities } from '../../activities/payments.ts';
import { shown } from '../details.ts';
import { asTaskInParts } from '../tasks/as-task.ts';
import type { TaskInput, TaskOutcome } from '../tasks/contract.ts';
import type { PaymentRef, ReconciliationResult } from './contract.ts';

const RETRY = { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '1 minute' } as const;
/**
 * Local: whoever registered the payment waits for the answer, and a quarter of the steps at the server are enough for both. A worker
 * that dies between them leaves both to the next, which finds what was applied.
 */
const local = proxyLocalActivities<PaymentActivities>({
  startToCloseTimeout: '10 seconds',
  retry: RETRY,
  // Longer waits are the server's timers.
  localRetryThreshold: '3 seconds',
});
/** As it was before, for what began then. */
const short = proxyActivities<PaymentActivities>({ startToCloseTimeout: '10 seconds', retry: RETRY });
const long = proxyActivities<PaymentActivities>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute', maximumAttempts: 30 },
});

export async function paymentReconciliation(
  input: PaymentRef | TaskInput,
): Promise<ReconciliationResult | TaskOutcome | null> {
  return 'paymentId' in input ? shown(textsOf(input), () => reconcileOne(input)) : reconcileAll(input);
}

async function reconcileOne(input: PaymentRef): Promise<ReconciliationResult> {
  const { findInvoices, applyMatch } = patched('matching-is-local') ? local : short;
  const found = await findInvoices.executeWithOptions({ summary: 'Find the invoices that it may be for' }, [input]);
  if (found === null) return { outcome: 'gone', documentIds: [] };
  return applyMatch.executeWithOptions({ summary: 'Apply it, unless that is done' }, [
    { ...input, documentIds: found },
  ]);
}

function textsOf({ paymentId }: PaymentRef) {
  return {
    what: 'Matching of a payment',
    begun: 'Nothing to do: it is tried again until it is done',
    done: ({ outcome, documentIds: { length } }: ReconciliationResult) =>
      outcome === 'gone'
        ? 'Nothing was left to match'
        : length > 0
          ? `Applied to ${length} ${length === 1 ? 'invoice' : 'invoices'}`
          : 'No invoice fits: it stays credit',
    failed: 'The payment stays credit; it can be applied through the API',
    cancelled: 'The payment stays credit; it can be applied through the API',
    more: [`Payment: \`${paymentId}\``],
  };
}

/** What was done is recorded with each page, so that a repeat goes on from there. */
function reconcileAll(input: TaskInput): Promise<TaskOutcome | null> {
  return asTaskInParts(
    input,
    'Matching of all open payments',
    () => long.reconcilePages.executeWithOptions({ summary: 'Match some pages of payments' }, [input]),
    () => continueAsNew<typeof paymentReconciliation>(input),
  );
}
