/** Stock on hand, movements and their values. */
import { MIN_DECIMALS } from '../../domain/trade/stock/dust.ts';
import { flag, flagAt, type Invariant } from './invariant.ts';

/** The last digits of values and of unit costs, as they are stored. */
const LEAST_VALUE = '0.000001';
const LEAST_COST = '0.000000000001';

/** Components of the kits among lines `l`, one row each; one row without any for all others. */
const KIT_PARTS = 'left join lateral jsonb_array_elements(l.components) as c(part) on true';

export const STOCK: readonly Invariant[] = [
  {
    name: 'stock_is_sum_of_movements',
    title: 'stock on hand = Σ movements, for each item, warehouse, zone and batch',
    sql: `select tenant_id, item_id || ' in ' || warehouse_id as id, sum(quantity) = 0 as ok
      from (select tenant_id, item_id, warehouse_id, zone_id, batch_id, on_hand as quantity from stock_levels
        union all select tenant_id, item_id, warehouse_id, zone_id, batch_id, -quantity from stock_movements) both_sides
      group by tenant_id, item_id, warehouse_id, zone_id, batch_id`,
  },
  {
    name: 'movement_balances',
    title: 'the balance of a movement = Σ movements up to it',
    sql: `select tenant_id, id::text, balance = sum(quantity) over
        (partition by tenant_id, item_id, warehouse_id, zone_id, batch_id order by seq rows unbounded preceding) as ok
      from stock_movements`,
  },
  {
    name: 'layers_of_movements',
    title: 'each movement has its layer, of the same item, warehouse, day and quantity',
    sql: `select m.tenant_id, m.id::text, l.id is not null and (l.item_id, l.warehouse_id, l.date, l.seq, l.quantity)
        = (m.item_id, m.warehouse_id, m.date, m.seq, m.quantity) as ok
      from stock_movements m left join stock_layers l on l.tenant_id = m.tenant_id and l.id = m.id`,
  },
  {
    name: 'layers_run',
    title: 'each layer continues from the previous one: quantity and values by average and FIFO',
    sql: `select tenant_id, id::text,
        (quantity_after, average_after, fifo_after) = (sum(quantity) over stock, sum(average_change) over stock,
          sum(fifo_change) over stock)
        and (quantity_after <> 0 or (average_after = 0 and fifo_after = 0)) as ok
      from stock_layers
      window stock as (partition by tenant_id, item_id, warehouse_id order by date, seq rows unbounded preceding)`,
  },
  {
    name: 'layers_left',
    title: 'the remaining quantities of the layers add up to the stock on hand; owed quantities to the missing stock',
    sql: `select tenant_id, item_id || ' in ' || warehouse_id as id,
        sum(on_hand) = sum(remaining) and (bool_and(remaining >= 0) or bool_and(remaining <= 0)) as ok
      from (select tenant_id, item_id, warehouse_id, on_hand, 0 as remaining from stock_levels
        union all select tenant_id, item_id, warehouse_id, 0, remaining from stock_layers) both_sides
      group by tenant_id, item_id, warehouse_id`,
  },
  {
    name: 'stock_not_negative',
    title: 'no stock below zero, unless allowNegativeStock is on, or was when the last goods left',
    sql: `select l.tenant_id, l.item_id || ' in ' || l.warehouse_id as id, l.on_hand >= 0 or ${flag('l.tenant_id', 'allowNegativeStock')}
        or coalesce((select ${flagAt('m.tenant_id', 'allowNegativeStock', 'm.id')} from stock_movements m
          where m.tenant_id = l.tenant_id and m.item_id = l.item_id and m.warehouse_id = l.warehouse_id
            and m.zone_id is not distinct from l.zone_id and m.batch_id is not distinct from l.batch_id and m.quantity < 0
          order by m.seq desc limit 1), false) as ok
      from stock_levels l`,
  },
  {
    name: 'stock_not_negative_on_days',
    title:
      'no stock below zero at the end of any day, unless allowNegativeStock is on, or was when the last goods of that day or before ' +
      'left',
    sql: `select e.tenant_id, e.item_id || ' in ' || e.warehouse_id || ' on ' || e.date as id,
        round(e.quantity, ${MIN_DECIMALS}) >= 0 or ${flag('e.tenant_id', 'allowNegativeStock')} or coalesce((
          select ${flagAt('m.tenant_id', 'allowNegativeStock', 'm.id')} from stock_movements m
          where m.tenant_id = e.tenant_id and m.item_id = e.item_id and m.warehouse_id = e.warehouse_id and m.date <= e.date
            and m.quantity < 0
          order by m.seq desc limit 1), false) as ok
      from (select tenant_id, item_id, warehouse_id, date, sum(sum(quantity)) over (partition by tenant_id, item_id, warehouse_id
          order by date) as quantity
        from stock_movements group by 1, 2, 3, 4) e`,
  },
  {
    name: 'stock_commitments',
    title: 'reserved and incoming = open quantities of orders',
    sql: `with open_lines as (
        select l.tenant_id, coalesce((c.part->>'itemId')::uuid, l.item_id) as item_id, l.warehouse_id, d.doc_type,
          round(coalesce((c.part->>'quantity')::numeric, 1) * round(
            greatest(0, l.quantity - l.delivered_quantity - l.invoiced_quantity - l.closed_quantity) * l.base_quantity / l.quantity,
            6), 6) as quantity
        from document_lines l join documents d on d.tenant_id = l.tenant_id and d.id = l.document_id
        ${KIT_PARTS}
        where d.doc_type in ('SO', 'PO') and d.status <> 'X' and l.warehouse_id is not null
      ), expected as (
        select tenant_id, item_id, warehouse_id, coalesce(sum(quantity) filter (where doc_type = 'SO'), 0) as reserved,
          coalesce(sum(quantity) filter (where doc_type = 'PO'), 0) as incoming
        from open_lines group by 1, 2, 3
      )
      select coalesce(l.tenant_id, e.tenant_id) as tenant_id,
        coalesce(l.item_id, e.item_id) || ' in ' || coalesce(l.warehouse_id, e.warehouse_id) as id,
        coalesce(l.reserved, 0) = coalesce(e.reserved, 0) and coalesce(l.incoming, 0) = coalesce(e.incoming, 0) as ok
      from (select * from stock_levels where zone_id is null and batch_id is null) l
      full join expected e on e.tenant_id = l.tenant_id and e.item_id = l.item_id and e.warehouse_id = l.warehouse_id`,
  },
  {
    name: 'dust',
    title:
      'a movement that removes dust is less than half a thousandth, belongs to no line, and leaves its place empty',
    sql: `select m.tenant_id, m.id::text, round(m.quantity, ${MIN_DECIMALS}) = 0 and m.document_line_id is null
        and (m.balance = 0 or (m.quantity > 0 and exists (select from stock_movements o
          where o.tenant_id = m.tenant_id and o.item_id = m.item_id and o.warehouse_id = m.warehouse_id and o.seq > m.seq
            and o.zone_id is not distinct from m.zone_id and o.batch_id is not distinct from m.batch_id and o.balance = 0
            and (o.document_id = m.document_id or o.operation_id = m.operation_id)))) as ok
      from stock_movements m where m.rounding`,
  },
  {
    name: 'movements_of_documents',
    title:
      'notes, and posted invoices without notes, have moved exactly their lines; drafts and cancelled documents have moved nothing',
    sql: `with lines as (
        select l.tenant_id, d.id, coalesce((c.part->>'itemId')::uuid, l.item_id) as item_id, l.warehouse_id,
          round(coalesce((c.part->>'quantity')::numeric, 1) * case when d.status in ('D', 'X') or s.rectifying and not d.return_stock then 0
            when d.doc_type in ('SINV', 'PINV') and l.base_type in ('SDN', 'PDN') then 0
            when d.doc_type in ('SDN', 'SINV') then -l.base_quantity else l.base_quantity end, 6) as quantity
        from documents d join document_lines l on l.tenant_id = d.tenant_id and l.document_id = d.id
        ${KIT_PARTS}
        join series s on s.tenant_id = d.tenant_id and s.id = d.series_id
        where d.doc_type in ('SDN', 'SINV', 'PDN', 'PINV') and l.warehouse_id is not null
        union all
        select tenant_id, document_id, item_id, warehouse_id, -quantity from stock_movements
          where document_id is not null and not rounding
      )
      select tenant_id, id::text, bool_and(rest = 0) as ok
      from (select tenant_id, id, item_id, warehouse_id, sum(quantity) as rest from lines group by 1, 2, 3, 4) places
      group by 1, 2`,
  },
  {
    name: 'movements_of_operations',
    title:
      'each count has moved its differences, each transfer its goods from one place to the other, and each assembly its parts and what ' +
      'was made of them, on its date',
    sql: `with lines as (
        select o.tenant_id, o.id, o.date, (l->>'itemId')::uuid as item_id, o.warehouse_id, (l->>'zoneId')::uuid as zone_id,
          (l->>'batchId')::uuid as batch_id, (l->>'difference')::numeric as quantity
        from stock_operations o cross join jsonb_array_elements(o.lines) l where o.kind = 'adjustment'
        union all
        select o.tenant_id, o.id, o.date, (l->>'itemId')::uuid, place.warehouse_id, place.zone_id, (p->>'batchId')::uuid,
          place.sign * (p->>'quantity')::numeric
        from stock_operations o cross join jsonb_array_elements(o.lines) l cross join jsonb_array_elements(l->'moved') p
        cross join lateral (values (o.warehouse_id, (p->>'zoneId')::uuid, -1), (o.to_warehouse_id, (l->>'toZoneId')::uuid,
          1)) as place (warehouse_id, zone_id, sign)
        where o.kind = 'transfer'
        union all
        select o.tenant_id, o.id, o.date, (l->>'itemId')::uuid, o.warehouse_id, null, null,
          case when (l->>'produced')::boolean then 1 else -1 end * (l->>'quantity')::numeric
        from stock_operations o cross join jsonb_array_elements(o.lines) l where o.kind = 'assembly'
        union all
        select m.tenant_id, m.operation_id, m.date, m.item_id, m.warehouse_id, case when o.kind <> 'assembly' then m.zone_id end,
          case when o.kind <> 'assembly' then m.batch_id end, -m.quantity
        from stock_movements m join stock_operations o on o.tenant_id = m.tenant_id and o.id = m.operation_id
        where not m.rounding
      )
      select tenant_id, id::text, bool_and(rest = 0) as ok
      from (select tenant_id, id, date, item_id, warehouse_id, zone_id, batch_id, sum(quantity) as rest from lines
        group by 1, 2, 3, 4, 5, 6, 7) places
      group by 1, 2`,
  },
  {
    name: 'transferred_layers',
    title:
      'transferred goods left elsewhere in the same quantity; within one warehouse they kept their exact value, unless stock was negative',
    sql: `select l.tenant_id, l.id::text, l.quantity = -s.quantity and (l.warehouse_id = s.warehouse_id) = (l.given_cost is null)
        and (l.given_cost is not null or l.quantity_after < l.quantity
          or (l.average_change, l.fifo_change) = (-s.average_change, -s.fifo_change)) as ok
      from stock_layers l join stock_movements m on m.tenant_id = l.tenant_id and m.id = l.id and m.operation_id is not null
      left join stock_layers s on s.tenant_id = l.tenant_id and s.id = l.source_id
      where l.source_id is not null`,
  },
  {
    name: 'taken_back_movements',
    title: 'a movement that takes back another has its item and warehouse, and at most its quantity',
    sql: `select l.tenant_id, l.id::text, bool_and((s.item_id, s.warehouse_id) = (l.item_id, l.warehouse_id) and s.given_cost is null)
        and abs(sum(s.quantity) + coalesce(sum(u.quantity), 0)) <= abs(l.quantity) and bool_and(sign(s.quantity) <> sign(l.quantity)) as ok
      from stock_layers l join stock_layers s on s.tenant_id = l.tenant_id and s.source_id = l.id
      join stock_movements m on m.tenant_id = s.tenant_id and m.id = s.id and m.operation_id is null
      left join lateral (select sum(quantity) as quantity from stock_layers x where x.tenant_id = s.tenant_id and x.source_id = s.id) u
        on true
      group by l.tenant_id, l.id, l.quantity`,
  },
  {
    name: 'values_of_receipts',
    title:
      'goods that come in add what they cost to the value of the stock, less what that changes in the cost of goods that had left before',
    sql: `select l.tenant_id, l.id::text,
        abs(l.average_change - coalesce(sum((s.value->>'average')::numeric), 0) - l.quantity * l.unit_cost)
          <= ${LEAST_VALUE} + l.quantity * ${LEAST_COST}
        and abs(l.fifo_change - coalesce(sum((s.value->>'fifo')::numeric), 0) - l.quantity * l.fifo_unit_cost)
          <= ${LEAST_VALUE} + l.quantity * ${LEAST_COST} as ok
      from stock_layers l left join lateral jsonb_each(l.settles) s on true
      where l.quantity > 0 and (l.source_id is null or l.given_cost is not null)
      group by l.tenant_id, l.id, l.average_change, l.fifo_change, l.quantity, l.unit_cost, l.fifo_unit_cost`,
  },
  {
    name: 'settled_costs',
    title: 'the settled cost of a movement is the sum of the settlements by later movements of its stock',
    sql: `with settled as (
        select l.tenant_id, l.item_id, l.warehouse_id, s.key::uuid as id, (s.value->>'average')::numeric as average,
          (s.value->>'fifo')::numeric as fifo
        from stock_layers l cross join jsonb_each(l.settles) s
        union all select tenant_id, item_id, warehouse_id, id, -average_settled, -fifo_settled from stock_layers
          where average_settled <> 0 or fifo_settled <> 0
      )
      select tenant_id, id::text, sum(average) = 0 and sum(fifo) = 0 as ok from settled group by tenant_id, item_id, warehouse_id, id`,
  },
  {
    name: 'valuation_movements',
    title:
      'a movement of quantity zero changes the cost of an earlier receipt of its stock, divided among goods on hand and goods that have ' +
      'left; the change is zero only if goods went back to the supplier',
    sql: `select l.tenant_id, l.id::text, (l.quantity = 0) = (l.adjusts_id is not null) and (l.adjusts_id is null
          or (r.item_id, r.warehouse_id) = (l.item_id, l.warehouse_id) and (r.date, r.seq) < (l.date, l.seq) and r.given_cost is not null
            and l.given_value is not null and l.given_fifo_value is not null
            and (l.settles is null or abs(l.average_change) <= abs(l.given_value) and abs(l.fifo_change) <= abs(l.given_fifo_value)
              and (gone.sums is null or l.average_after = 0 or l.average_change + gone.average = l.given_value
                or back.went and l.average_change = 0 and gone.average = 0)
              and (gone.sums is null or l.fifo_after = 0 or l.fifo_change + gone.fifo = l.given_fifo_value
                or back.went and l.fifo_change = 0 and gone.fifo = 0))) as ok
      from stock_layers l left join stock_layers r on r.tenant_id = l.tenant_id and r.id = l.adjusts_id
      left join lateral (select count(*) as sums, -sum((s.value->>'average')::numeric) as average, -sum((s.value->>'fifo')::numeric) as fifo
        from jsonb_each(l.settles) s where s.key::uuid <> l.adjusts_id having count(*) > 0) gone on true
      left join lateral (select exists (select from stock_layers b where b.tenant_id = l.tenant_id and b.source_id = l.adjusts_id
        and (b.date, b.seq) < (l.date, l.seq)) as went) back on true`,
  },
  {
    name: 'costs_of_invoices',
    title: 'only posted purchase invoices change the cost of goods; cancelled ones have taken the change back',
    sql: `select d.tenant_id, d.id::text, d.posted_at is not null and (d.status <> 'X' or sum(l.given_value) = 0) as ok
      from documents d join stock_movements m on m.tenant_id = d.tenant_id and m.document_id = d.id
      join stock_layers l on l.tenant_id = m.tenant_id and l.id = m.id and l.adjusts_id is not null and l.follows_id is null
      where d.doc_type = 'PINV' group by d.tenant_id, d.id, l.adjusts_id, d.posted_at, d.status`,
  },
  {
    name: 'followed_costs',
    title: 'transferred goods arrive at the cost with which they left, adjusted by later settlements',
    sql: `with carried as (
        select f.tenant_id, f.id, -(s.value->>'average')::numeric as average, -(s.value->>'fifo')::numeric as fifo
        from stock_layers l cross join jsonb_each(l.settles) s
        join stock_layers f on f.tenant_id = l.tenant_id and f.source_id = s.key::uuid and f.warehouse_id <> l.warehouse_id
        union all select tenant_id, adjusts_id, -given_value, -given_fifo_value from stock_layers where follows_id is not null
      )
      select tenant_id, id::text, sum(average) = 0 and sum(fifo) = 0 as ok from carried group by tenant_id, id`,
  },
  {
    name: 'layer_parts',
    title: 'the remaining quantity of a layer = its incoming quantity less what movements used up',
    sql: `with parts as (
        select l.tenant_id, p.key::uuid as id, p.value::numeric as quantity from stock_layers l cross join jsonb_each_text(l.parts) p
        union all select tenant_id, id, -remaining from stock_layers
      )
      select tenant_id, id::text, sum(quantity) = 0 as ok from parts group by 1, 2`,
  },
];
