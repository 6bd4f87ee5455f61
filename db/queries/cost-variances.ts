/** SQL of what goods with standard costs really cost, above that (decision 0321). */
import { standardCost } from './stock-values.ts';

/** Kinds of variances: of purchases, of later costs and prices, of counts with a cost, of assemblies, and of new standard costs. */
export const VARIANCE_KINDS = ['purchase', 'cost_change', 'count', 'assembly', 'new_standard'] as const;

/** The price of one of the goods of the receipt `b`, by its invoices, without landed costs. */
const PRICE = `b.given_cost + (select coalesce(sum(a.given_value), 0) from stock_layers a join stock_movements p on p.id = a.id
      where a.adjusts_id = b.id and a.follows_id is null and p.landed_cost_id is null) / nullif(b.quantity, 0)`;

/** Goods of customers that came back, at the standard cost at which they left. */
const RETURNED = `(v.quantity > 0 and b.id is not null and m.doc_type in ('SDN', 'SINV'))`;

/**
 * Variances of the days from `:from` to `:to`: `item_id`, `kind`, `quantity`, `actual` and `standard` (values). A new standard cost turns
 * the value of the stock before it into that after it. Goods that go back to their supplier do at the price at which they came: nobody
 * pays back what else they cost.
 */
export const VARIANCES = `
  select v.item_id, case when v.quantity = 0 then 'cost_change' when ${RETURNED} then 'new_standard'
      when m.doc_type is not null then 'purchase'
      when o.kind = 'assembly' then 'assembly' else 'count' end as kind, v.quantity,
    case when v.quantity = 0 then coalesce(v.given_value, 0)
      when ${RETURNED} then v.quantity * coalesce(${standardCost('v.item_id', 'b.date')}, b.unit_cost)
      else v.quantity * coalesce(v.given_cost, ${PRICE}, v.unit_cost) end as actual,
    v.quantity * c.cost as standard
  from items i join (select distinct item_id, warehouse_id from stock_levels) s on s.item_id = i.id
    cross join lateral (select * from stock_layers l
      where l.item_id = s.item_id and l.warehouse_id = s.warehouse_id and l.date between :from::date and :to::date
      order by l.date, l.seq) v
    cross join lateral (select ${standardCost('v.item_id', 'v.date')} as cost offset 0) c
    left join stock_layers b on b.id = v.source_id
    join stock_movements m on m.id = v.id left join stock_operations o on o.id = m.operation_id
  where i.cost_method = 'standard' and c.cost is not null and (v.given_cost is not null and v.source_id is null
    or m.doc_type in ('PDN', 'PINV') and v.quantity <> 0 or ${RETURNED} or v.adjusts_id is not null and v.follows_id is null)
  union all
  select n.item_id, 'new_standard', v.quantity_after, coalesce(v.quantity_after * o.cost, v.average_after),
    v.quantity_after * n.cost
  from standard_costs n join items i on i.id = n.item_id
    left join lateral (select ${standardCost('n.item_id', '(n.date - 1)')} as cost) o on true
    cross join lateral (select distinct warehouse_id from stock_levels where item_id = n.item_id) s
    cross join lateral (select quantity_after, average_after from stock_layers l
      where l.item_id = n.item_id and l.warehouse_id = s.warehouse_id and l.date < n.date order by l.date desc, l.seq desc limit 1) v
  where i.cost_method = 'standard' and n.date between :from::date and :to::date`;
