/** Reconciliation of payments by the same services as the API, acting as the workflow. */
import { findForPending, reconcilePending } from '../../services/trade/payments/pending.ts';
import { reconciliationRunPage } from '../../services/trade/payments/run.ts';
import type { TaskInput, TaskPart } from '../../workflows/platform/tasks/contract.ts';
import type { PaymentRef, ReconciliationResult } from '../../workflows/trade/payments/contract.ts';
import { asActivityFailure, workflowContext } from '../failures.ts';
import { type ResultDeps, runTask } from '../platform/tasks.ts';

export interface PaymentActivities {
  /** Finds invoices that match now. @returns their ids; null when nothing is left to do */
  findInvoices(input: PaymentRef): Promise<readonly string[] | null>;
  /** Applies the payment once; a retry returns the same outcome. */
  applyMatch(input: PaymentRef & { readonly documentIds: readonly string[] }): Promise<ReconciliationResult>;
  /** Processes some pages of a run over all open payments. */
  reconcilePages(input: TaskInput): Promise<TaskPart>;
}

export function createPaymentActivities(deps: ResultDeps): PaymentActivities {
  const { database, now, links } = deps;
  return {
    async findInvoices({ tenantId, paymentId }) {
      return database.readTenant({ tenantId }, (db) => findForPending(db, paymentId));
    },

    async applyMatch({ tenantId, paymentId, documentIds }) {
      const ctx = workflowContext(tenantId, now());
      try {
        return await database.withTenant(ctx, (trx) => reconcilePending(trx, ctx, paymentId, documentIds));
      } catch (error) {
        throw asActivityFailure(error);
      }
    },

    async reconcilePages(input) {
      try {
        const outcome = await runTask(deps, input, async ({ ctx, task, report, throwIfCancelled, turnIsOver }) => {
          do {
            throwIfCancelled();
            const done = await reconciliationRunPage(database, { ...ctx, now: now() }, task.id, links);
            if (done.ended) return;
            await report(done.progress, done.message);
          } while (!turnIsOver());
        });
        return outcome === null ? { more: true } : { more: false, outcome };
      } catch (error) {
        throw asActivityFailure(error);
      }
    },
  };
}
