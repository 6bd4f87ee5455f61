/** The rows of lists of payments. */
import { fragment } from '../../db/queries/fragments.ts';
import type { PaymentDirection } from '../../domain/payments/types.ts';
import { PAYMENT_COLUMNS, PAYMENT_FROM, type PaymentRow, paymentAnswer } from '../../services/payments/payment.ts';
import { day } from '../../services/validation/schemas.ts';
import { assertDay } from '../list.ts';
import type { ListRequest, ListRows } from '../list-route.ts';

/** Parameters of a list besides its grammar. */
export const RANGE = {
  from: day({ description: 'Payments of this day and later' }),
  to: day({ description: 'Payments of this day and earlier' }),
};

export function paymentRows(
  { query: { from, to, ...query } }: Pick<ListRequest<unknown>, 'query'>,
  direction: PaymentDirection,
): ListRows<PaymentRow> {
  return {
    from: PAYMENT_FROM,
    where: [fragment(`p.direction = '${direction}' and p.payment_method <> 'offset'`)],
    columns: [PAYMENT_COLUMNS],
    parameters: {
      ...query,
      ...(from === undefined ? {} : { 'payment_date[gte]': assertDay('from', from) }),
      ...(to === undefined ? {} : { 'payment_date[lte]': assertDay('to', to) }),
    },
    toJson: paymentAnswer,
  };
}
