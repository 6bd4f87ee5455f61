/** Loads orders to the bank without a statement line, whole or by the batches that the bank books as one sum. */
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import type { OpenOrder } from '../../../domain/bank/statements/suggestion.ts';
import type { Decimal } from '../../../domain/money.ts';

/** Maximum days before and after its date that the bank may book an order. */
const MAX_DAYS = { before: 5, after: 30 } as const;
/** Maximum items of an order in a suggestion. */
const MAX_SHOWN = 100;

/** Deleting a payment changes its order's amount. */
const ORDERS_SQL = `
  with booked as (
    select o.id, i.batch, count(*) as count, sum(i.amount) as total
    from sepa_orders o join sepa_order_items i on i.order_id = o.id
    where o.bank_account_id = any(:accounts::uuid[])
      and o.date between :from::date - :after::integer and :to::date + :before::integer
    group by grouping sets ((o.id), (o.id, i.batch))
    having sum(i.amount) = any(:amounts::numeric[])
      and not bool_or(i.payment_id is null and i.document_id is null)
      and not bool_or(exists (select from bank_line_payments p where p.payment_id = i.payment_id))
  )
  select o.id, b.batch, o.kind, o.message_id as "messageId", o.date, b.count::integer, b.total::text, o.bank_account_id as "bankAccountId",
    (select json_agg(json_build_object('paymentId', item.payment_id, 'documentId', item.document_id, 'documentCode', item.code,
        'partnerName', item.name, 'amount', item.amount::text) order by item.position)
     from (select i.position, i.payment_id, i.document_id, d.code, partner.name, i.amount
       from sepa_order_items i
       left join payments p on p.id = i.payment_id
       left join documents d on d.id = i.document_id
       left join partners partner on partner.id = coalesce(d.partner_id, p.partner_id)
       where i.order_id = o.id and (b.batch is null or i.batch = b.batch) order by i.position limit :shown::integer) item) as items
  from booked b join sepa_orders o on o.id = b.id
  where b.batch is null or b.count < o.count`;

export type FoundOrder = OpenOrder & { readonly bankAccountId: string };

/**
 * Finds open orders.
 * @param days first and last date of the lines
 */
export async function findOpenOrders(
  reader: Reader,
  {
    accounts,
    amounts,
    from,
    to,
  }: {
    readonly accounts: readonly string[];
    readonly amounts: readonly Decimal[];
    readonly from: string;
    readonly to: string;
  },
): Promise<FoundOrder[]> {
  return query<FoundOrder>(reader, ORDERS_SQL, {
    accounts: [...accounts],
    amounts: [...amounts],
    from,
    to,
    ...MAX_DAYS,
    shown: MAX_SHOWN,
  });
}
