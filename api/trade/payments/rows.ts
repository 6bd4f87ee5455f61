/** Rows of payment lists. */
import { fragment } from '../../../db/queries/fragments.ts';
import type { PaymentDirection } from '../../../domain/trade/payments/types.ts';
import { day } from '../../../services/platform/validation/schemas.ts';
import {
  PAYMENT_COLUMNS,
  PAYMENT_FROM,
  type PaymentRow,
  paymentAnswer,
} from '../../../services/trade/payments/payment.ts';
import { assertDay } from '../../lists/list.ts';
import type { ListRequest, ListRows } from '../../lists/list-route.ts';

/** Date parameters of a list, in addition to its filters. */
export const RANGE = {
  from: day({ description: 'Payments on or after this date' }),
  to: day({ description: 'Payments on or before this date' }),
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
