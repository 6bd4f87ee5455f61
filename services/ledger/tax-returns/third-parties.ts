/** Reads a year's operations with others from the ledger, for model 347. */
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { CASH_LIMIT_347, LIMIT_347, type Operations } from '../../../domain/ledger/tax-returns/model347.ts';
import { provinceSql } from './province.ts';
import type { Days } from './taxes.ts';

const QUARTERS = [1, 2, 3, 4];
const sumIn = (member: string, quarter: number) =>
  `round(coalesce(sum(${member}) filter (where quarter = ${quarter}), 0), 2)`;
const each = (toSql: (quarter: number) => string) => QUARTERS.map(toSql).join(', ');

/**
 * Operations within the country, by the lines that say what tax they are of; those with the Union are in model 349, and imports and
 * exports are known to the customs (RD 1065/2007, art. 33.2). Entries with income tax withheld are left out: models 190 and 193 declare
 * them. Under the cash basis, operations count by their invoices (RD 1065/2007, art. 35).
 * @param from SQL of the first day, as `to` is of the last
 * @param partner SQL of the id of the only partner to read; null for all
 */
const operations = (from: string, to: string, partner: string | null = null) => {
  const days = `date between ${from} and ${to}`;
  const theirs =
    partner && `and l.entry_id in (select entry_id from journal_lines where partner_id = ${partner} and ${days})`;
  return `
  with named as (
    select distinct on (entry_id) entry_id, partner_id
    from journal_lines l where ${days} and partner_id is not null ${theirs ?? ''} order by entry_id, line_number
  ), withheld as (
    select entry_id from journal_lines l where ${days} and kind = 'normal' and tax_kind = 'withholding' ${theirs ?? ''}
  ), taxed as (
    select case when l.tax_kind in ('input', 'pending_input') then 'A' else 'B' end as key, n.partner_id,
      extract(quarter from l.date)::integer as quarter,
      case when l.tax_kind not in ('surcharge', 'pending_surcharge') then l.tax_base else 0 end
        + case when l.tax_operation <> 'reverse_charge' then l.tax_amount else 0 end as amount,
      case when l.tax_operation = 'reverse_charge' then l.tax_base end as reverse
    from journal_lines l join named n on n.entry_id = l.entry_id ${partner === null ? '' : `and n.partner_id = ${partner}`}
    where l.${days} and l.kind = 'normal' and l.entry_id not in (select entry_id from withheld) and (
      l.tax_kind = 'input' and l.tax_operation in ('domestic', 'agricultural', 'margin', 'exempt', 'not_subject', 'reverse_charge')
      or l.tax_kind = 'output' and (l.tax_operation in ('domestic', 'surcharge', 'margin', 'exempt', 'not_subject')
        or l.tax_operation = 'reverse_charge' and l.tax_rate = 0)
      or l.tax_kind = 'surcharge' and l.tax_operation in ('domestic', 'surcharge')
      or l.tax_kind in ('pending_output', 'pending_input', 'pending_surcharge')
      or l.tax_kind = 'input' and l.tax_operation = 'cash_basis' and l.tax_use = 'none')
    ${theirs ?? ''}
  ), cash as (
    select 'B' as key, m.partner_id, case m.direction when 'in' then 1 else -1 end * coalesce(m.company_amount, m.amount) as amount
    from payments m left join payments r on r.id = m.returns
    where m.${days} and m.payment_method = 'cash' and (m.direction = 'in' or r.direction = 'in')
      ${partner === null ? '' : `and m.partner_id = ${partner}`}
  ), operations as materialized (
    select key, partner_id, round(coalesce(sum(cash), 0), 2) as cash,
      ${each((quarter) => `${sumIn('amount', quarter)} as a${quarter}, ${sumIn('reverse', quarter)} as r${quarter}`)}
    from (
      select key, partner_id, quarter, amount, reverse, null as cash from taxed
      union all select key, partner_id, null, null, null, amount from cash
    ) declarable
    group by 2, 1
  )`;
};

const sql = (partner: string | null) => `${operations(':from::date', ':to::date', partner)}
  select o.key, f.id as "partnerId", f.name, f.nif, f.country_code as country, o.cash::text,
    json_build_array(${each((quarter) => `o.a${quarter}::text`)}) as quarters,
    json_build_array(${each((quarter) => `o.r${quarter}::text`)}) as reverse,
    ${provinceSql('f')} as province
  from operations o join partners f on f.id = o.partner_id
  order by f.name, f.id, 1`;

/**
 * @param partnerId the only one to read; null for all
 * @returns operations by person and key, also those below the limit
 */
export async function readOperations(
  reader: Reader,
  days: Days,
  partnerId: string | null = null,
): Promise<Operations[]> {
  if (partnerId === null) return await query<Operations>(reader, sql(null), { ...days });
  return await query<Operations>(reader, sql(':partner::uuid'), { ...days, partner: partnerId });
}

/** SQL of those that are declared. @param from SQL of the first day of a year, as `to` is of its last */
export function hasDeclared(from: string, to: string): string {
  return `${operations(from, to)}
    select from operations where abs(${QUARTERS.map((quarter) => `a${quarter}`).join(' + ')}) > ${LIMIT_347} or cash > ${CASH_LIMIT_347}`;
}
