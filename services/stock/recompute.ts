/** Works the layers of stocks out again, from a day on: many stocks in three round trips. */
import type { Db } from '../../db/database.ts';
import { query } from '../../db/sql.ts';
import type { Decimal } from '../../domain/money.ts';
import {
  type CostedMovement,
  type Costing,
  CostLedger,
  type CostState,
  type OpenLayer,
} from '../../domain/stock/valuation.ts';
import { type Stock, stockKey } from './levels.ts';

/** A stock whose layers are to be worked out again from a day on. */
export interface DatedStock extends Stock {
  readonly date: string;
}

/** SQL: goods that were transferred from another warehouse (layer `l`); what moved within its own is in the layers it was in. */
const FROM_ELSEWHERE = '(l.source_id is not null and l.given_cost is not null)';

/** The given stocks as a table `d`. */
export const DATED_SQL = `json_to_recordset(:stocks::json) as d("itemId" uuid, "warehouseId" uuid, date date)`;

/** Joins the layers `l` of the given stocks from their days on. */
export const LATER_SQL = `l.item_id = d."itemId" and l.warehouse_id = d."warehouseId" and l.date >= d.date`;

/**
 * How each stock stood before its day: what was on hand then had come in last (FIFO uses up the oldest), so that the open
 * layers are found from the latest backwards.
 */
const STANDING_SQL = `
  select d."itemId", d."warehouseId", coalesce(last.quantity_after, 0)::text as quantity, coalesce(last.average_after, 0)::text as "averageValue",
    coalesce(last.fifo_after, 0)::text as "fifoValue", coalesce(last.last_cost, i.purchase_price)::text as "lastCost", layers.open
  from ${DATED_SQL}
  join items i on i.id = d."itemId"
  left join lateral (
    select quantity_after, average_after, fifo_after, last_cost from stock_layers l
    where l.item_id = d."itemId" and l.warehouse_id = d."warehouseId" and l.date < d.date order by l.date desc, l.seq desc limit 1) as last on true
  left join lateral (
    select json_agg(json_build_object('id', id, 'remaining', least(quantity, last.quantity_after - later)::text, 'unitCost', fifo_unit_cost::text)
      order by date, seq) as open
    from (
      select l.id, l.date, l.seq, l.quantity, l.fifo_unit_cost, sum(l.quantity) over (order by l.date desc, l.seq desc) - l.quantity as later
      from stock_layers l where l.item_id = d."itemId" and l.warehouse_id = d."warehouseId" and l.date < d.date and l.quantity > 0
        and (l.source_id is null or ${FROM_ELSEWHERE})) as came
    where later < last.quantity_after) as layers on true`;

/** Goods from another warehouse are worth what they left with, as that stands now. */
const MOVEMENTS_SQL = `
  select l.item_id as "itemId", l.warehouse_id as "warehouseId", l.id, l.quantity, coalesce(s.unit_cost, l.given_cost) as "unitCost",
    coalesce(s.fifo_unit_cost, l.given_fifo_cost) as "fifoUnitCost", case when s.id is null then l.source_id end as "movedFrom"
  from ${DATED_SQL} join stock_layers l on ${LATER_SQL}
  left join stock_layers s on s.id = l.source_id and s.warehouse_id <> l.warehouse_id
  order by l.item_id, l.warehouse_id, l.date, l.seq`;

const WRITE_SQL = `
  update stock_layers l set remaining = n.remaining,
    given_cost = case when ${FROM_ELSEWHERE} then coalesce(n."unitCost", l.given_cost) else l.given_cost end,
    given_fifo_cost = case when ${FROM_ELSEWHERE} then coalesce(n."fifoUnitCost", l.given_fifo_cost) else l.given_fifo_cost end,
    unit_cost = coalesce(n."unitCost", l.unit_cost), fifo_unit_cost = coalesce(n."fifoUnitCost", l.fifo_unit_cost),
    average_change = coalesce(n."averageChange", l.average_change), fifo_change = coalesce(n."fifoChange", l.fifo_change),
    quantity_after = coalesce(n.quantity, l.quantity_after), average_after = coalesce(n."averageValue", l.average_after),
    fifo_after = coalesce(n."fifoValue", l.fifo_after), last_cost = coalesce(n."lastCost", l.last_cost)
  from json_to_recordset(:layers::json) as n(id uuid, remaining numeric, "unitCost" numeric, "fifoUnitCost" numeric, "averageChange" numeric,
    "fifoChange" numeric, quantity numeric, "averageValue" numeric, "fifoValue" numeric, "lastCost" numeric)
  where l.id = n.id returning l.id`;

/** A layer as it is to be; of those before the day only what is left of them changes. */
type Changed = Partial<Costing> & { readonly id: string; readonly remaining: Decimal };

/**
 * Works out the layers of stocks from a day on. Repeating it changes nothing.
 * @param trx the general rows of the stocks are locked in it
 * @returns how many layers were written
 */
export async function recomputeLayers(trx: Db, stocks: readonly DatedStock[]): Promise<number> {
  if (stocks.length === 0) return 0;
  const given = { stocks: JSON.stringify(stocks) };
  const standings = await query<Stock & CostState & { open: OpenLayer[] | null }>(trx, STANDING_SQL, given);
  const ledgers = new Map(
    standings.map((standing) => [stockKey(standing), new CostLedger(standing, standing.open ?? [])]),
  );
  const movements = await query<Stock & CostedMovement>(trx, MOVEMENTS_SQL, given);
  // Each has its ledger: both are of the same stocks.
  const costings = movements.map((movement) => (ledgers.get(stockKey(movement)) as CostLedger).apply(movement));
  const left = new Map([...ledgers.values()].flatMap((ledger) => [...ledger.remaining()]));
  const before = standings.flatMap(({ open }) => open ?? []);
  const layers: Changed[] = [
    ...before.map(({ id }) => ({ id, remaining: left.get(id) ?? '0' })),
    ...costings.map((costing) => ({ ...costing, remaining: left.get(costing.id) ?? '0' })),
  ];
  return (await query(trx, WRITE_SQL, { layers: JSON.stringify(layers) })).length;
}
