/** Income tax that the company withholds from income of capital, by recipient: models 123 and 193. */
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import type { CapitalIncome } from '../../../domain/ledger/tax-returns/model123.ts';
import { LINE_PARTNER } from '../accounting/partner-entries.ts';
import { IS_CAPITAL, JOIN_INCOME } from './paid-income.ts';
import { provinceSql } from './province.ts';
import type { Days } from './taxes.ts';
import { IS_WITHHELD } from './withheld.ts';

/** A dividend that was taken back counts on the day of its entry, not on that of the reversal. */
const SQL = `
  select case when income.is_dividend then 'dividend' else 'interest' end as kind,
    case when income.is_dividend then coalesce(b.date, l.date)::text end as "accruedOn", income.is_of_bonds as "isOfBonds",
    p.id as "partnerId", p.name, p.nif, p.country_code as country, p.related as "isRelated", ${provinceSql('p')} as province,
    l.tax_rate::text as rate,
    round(sum(l.tax_base), 2)::text as base, round(sum(l.credit - l.debit), 2)::text as withheld
  from journal_lines l
  ${JOIN_INCOME}
  join journal_entries e on e.id = l.entry_id
  left join journal_entries b on b.id = e.reversal_of
  left join ${LINE_PARTNER} o on true
  left join partners p on p.id = o.partner_id
  where l.date between :from::date and :to::date and l.kind = 'normal' and ${IS_WITHHELD} and ${IS_CAPITAL}
  group by 1, 2, 3, p.id, p.name, p.nif, p.country_code, p.related, l.tax_rate
  having sum(l.tax_base) <> 0 or sum(l.credit - l.debit) <> 0
  order by p.name, p.id, 1, 2, 3, l.tax_rate`;

/** Income without a recipient, whose entry names nobody, is declared too, so that the sums are those of the ledger. */
export async function readCapitalIncome(reader: Reader, days: Days): Promise<CapitalIncome[]> {
  return await query<CapitalIncome>(reader, SQL, { ...days });
}
