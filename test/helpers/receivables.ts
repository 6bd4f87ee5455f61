/** Posted invoices of a test company and what its customer pays, by the services themselves. */

import { createDocument } from '../../services/trade/lifecycle/create.ts';
import { postInvoice } from '../../services/trade/lifecycle/post.ts';
import type { PaymentRow } from '../../services/trade/payments/payment.ts';
import { registerPayment } from '../../services/trade/payments/register.ts';
import type { PaymentInput } from '../../services/trade/payments/schemas.ts';
import type { TestCompany } from './company.ts';

/** An invoice of exactly this total, since its VAT is exempt. @returns its id */
export async function owed(company: TestCompany, total: number, reference?: string): Promise<string> {
  const { ctx, customerId: partnerId, taxId: taxGroupId } = company;
  const lines = [{ description: 'Servicio', quantity: 1, price: total, taxGroupId, vatRegime: 'exempt' as const }];
  return company.run(async (trx) => {
    const head = reference === undefined ? { partnerId } : { partnerId, reference };
    const { id } = await createDocument(trx, ctx, 'SINV', { ...head, lines });
    await postInvoice(trx, ctx, String(id), { ifMatch: null });
    return String(id);
  });
}

/** A transfer from the customer on the company's day. */
export function received(company: TestCompany, amount: number, more: Partial<PaymentInput> = {}): Promise<PaymentRow> {
  const { ctx, customerId: partner_id } = company;
  const payment_date = ctx.now.toISOString().slice(0, 10);
  const payment = { partner_id, amount, payment_date, payment_method: 'transfer', ...more } as const;
  return company.run((trx) => registerPayment(trx, ctx, 'in', payment));
}
