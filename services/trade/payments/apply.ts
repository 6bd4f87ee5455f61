/** Applies what payments have left: manually, or by matching. Documents are locked first, so that nobody applies the same twice. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { assertVersion } from '../../../db/write.ts';
import { invalidMember, ServiceError } from '../../../domain/errors.ts';
import { Faults } from '../../../domain/faults.ts';
import { decimal } from '../../../domain/money.ts';
import type { PaymentDirection } from '../../../domain/trade/payments/types.ts';
import { applicationDay, writeApplications } from './applications.ts';
import { factsIn } from './currency.ts';
import { lockDebts } from './debts.ts';
import { loadFacts } from './facts.ts';
import { releaseAdvances } from './finished-advances.ts';
import { resolveLinks } from './links.ts';
import { lockPayments, onlyPayment, type PaymentRow, unappliedAmount } from './payment.ts';
import { checkRange } from './range.ts';
import { reconcilePayments } from './reconcile.ts';
import type { ApplyInput } from './schemas.ts';

/**
 * Applies the rest of a payment, and of its advances on finished orders and notes.
 * @returns the payment afterwards
 * @throws ServiceError not_found, stale_version, nothing_open, validation_failed, period_closed
 */
export async function applyPayment(
  trx: Db,
  ctx: Context,
  direction: PaymentDirection,
  id: string,
  input: ApplyInput,
  ifMatch: number | null,
): Promise<PaymentRow> {
  const found = onlyPayment(await lockPayments(trx, [id]), direction);
  assertVersion(found, ifMatch);
  checkApply(input);
  const payment = await releaseAdvances(trx, ctx, found);
  if (decimal(unappliedAmount(payment)).lte(0)) {
    throw new ServiceError('nothing_open', 'The payment is fully applied; delete it to apply it differently');
  }
  const facts = await loadFacts(trx, ctx, { date: input.date });
  if (input.mode !== 'manual') {
    const { mode, from, to, allow_combination: allowCombination, date } = input;
    const request = { mode, from, to, allowCombination };
    const [done] = await reconcilePayments(trx, ctx, facts, direction, [payment], request, { tell: true, date });
    return done?.payment ?? payment;
  }
  const { linked_documents: linked = [] } = input;
  const documents = await lockDebts(
    trx,
    linked.map((link) => link.document_id),
  );
  const on = applicationDay(facts, payment, [...documents.values()], input.date);
  const links = resolveLinks(linked, documents, {
    direction,
    partnerId: payment.partner.id,
    currency: payment.currency,
    remaining: unappliedAmount(payment),
    date: on.date,
    facts: factsIn(facts, payment),
  });
  const [done] = await writeApplications(trx, ctx, direction, documents, [{ payment, links, ...on }]);
  return done ?? payment;
}

function checkApply({ mode, linked_documents: linked = [], ...range }: ApplyInput): void {
  const faults = new Faults();
  if (mode === 'manual' && linked.length === 0)
    faults.add('/linked_documents', 'required', 'must name the documents to apply it to');
  if (mode !== 'manual' && linked.length > 0) {
    throw invalidMember('/linked_documents', 'not_allowed', `is allowed only with the mode manual, not with ${mode}`);
  }
  checkRange(range, '', faults);
  faults.throwIfAny();
}
