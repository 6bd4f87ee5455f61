/** payment.reconcile: matches the payment that the rule runs for. */
import { invalidMember, ServiceError } from '../../../../domain/errors.ts';
import type { PaymentDirection } from '../../../../domain/trade/payments/types.ts';
import { applyPayment } from '../../../trade/payments/apply.ts';
import { paymentToJson } from '../../../trade/payments/payment.ts';
import type { Subject } from '../subject.ts';
import type { WritingAction } from './action.ts';

export const reconcilePayment: WritingAction<'payment.reconcile'> = {
  needs: (subject) => [`payments_${requirePayment(subject).direction}:update`],

  async write(trx, ctx, { action, subject }) {
    const { id, direction } = requirePayment(subject);
    try {
      const payment = await applyPayment(trx, ctx, direction, id, { mode: action.mode }, null);
      return { payment_id: id, reconciliation: paymentToJson(payment).reconciliation ?? null };
    } catch (error) {
      // Whoever registered it may have applied all of it.
      if (!(error instanceof ServiceError) || error.code !== 'nothing_open') throw error;
      return { payment_id: id, nothing_open: true };
    }
  },
};

/** @throws ServiceError for events without a payment */
function requirePayment({ payment }: Subject): { readonly id: string; readonly direction: PaymentDirection } {
  if (payment === undefined)
    throw invalidMember('/type', 'not_applicable', 'cannot be done because there is no payment');
  return payment as unknown as { readonly id: string; readonly direction: PaymentDirection };
}
