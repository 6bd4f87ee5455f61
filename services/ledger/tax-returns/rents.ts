/** Income tax that the company withholds from rents, by landlord: models 115 and 180. */
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import type { Rent } from '../../../domain/ledger/tax-returns/model115.ts';
import { LINE_PARTNER } from '../accounting/partner-entries.ts';
import type { Days } from './taxes.ts';
import { IS_WITHHELD } from './withheld.ts';

/** Whether an entry has a line on an account of rents; `l` is another of its lines. */
export const IS_RENT = `exists (select from journal_lines r join accounts a on a.id = r.account_id
  where r.entry_id = l.entry_id and a.code like '621%')`;

/**
 * Lines of tax withheld by the company in entries with a line on an account of rents (621 of the chart). Wages and professionals are
 * in models 111 and 190.
 */
const SQL = `
  select p.id as "partnerId", p.name, p.nif, p.country_code as country, l.tax_rate::text as rate,
    round(sum(l.tax_base), 2)::text as base, round(sum(l.credit - l.debit), 2)::text as withheld
  from journal_lines l
  left join ${LINE_PARTNER} o on true
  left join partners p on p.id = o.partner_id
  where l.date between :from::date and :to::date and l.kind = 'normal' and ${IS_WITHHELD}
    and ${IS_RENT}
  group by 1, 2, 3, 4, 5 having sum(l.tax_base) <> 0 or sum(l.credit - l.debit) <> 0
  order by p.name, p.id, 5`;

/** Rents without a landlord, whose entry names nobody, are declared too, so that the sums are those of the ledger. */
export async function readRents(reader: Reader, days: Days): Promise<Rent[]> {
  return await query<Rent>(reader, SQL, { ...days });
}
