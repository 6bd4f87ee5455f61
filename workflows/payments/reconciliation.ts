/** Matches payments with open invoices: one after it was registered, or all that are open as a task. Nothing is applied twice. */
import { continueAsNew, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { PaymentActivities } from '../../activities/payments.ts';
import { asTask } from '../tasks/as-task.ts';
import type { TaskInput } from '../tasks/contract.ts';
import type { PaymentRef, ReconciliationResult } from './contract.ts';

const short = proxyActivities<PaymentActivities>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '1 minute' },
});
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
  const found = await short.findInvoices.executeWithOptions({ summary: 'Find the invoices that it may be for' }, [
    input,
  ]);
  if (found === null) return { outcome: 'gone', documentIds: [] };
  const result = await short.applyMatch.executeWithOptions({ summary: 'Apply it, unless that is done' }, [
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
