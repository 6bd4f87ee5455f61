/** Matches payments with open invoices: one after it was registered, or all that are open as a task. Nothing is applied twice. */
import {
  continueAsNew,
  patched,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { PaymentActivities } from '../../activities/payments.ts';
import { asTask } from '../tasks/as-task.ts';
import type { TaskInput } from '../tasks/contract.ts';
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

/** Activities after which a new run begins. */
const LONG_RUN = 50;

export async function paymentReconciliation(input: PaymentRef | TaskInput): Promise<ReconciliationResult | null> {
  if ('paymentId' in input) return reconcileOne(input);
  await reconcileAll(input);
  return null;
}

async function reconcileOne(input: PaymentRef): Promise<ReconciliationResult> {
  const { findInvoices, applyMatch } = patched('matching-is-local') ? local : short;
  const found = await findInvoices.executeWithOptions({ summary: 'Find the invoices that it may be for' }, [input]);
  if (found === null) return { outcome: 'gone', documentIds: [] };
  const result = await applyMatch.executeWithOptions({ summary: 'Apply it, unless that is done' }, [
    { ...input, documentIds: found },
  ]);
  const { length } = result.documentIds;
  setCurrentDetails(length > 0 ? `Applied to ${length} ${length === 1 ? 'invoice' : 'invoices'}` : 'It stays credit');
  return result;
}

/** What was done is recorded with each page, so that a repeat goes on from there. */
async function reconcileAll(input: TaskInput): Promise<void> {
  let more = true;
  await asTask(input, async () => {
    for (let done = 0; more && done < LONG_RUN && !workflowInfo().continueAsNewSuggested; done++) {
      ({ more } = await long.reconcilePages.executeWithOptions({ summary: 'Match some pages of payments' }, [input]));
    }
  });
  if (more) await continueAsNew<typeof paymentReconciliation>(input);
}
