import type { Context } from '../../db/context.ts';
import { newId } from '../../db/ids.ts';
import type { PaymentFacts } from './facts.ts';
import type { PaymentRow } from './payment.ts';

type Given = 'direction' | 'partner' | 'amount' | 'appliedTotal' | 'date' | 'periodId' | 'method' | 'links';
type Optional = 'bankAccountId' | 'reference' | 'notes' | 'reconciliation' | 'request';

/** A payment that is about to be registered, in the company's currency; nothing waits to be matched unless it is said. */
export function newPayment(
  ctx: Context,
  { currency, places }: Pick<PaymentFacts, 'currency' | 'places'>,
  members: Pick<PaymentRow, Given> & Partial<Pick<PaymentRow, Optional>>,
): PaymentRow {
  const now = ctx.now.toISOString();
  return {
    id: newId(),
    currency,
    places,
    bankAccountId: null,
    reference: null,
    notes: null,
    reconciliation: null,
    request: null,
    outcome: null,
    createdBy: ctx.userId,
    version: 1,
    createdAt: now,
    updatedAt: now,
    ...members,
  };
}
