/** Income tax that the company withholds from income of capital, by recipient: models 123 and 193. */
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import type { CapitalIncome } from '../../../domain/ledger/tax-returns/model123.ts';
import { LINE_PARTNER } from '../accounting/partner-entries.ts';
import { provinceSql } from './province.ts';
import { IS_RENT } from './rents.ts';
import type { Days } from './taxes.ts';
import { IS_WITHHELD, IS_WITHHELD_ELSEWHERE } from './withheld.ts';

const entryHas = (accounts: string) => `exists (select from journal_lines c join accounts a on a.id = c.account_id
  where c.entry_id = l.entry_id and (${accounts}))`;
/** Dividends (526; 557 on account; 664 of shares that are debts), as against interest (661, 662, 669; 506, 527, 528 unpaid). */
const IS_DIVIDEND = entryHas(`a.code ~ '^(526|557|664)'`);
const IS_INTEREST = entryHas(`a.code ~ '^(661|662|669|506|527|528)'`);

const IS_OF_BONDS = entryHas(`a.code ~ '^(661|506)'`);

/** Whether a line withholds from income of capital: its entry has dividends or interest, and models 111 and 115 do not declare it. */
export const IS_CAPITAL = `(${IS_WITHHELD_ELSEWHERE} and (${IS_DIVIDEND} or ${IS_INTEREST}) and not ${IS_RENT})`;

/** A dividend that was taken back counts on the day of its entry, not on that of the reversal. */
const SQL = `
  select case when ${IS_DIVIDEND} then 'dividend' else 'interest' end as kind,
    case when ${IS_DIVIDEND} then coalesce(b.date, l.date)::text end as "accruedOn", ${IS_OF_BONDS} as "isOfBonds",
    p.id as "partnerId", p.name, p.nif, p.country_code as country, p.related as "isRelated", ${provinceSql('p')} as province,
    l.tax_rate::text as rate,
    round(sum(l.tax_base), 2)::text as base, round(sum(l.credit - l.debit), 2)::text as withheld
  from journal_lines l
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
