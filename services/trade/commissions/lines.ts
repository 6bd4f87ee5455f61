/** SQL of the commissions for sold lines: those that were settled as they were, the others by the rates of today. */
import { inCompany } from '../../../db/queries/company-amounts.ts';
import { costOfGoods } from '../../../db/queries/cost-of-goods.ts';
import { PLACES } from '../../platform/settings/format.ts';
import { SOLD_LINES } from '../lines/sold.ts';

/** Each category with itself and those above it, and how deep these lie. */
const LINEAGE = `lineage as (
    select id as category_id, id as above, depth from categories
    union all select l.category_id, c.parent_id, p.depth
    from lineage l join categories c on c.id = l.above join categories p on p.id = c.parent_id)`;

/** Whether the margin of a line reaches that of a rate; what a line credits decides for it. */
const REACHED = `(coalesce(k.amount, s.amount) <> 0 and (coalesce(k.amount, s.amount) - coalesce(k.cost, s.cost)) * 100
        / coalesce(k.amount, s.amount) >= r.min_margin_percent)`;

/** Whether a rate fits a line of the item's category. */
const FITS = `r.active and (r.salesperson_id is null or r.salesperson_id = s.salesperson_id)
      and (r.item_id is null or r.item_id = s.item_id) and (r.category_id is null or g.above is not null)
      and (r.min_margin_percent is null or ${REACHED})
      and s.rates_on between coalesce(r.valid_from, '-infinity') and coalesce(r.valid_to, 'infinity')`;

/**
 * A statement about `commissions`: the lines sold from `:from` to `:to` by salespeople (`:salesperson`, or all if that is null), with
 * basis, base, percent, commission, whether they were settled, and whether their invoice is paid. What was agreed on a line counts,
 * otherwise the narrowest rate that fits: for the salesperson, for the item, for the nearest category, for the greatest margin that is
 * reached. What is credited or cancelled takes back at the percentage at which it was settled.
 */
export function commissionsSql(select: string): string {
  return `with recursive ${LINEAGE}, commissions as (
    select s.date, s.sign, s.id as line_id, s.line_number, s.document_id, s.document_code, s.partner_id, s.item_id, s.description,
      s.salesperson_id, s.project_id, s.cost_center_id, s.amount as revenue, s.cost, s.paid, c.settlement_id,
      coalesce(c.basis, a.basis) as basis, coalesce(c.percent, a.percent) as percent, coalesce(c.base, b.base) as base,
      coalesce(c.amount, round(b.base * a.percent / 100, ${PLACES})) as commission
    from (${SOLD_LINES}) s
    left join items i on i.id = s.item_id
    left join commission_lines c on c.line_id = s.id and c.sign = s.sign
    left join commission_lines o on o.line_id = coalesce(s.credits_line_id, s.id) and o.sign = 1
      and (s.credits_line_id is not null or s.sign = -1)
    left join lateral (
      select ${inCompany('l', 'amount')} as amount, ${costOfGoods(PLACES)} as cost
      from document_lines l join documents d on d.id = l.document_id left join items i on i.id = l.item_id
      where l.id = s.credits_line_id) k on c.id is null and o.id is null
    left join lateral (
      select r.basis, r.percent from commission_rates r
        left join lineage g on g.category_id = i.category_id and g.above = r.category_id
      where c.id is null and o.id is null and s.commission_percent is null and ${FITS}
      order by r.salesperson_id is null, r.item_id is null, g.depth desc nulls last, r.min_margin_percent desc nulls last, r.id
      limit 1) r on true
    cross join lateral (
      select coalesce(o.percent, s.commission_percent, r.percent, 0) as percent,
        coalesce(o.basis, case when s.commission_percent is null then r.basis end, 'amount') as basis) a
    cross join lateral (
      select case a.basis when 'margin' then s.amount - s.cost else s.amount end as base) b
    where s.salesperson_id is not null and (:salesperson::uuid is null or s.salesperson_id = :salesperson::uuid)
  ) ${select}`;
}
