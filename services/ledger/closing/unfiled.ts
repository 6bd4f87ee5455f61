/** SQL of returns that are filed here, end in a period, and have something to declare (decisions 0334 and 0347). */
import type { TaxModel } from '../../../domain/ledger/tax-returns/models.ts';
import { SPAIN } from '../../platform/settings/company.ts';
import { MODELS } from '../tax-returns/models.ts';
import { IS_CAPITAL, JOIN_INCOME } from '../tax-returns/paid-income.ts';
import { hasDeclared } from '../tax-returns/third-parties.ts';
import { IS_UNION } from '../tax-returns/union.ts';
import { IS_UNION_SALE } from '../tax-returns/union-sales.ts';
import { IS_WITHHELD, IS_WITHHELD_ELSEWHERE } from '../tax-returns/withheld.ts';
import { listed } from './items.ts';

/** CTEs: the ends of months, and by month whether the books have what models declare. */
export const UNFILED_SHARED = `ends as (
    select day, extract(month from day)::int as month from (select (month + interval '1 month - 1 day')::date as day
      from generate_series(date_trunc('month', :from::date), :to::date, interval '1 month') month) months where day <= :to::date
  ), declarable as materialized (
    select date_trunc('month', l.date)::date as month, bool_or(l.tax_kind <> 'withholding') as tax, bool_or(${IS_UNION}) as with_union,
      bool_or(${IS_UNION_SALE}) as union_sales,
      bool_or(${IS_WITHHELD} and not ${IS_WITHHELD_ELSEWHERE}) as withheld, bool_or(${IS_WITHHELD} and income.is_rent) as rents,
      bool_or(${IS_WITHHELD} and ${IS_CAPITAL}) as capital
    from journal_lines l
    ${JOIN_INCOME}
    where l.tax_kind is not null and l.kind = 'normal' and l.date between (select
        date_trunc(case when exists (select from ends where month = 12) then 'year' else 'quarter' end, :from::date::timestamp)::date
      ) and :to::date
    group by 1
  )`;

const has = (what: 'tax' | 'with_union' | 'union_sales' | 'withheld' | 'rents' | 'capital') =>
  `exists (select from declarable d where d.${what} and d.month between first and day)`;
const WAGES = `exists (select from payrolls p where p.status = 'O' and p.year = extract(year from day)
  and p.month between extract(month from first) and extract(month from day))`;
const WITHHELD = `(${has('withheld')} or ${WAGES})`;

const UNDER_SCHEME = `exists (select from settings s where s.name = 'tax' and (s.value ->> 'ossFrom')::date <= day)`;

/** Whether a model has something to declare between `first` and `day`. */
const DECLARES: Readonly<Record<TaxModel, string>> = {
  '111': WITHHELD,
  '115': has('rents'),
  '123': has('capital'),
  '130': `exists (select from settings s where s.name = 'tax' and s.value ->> 'taxpayer' = 'sole_trader')`,
  '180': has('rents'),
  '190': WITHHELD,
  '193': has('capital'),
  '303': has('tax'),
  '347': `exists (${hasDeclared('first', 'day')})`,
  '349': has('with_union'),
  // Companies under the scheme declare quarters without sales too (Directive 2006/112/EC, art. 369f).
  '369': `(${has('union_sales')} or ${UNDER_SCHEME})`,
  '390': has('tax'),
  '420': has('tax'),
  '425': has('tax'),
};

const TAX_SET = `coalesce((select s.value ->> 'taxSet' from settings s where s.name = 'company'), 'vat')`;

/** Ends of the model's periods with their first days: those of its latest return, or quarters, or years. */
function dueSql(model: TaxModel): string {
  const { periods, carries, taxSet } = MODELS[model];
  const months = periods.length === 1 ? '12' : periods.includes('01') ? '1' : '3';
  const latest = `(select case when period like '%T' then 3 else 1 end from tax_returns where model = '${model}'
    order by "to" desc limit 1)`;
  const length = months === '1' ? `coalesce(${latest}, 3)` : months;
  // Models that carry amounts over cannot be filed for earlier periods any more.
  const covers = carries === null ? `r."from" <= day and r."to" >= day` : `r."to" >= day`;
  const parameter = model === '130' ? `'&quarter=' || extract(quarter from day)` : `'&period=' || period`;
  const more = periods.length === 1 ? `''` : parameter;
  return `select null::uuid as id, concat_ws(' ', '${model}', extract(year from day), period) as name,
      '/api/reports/tax/model${model}?year=' || extract(year from day) || ${more} as path
    from (select day, month, length, (date_trunc('month', day) - make_interval(months => length - 1))::date as first,
        case length when 12 then '0A' when 1 then lpad(month::text, 2, '0') else (month / 3) || 'T' end as period
      from ends, (select ${length} as length) own) due
    where month % length = 0 and not exists (select from tax_returns r where r.model = '${model}' and ${covers})
      and ${DECLARES[model]}${taxSet === null ? '' : ` and ${TAX_SET} = '${taxSet}'`}`;
}

export const UNFILED = listed(`select * from (
    ${(Object.keys(MODELS) as TaxModel[]).map(dueSql).join('\n    union all ')}) unfiled
  where not exists (select from settings s where s.name = 'company' and s.value ->> 'country' <> '${SPAIN}')`);
