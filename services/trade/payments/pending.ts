/** The matching requested when a payment was registered: done once, by the payment's own workflow. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { decimal } from '../../../domain/money.ts';
import { type MatchRequest, unmatched } from '../../../domain/trade/payments/match.ts';
import type { StoredRequest } from '../../../domain/trade/payments/types.ts';
import type { ReconciliationResult } from '../../../workflows/trade/payments/contract.ts';
import { writeApplications } from './applications.ts';
import { openInvoices } from './candidates.ts';
import { lockOpenDebts } from './debts.ts';
import { loadFacts } from './facts.ts';
import { loadPayments, lockPayments, type PaymentRow, unappliedAmount } from './payment.ts';
import { matchAll, reconcilePayments } from './reconcile.ts';

/** A stored request as the matching takes it. */
export function matchRequest({ mode, from, to, allow_combination: allowCombination }: StoredRequest): MatchRequest {
  return { mode, from, to, allowCombination };
}

/** @returns ids of the invoices that the payment would be applied to now; null if it is deleted or everything is done */
export async function findForPending(db: Db, paymentId: string): Promise<string[] | null> {
  const [payment] = await loadPayments(db, [paymentId]);
  if (!isPending(payment)) return null;
  const request = matchRequest(payment.reconciliationRequest);
  const [match] = await matchAll([payment], await openInvoices(db, payment.direction, [payment], request), request);
  return (match?.links ?? []).map(({ invoice }) => invoice.id);
}

/**
 * Applies a pending payment, matching it again on locked documents. It stops pending in the same transaction: a repetition, or a second
 * worker, finds it done and answers the same.
 * @param documentIds found before: locked first, if something is still outstanding
 */
export async function reconcilePending(
  trx: Db,
  ctx: Context,
  paymentId: string,
  documentIds: readonly string[],
): Promise<ReconciliationResult> {
  const [payment] = await lockPayments(trx, [paymentId]);
  if (payment === undefined) return { outcome: 'gone', documentIds: [] };
  if (!isPending(payment)) return reconciliationResult(payment);
  const facts = await loadFacts(trx, ctx);
  const request = matchRequest(payment.reconciliationRequest);
  if (decimal(unappliedAmount(payment)).gt(0)) {
    const locked = await lockOpenDebts(trx, documentIds);
    const options = { tell: true, tolerant: true, locked };
    const [done] = await reconcilePayments(trx, ctx, facts, payment.direction, [payment], request, options);
    return reconciliationResult(done?.payment ?? payment);
  }
  const { reason, explanation } = unmatched('already_applied', 'all of it was applied meanwhile');
  const outcome = { mode: request.mode, reason, explanation };
  const over = { payment, links: [], outcome, date: payment.date, periodId: payment.periodId };
  const [done] = await writeApplications(trx, ctx, payment.direction, new Map(), [over]);
  return reconciliationResult(done ?? payment);
}

function isPending(
  payment: PaymentRow | undefined,
): payment is PaymentRow & { readonly reconciliationRequest: StoredRequest } {
  return payment?.reconciliation === 'pending' && payment.reconciliationRequest !== null;
}

function reconciliationResult({ links }: PaymentRow): ReconciliationResult {
  const matched = links.filter(({ matchedBy }) => matchedBy !== null);
  return {
    outcome: matched.length > 0 ? 'matched' : 'not_matched',
    documentIds: matched.map(({ documentId }) => documentId),
  };
}
