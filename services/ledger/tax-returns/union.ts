/** Reads operations with the Union from the ledger, for model 349. */
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import type { UnionBase } from '../../../domain/ledger/tax-returns/model349.ts';
import type { Days } from './taxes.ts';

/** Sales bear no tax; of purchases the lines of the tax that is deducted count, not those of the tax that the company owes itself. */
export const IS_UNION = `(l.tax_operation in ('intra_eu_goods', 'intra_eu_services')
  and (l.tax_kind = 'input' or l.tax_kind = 'output' and l.tax_rate = 0))`;

const SQL = `
  with taxed as (
    select l.entry_id, l.date, case when l.tax_kind = 'output' then case l.tax_operation when 'intra_eu_goods' then 'E' else 'S' end
        when l.tax_operation = 'intra_eu_goods' then 'A' else 'I' end as key, sum(l.tax_base) as base
    from journal_lines l
    where l.date between :from::date and :to::date and l.kind = 'normal' and ${IS_UNION}
    group by 1, 2, 3
  )
  select t.key, t.date::text, o.date::text as corrects, p.id as "partnerId", p.name, p.nif, p.country_code as country,
    round(sum(t.base), 2)::text as base
  from taxed t join journal_entries e on e.id = t.entry_id
    cross join lateral (select n.partner_id from journal_lines n where n.entry_id = t.entry_id and n.partner_id is not null
      order by n.line_number limit 1) n
    join partners p on p.id = n.partner_id
    left join documents d on d.id = e.source_id and e.source_type in ('sales_invoice', 'purchase_invoice')
    left join documents o on o.id = d.rectifies
  group by 1, 2, 3, 4, 5, 6, 7 having round(sum(t.base), 2) <> 0
  order by p.name, p.id, 1, 2, 3`;

export async function readUnionBases(reader: Reader, days: Days): Promise<UnionBase[]> {
  return await query<UnionBase>(reader, SQL, { ...days });
}
