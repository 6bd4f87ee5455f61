/** Income tax that the company withholds from rents, by landlord and property: models 115 and 180. */
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import type { Rent } from '../../../domain/ledger/tax-returns/model115.ts';
import { LINE_PARTNER } from '../accounting/partner-entries.ts';
import { JOIN_INCOME } from './paid-income.ts';
import { provinceSql } from './province.ts';
import type { Days } from './taxes.ts';
import { IS_WITHHELD } from './withheld.ts';

/**
 * The property of an entry: the one with the cost center of its first line of rents, else that of the landlord without a cost center.
 * Without a cost center of its own, a rent is also of the only property of the landlord.
 */
const PROPERTY = `lateral (
    select t.id
    from (select (
      select r.cost_center_id from journal_lines r join accounts a on a.id = r.account_id
      where r.entry_id = l.entry_id and a.code like '621%' order by r.line_number limit 1) as cost_center_id) rent
    join rented_properties t on t.partner_id = o.partner_id and (
      t.cost_center_id = rent.cost_center_id
      or (t.cost_center_id is null or rent.cost_center_id is null) and not exists (
        select from rented_properties u where u.partner_id = t.partner_id and u.id <> t.id
          and (t.cost_center_id is not null or u.cost_center_id is null or u.cost_center_id = rent.cost_center_id)))
  )`;

/**
 * Lines of tax withheld by the company in entries with a line on an account of rents (621 of the chart). Wages and professionals are
 * in models 111 and 190.
 */
const SQL = `
  with sums as (
    select o.partner_id, t.id as property_id, l.tax_rate, round(sum(l.tax_base), 2)::text as base,
      round(sum(l.credit - l.debit), 2)::text as withheld
    from journal_lines l
    ${JOIN_INCOME}
    left join ${LINE_PARTNER} o on true
    left join ${PROPERTY} t on true
    where l.date between :from::date and :to::date and l.kind = 'normal' and ${IS_WITHHELD}
      and income.is_rent
    group by 1, 2, 3 having sum(l.tax_base) <> 0 or sum(l.credit - l.debit) <> 0
  )
  select p.id as "partnerId", p.name, p.nif, p.country_code as country, ${provinceSql('p')} as province, s.tax_rate::text as rate,
    s.base, s.withheld,
    (select json_build_object('id', t.id, 'name', t.name, 'cadastralReference', t.cadastral_reference, 'streetType', t.street_type,
        'street', t.street, 'number', t.number, 'stairs', t.stairs, 'floor', t.floor, 'door', t.door, 'details', t.details,
        'municipality', t.municipality, 'municipalityCode', t.municipality_code, 'zipCode', t.zip_code)
      from rented_properties t where t.id = s.property_id) as property
  from sums s left join partners p on p.id = s.partner_id
  order by p.name, p.id, s.tax_rate, s.property_id`;

/** Rents without a landlord, whose entry names nobody, are declared too, so that the sums are those of the ledger. */
export async function readRents(reader: Reader, days: Days): Promise<Rent[]> {
  return await query<Rent>(reader, SQL, { ...days });
}
