/** Reads sales to consumers in other member states from the ledger, for model 369. */
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import type { UnionSale } from '../../../domain/ledger/tax-returns/model369.ts';
import type { Days } from './taxes.ts';

/** SQL: whether an operation is such a sale. */
export const isUnionSale = (operation: string) => `${operation} in ('oss_goods', 'oss_services')`;
export const IS_UNION_SALE = isUnionSale('l.tax_operation');

const SQL = `
  with sold as (
    select l.entry_id, l.date, l.account_id, l.tax_operation, l.tax_group_id, l.tax_rate, sum(l.tax_base) as base,
      sum(l.tax_amount) as amount
    from journal_lines l
    where l.date between :from::date and :to::date and l.kind = 'normal' and ${IS_UNION_SALE}
    group by 1, 2, 3, 4, 5, 6
  )
  select t.consumption_country as country, s.tax_operation = 'oss_goods' as goods, t.rate_kind as "rateKind", s.tax_rate::text as rate,
    s.date::text, coalesce(o.date, r.date)::text as corrects, s.account_id as "accountId", sum(s.base)::text as base,
    sum(s.amount)::text as amount
  from sold s join taxes t on t.id = s.tax_group_id join journal_entries e on e.id = s.entry_id
    left join journal_entries r on r.id = e.reversal_of
    left join documents d on d.id = e.source_id and e.source_type = 'sales_invoice'
    left join documents o on o.id = d.rectifies
  group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7`;

export async function readUnionSales(reader: Reader, days: Days): Promise<UnionSale[]> {
  return await query<UnionSale>(reader, SQL, { ...days });
}
