/** Recomputes the layers of stocks from a day on: many stocks in a few round trips. */
import type { Db } from '../../db/database.ts';
import { query } from '../../db/sql.ts';
import type { Decimal } from '../../domain/money.ts';
import type { CostedMovement, Costing, CostState } from '../../domain/stock/costing.ts';
import type { OpenLayer } from '../../domain/stock/fifo-layers.ts';
import { CostLedger } from '../../domain/stock/valuation.ts';
import { DATED_SQL, type DatedStock, LATER_SQL } from './dated.ts';
import { type Stock, stockKey } from './levels.ts';
import { sourcesOf } from './sources.ts';

/** SQL: goods transferred from another warehouse (layer `l`); moves within a warehouse stay in their layers. */
const FROM_ELSEWHERE = '(l.source_id is not null and l.given_cost is not null)';

/** The state of each stock before its day: what is left now of the layers before it, plus what later movements consumed. */
const STANDING_SQL = `
  with changed as (
    select d."itemId", d."warehouseId", p.key::uuid as id, sum(p.value::numeric) as change
    from ${DATED_SQL} join stock_layers l on ${LATER_SQL} cross join jsonb_each_text(l.parts) p group by 1, 2, 3
  )
  select d."itemId", d."warehouseId", coalesce(last.quantity_after, 0)::text as quantity, coalesce(last.average_after,
    0)::text as "averageValue",
    coalesce(last.fifo_after, 0)::text as "fifoValue", coalesce(last.last_cost, i.purchase_price)::text as "lastCost",
    coalesce(last.last_average, last.unit_cost, i.purchase_price)::text as "lastAverage", layers.open
  from ${DATED_SQL}
  join items i on i.id = d."itemId"
  left join lateral (
    select quantity_after, average_after, fifo_after, last_cost, last_average, unit_cost from stock_layers l
    where l.item_id = d."itemId" and l.warehouse_id = d."warehouseId" and l.date < d.date order by l.date desc, l.seq desc limit 1) as last
      on true
  left join lateral (
    select json_agg(json_build_object('id', l.id, 'remaining', (l.remaining - coalesce(c.change, 0))::text, 'unitCost',
      l.fifo_unit_cost::text)
      order by l.date, l.seq) as open
    from (
      select id from stock_layers o where o.item_id = d."itemId" and o.warehouse_id = d."warehouseId" and o.remaining > 0
      union select id from changed o where o."itemId" = d."itemId" and o."warehouseId" = d."warehouseId"
      union select unnest(:layers::uuid[])) as used
    join stock_layers l on l.id = used.id and l.item_id = d."itemId" and l.warehouse_id = d."warehouseId" and l.date < d.date
    left join changed c on c.id = l.id) as layers on true`;

/** Goods from another warehouse are worth what they left with, as known now; movements that take back one of these follow. */
const MOVEMENTS_SQL = `
  select l.item_id as "itemId", l.warehouse_id as "warehouseId", l.id, l.quantity, coalesce(s.unit_cost, l.given_cost) as "unitCost",
    coalesce(s.fifo_unit_cost, l.given_fifo_cost) as "fifoUnitCost", case when s.warehouse_id = l.warehouse_id then l.source_id
      end as source
  from ${DATED_SQL} join stock_layers l on ${LATER_SQL}
  left join stock_layers s on s.id = l.source_id
  order by l.item_id, l.warehouse_id, l.date, l.seq`;

const WRITE_SQL = `
  update stock_layers l set remaining = n.remaining, parts = coalesce(n.parts, l.parts),
    given_cost = case when ${FROM_ELSEWHERE} then coalesce(n."unitCost", l.given_cost) else l.given_cost end,
    given_fifo_cost = case when ${FROM_ELSEWHERE} then coalesce(n."fifoUnitCost", l.given_fifo_cost) else l.given_fifo_cost end,
    unit_cost = coalesce(n."unitCost", l.unit_cost), fifo_unit_cost = coalesce(n."fifoUnitCost", l.fifo_unit_cost),
    average_change = coalesce(n."averageChange", l.average_change), fifo_change = coalesce(n."fifoChange", l.fifo_change),
    quantity_after = coalesce(n.quantity, l.quantity_after), average_after = coalesce(n."averageValue", l.average_after),
    fifo_after = coalesce(n."fifoValue", l.fifo_after), last_cost = coalesce(n."lastCost", l.last_cost),
    last_average = coalesce(n."lastAverage", l.last_average)
  from json_to_recordset(:layers::json) as n(id uuid, remaining numeric, parts jsonb, "unitCost" numeric, "fifoUnitCost" numeric,
    "averageChange" numeric,
    "fifoChange" numeric, quantity numeric, "averageValue" numeric, "fifoValue" numeric, "lastCost" numeric, "lastAverage" numeric)
  where l.id = n.id returning l.id`;

/** A recomputed layer; of layers before the day only what is left of them changes. */
type Changed = Partial<Costing> & { readonly id: string; readonly remaining: Decimal };

/**
 * Recomputes the layers of stocks from a day on. Idempotent.
 * @param trx a transaction that holds locks on the general rows of the stocks
 * @returns how many layers were written
 */
export async function recomputeLayers(trx: Db, stocks: readonly DatedStock[]): Promise<number> {
  if (stocks.length === 0) return 0;
  const given = { stocks: JSON.stringify(stocks) };
  const movements = await query<Stock & CostedMovement>(trx, MOVEMENTS_SQL, given);
  const later = new Set(movements.map(({ id }) => id));
  const ids = movements.flatMap(({ source }) => (source == null || later.has(source) ? [] : [source]));
  const { done, layers: filled } = await sourcesOf(trx, ids, stocks);
  const standings = await query<Stock & CostState & { open: OpenLayer[] | null }>(trx, STANDING_SQL, {
    ...given,
    layers: [...filled],
  });
  const ledgers = new Map(
    standings.map((standing) => {
      const key = stockKey(standing);
      return [key, new CostLedger(standing, standing.open ?? [], done.get(key))];
    }),
  );
  // Every movement has a ledger: both cover the same stocks.
  const costings = movements.map((movement) => (ledgers.get(stockKey(movement)) as CostLedger).apply(movement));
  const left = new Map([...ledgers.values()].flatMap((ledger) => [...ledger.remaining()]));
  const before = standings.flatMap(({ open }) => open ?? []);
  const layers: Changed[] = [
    ...before.map(({ id }) => ({ id, remaining: left.get(id) ?? '0' })),
    ...costings.map((costing) => ({ ...costing, remaining: left.get(costing.id) ?? '0' })),
  ];
  return (await query(trx, WRITE_SQL, { layers: JSON.stringify(layers) })).length;
}
