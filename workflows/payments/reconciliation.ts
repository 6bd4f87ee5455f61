/** Matches payments to open invoices: one payment after its registration, or all open ones as a task. Nothing is applied twice. */
import { continueAsNew, patched, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { PaymentActivities } from '../../activities/payments.ts';
import { shown } from '../details.ts';
import { asTaskInParts } from '../tasks/as-task.ts';
import type { TaskInput, TaskOutcome } from '../tasks/contract.ts';
import type { PaymentRef, ReconciliationResult } from './contract.ts';

const RETRY = { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '1 minute' } as const;
/**
 * Local activities, since the request that registered the payment waits: both take a quarter of the steps at the server. If a worker
 * dies between them, the next one repeats both and finds what was applied.
 */
const local = proxyLocalActivities<PaymentActivities>({
  startToCloseTimeout: '10 seconds',
  retry: RETRY,
  // Longer waits become timers of the server.
  localRetryThreshold: '3 seconds',
});
/** For workflows started by an earlier release. */
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
  const found = await findInvoices.executeWithOptions({ summary: 'Find the invoices it may pay' }, [input]);
  if (found === null) return { outcome: 'gone', documentIds: [] };
  return applyMatch.executeWithOptions({ summary: 'Apply the payment once' }, [{ ...input, documentIds: found }]);
}

function textsOf({ paymentId }: PaymentRef) {
  return {
    what: 'Matching of a payment',
    begun: 'Nothing to do: it is retried until it succeeds',
    done: ({ outcome, documentIds: { length } }: ReconciliationResult) =>
      outcome === 'gone'
        ? 'Nothing was left to match'
        : length > 0
          ? `Applied to ${length} ${length === 1 ? 'invoice' : 'invoices'}`
          : 'No invoice fits: the payment stays credit',
    failed: 'The payment stays credit; it can be applied through the API',
    cancelled: 'The payment stays credit; it can be applied through the API',
    more: [`Payment: \`${paymentId}\``],
  };
}

/** Each page is committed with its progress, so that a retry continues from there. */
function reconcileAll(input: TaskInput): Promise<TaskOutcome | null> {
  return asTaskInParts(
    input,
    'Matching of all open payments',
    () => long.reconcilePages.executeWithOptions({ summary: 'Match some pages of payments' }, [input]),
    () => continueAsNew<typeof paymentReconciliation>(input),
  );
}
