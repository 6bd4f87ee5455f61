import type { Context } from '../../db/context.ts';
import { newId } from '../../db/ids.ts';
import type { PaymentFacts } from './facts.ts';
import { outcomeMembers, type PaymentRow } from './payment.ts';

type Given = 'direction' | 'partner' | 'amount' | 'appliedTotal' | 'date' | 'periodId' | 'paymentMethod' | 'links';
type Optional = 'bankAccountId' | 'reference' | 'notes' | 'reconciliation' | 'reconciliationRequest';

/** A payment to be registered, in the company's currency; without matching unless requested. */
export function newPayment(
  ctx: Context,
  { currency, places }: Pick<PaymentFacts, 'currency' | 'places'>,
  members: Pick<PaymentRow, Given> & Partial<Pick<PaymentRow, Optional>>,
): PaymentRow {
  const now = ctx.now.toISOString();
  return {
    id: newId(),
    partnerId: members.partner.id,
    currency,
    places,
    bankAccountId: null,
    reference: null,
    notes: null,
    reconciliation: null,
    reconciliationRequest: null,
    ...outcomeMembers(null),
    createdBy: ctx.userId,
    version: 1,
    createdAt: now,
    updatedAt: now,
    ...members,
  };
}
