/** Kinds of income that a withheld line was withheld from, by the accounts of its entry. */
import { IS_WITHHELD_ELSEWHERE } from './withheld.ts';

/**
 * SQL that joins `income` to the withheld lines `l`: rents (621), dividends (526; 557 on account; 664 of shares that are debts), and
 * interest (661, 662, 669; 506, 527, 528 unpaid), of which that of bonds (661, 506). Null for all other lines.
 */
export const JOIN_INCOME = `left join lateral (
    select bool_or(a.code like '621%') as is_rent, bool_or(a.code ~ '^(526|557|664)') as is_dividend,
      bool_or(a.code ~ '^(661|662|669|506|527|528)') as is_interest, bool_or(a.code ~ '^(661|506)') as is_of_bonds
    from journal_lines c join accounts a on a.id = c.account_id where c.entry_id = l.entry_id and l.tax_kind = 'withholding'
  ) income on true`;

/** Whether a line withholds from income of capital, and not from what models 111 and 115 declare. */
export const IS_CAPITAL = `(${IS_WITHHELD_ELSEWHERE} and (income.is_dividend or income.is_interest) and not income.is_rent)`;
