/** Recomputes the layers of stocks from a day on: many stocks in a few round trips. */
import type { Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import {
  addSettled,
  type CostedMovement,
  type Costing,
  type CostState,
  type Settled,
  type Settlements,
} from '../../../domain/trade/stock/costing.ts';
import type { OpenLayer } from '../../../domain/trade/stock/fifo-layers.ts';
import { type Stock, stockKey } from '../../../domain/trade/stock/levels.ts';
import { CostLedger } from '../../../domain/trade/stock/valuation.ts';
import { DATED_SQL, type DatedStock, LATER_SQL, REVALUED_FROM_SQL } from './dated-stocks.ts';
import { loadSources } from './sources.ts';

/** SQL: goods transferred from another warehouse (layer `l`); moves within a warehouse stay in their layers. */
const FROM_ELSEWHERE = '(l.source_id is not null and l.given_cost is not null)';

/** The day from which movements are read, to know where the goods went whose cost changes from the given day on. */
const WINDOW_SQL = `
  select d."itemId", d."warehouseId", least(d.date, ${REVALUED_FROM_SQL})::text as date, d.date::text as due from ${DATED_SQL}`;

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
    select json_agg(json_build_object('id', l.id, 'remaining', (l.remaining - coalesce(c.change, 0))::text, 'quantity', l.quantity::text,
      'unitCost', case when l.quantity < 0 then l.last_cost else l.fifo_unit_cost end::text, 'settled', l.fifo_settled::text,
      'averageCost', case when l.quantity < 0 then l.last_average end::text)
      order by l.date, l.seq) as open
    from (
      select id from stock_layers o where o.item_id = d."itemId" and o.warehouse_id = d."warehouseId" and o.remaining > 0
      union select id from stock_layers o where o.item_id = d."itemId" and o.warehouse_id = d."warehouseId" and o.remaining < 0
      union select id from changed o where o."itemId" = d."itemId" and o."warehouseId" = d."warehouseId"
      union select unnest(:layers::uuid[])) as used
    join stock_layers l on l.id = used.id and l.item_id = d."itemId" and l.warehouse_id = d."warehouseId" and l.date < d.date
    left join changed c on c.id = l.id) as layers on true`;

/** Layers of goods that left before they came and have not come since. */
const OWED_SQL = `select l.id from ${DATED_SQL}
  join stock_layers l on l.item_id = d."itemId" and l.warehouse_id = d."warehouseId" and l.remaining < 0`;

/** Goods from another warehouse have the cost at which they left, as known now; so do movements that take them back. */
const MOVEMENTS_SQL = `
  select l.item_id as "itemId", l.warehouse_id as "warehouseId", l.id, l.date::text, l.quantity,
    coalesce(s.unit_cost, l.given_cost) as "unitCost",
    coalesce(s.fifo_unit_cost, l.given_fifo_cost) as "fifoUnitCost", case when s.warehouse_id = l.warehouse_id then l.source_id
      end as source, l.adjusts_id as adjusts, l.given_value as value, l.given_fifo_value as "fifoValue",
    coalesce(l.settles, '{}') as settles,
    l.average_change as "averageChange", l.fifo_change as "fifoChange", l.fifo_unit_cost as raise
  from ${DATED_SQL} join stock_layers l on ${LATER_SQL}
  left join stock_layers s on s.id = l.source_id
  order by l.item_id, l.warehouse_id, l.date, l.seq`;

const WRITE_SQL = `
  update stock_layers l set remaining = n.remaining, parts = coalesce(n.parts, l.parts),
    settles = case when n.parts is null then l.settles else n.settles end,
    given_cost = case when ${FROM_ELSEWHERE} then coalesce(n."unitCost", l.given_cost) else l.given_cost end,
    given_fifo_cost = case when ${FROM_ELSEWHERE} then coalesce(n."fifoUnitCost", l.given_fifo_cost) else l.given_fifo_cost end,
    unit_cost = coalesce(n."unitCost", l.unit_cost), fifo_unit_cost = coalesce(n."fifoUnitCost", l.fifo_unit_cost),
    average_change = coalesce(n."averageChange", l.average_change), fifo_change = coalesce(n."fifoChange", l.fifo_change),
    quantity_after = coalesce(n.quantity, l.quantity_after), average_after = coalesce(n."averageValue", l.average_after),
    fifo_after = coalesce(n."fifoValue", l.fifo_after), last_cost = coalesce(n."lastCost", l.last_cost),
    last_average = coalesce(n."lastAverage", l.last_average)
  from json_to_recordset(:layers::json) as n(id uuid, remaining numeric, parts jsonb, settles jsonb, "unitCost" numeric,
    "fifoUnitCost" numeric, "averageChange" numeric,
    "fifoChange" numeric, quantity numeric, "averageValue" numeric, "fifoValue" numeric, "lastCost" numeric, "lastAverage" numeric)
  where l.id = n.id returning l.id`;

const SETTLE_SQL = `
  update stock_layers l set average_settled = l.average_settled + n.average, fifo_settled = l.fifo_settled + n.fifo
  from json_to_recordset(:settled::json) as n(id uuid, average numeric, fifo numeric) where l.id = n.id`;

const GIVEN_SQL = `
  update stock_layers l set given_value = n.value, given_fifo_value = n."fifoValue"
  from json_to_recordset(:layers::json) as n(id uuid, value numeric, "fifoValue" numeric) where l.id = n.id`;

/** A stock with the day from which its movements are read, and the one from which they are recomputed. */
interface Window extends DatedStock {
  readonly due: string;
}

/** A movement, or with `adjusts` a valuation movement, as it is booked. */
interface Booked extends Stock, CostedMovement {
  readonly date: string;
  readonly adjusts: string | null;
  readonly value: Decimal | null;
  readonly fifoValue: Decimal | null;
  readonly averageChange: Decimal;
  readonly fifoChange: Decimal;
  /** Valuation movements: change of the unit cost of the receipt's layer. */
  readonly raise: Decimal;
  readonly settles: Settlements;
}

interface Standing extends Stock, CostState {
  readonly open: readonly StandingLayer[] | null;
}

interface StandingLayer extends OpenLayer {
  readonly quantity: Decimal;
  readonly settled: Decimal;
}

/** A recomputed layer; of layers before the day, only the remaining quantity changes. */
type Changed = Partial<Omit<Costing, 'settles'>> & {
  readonly id: string;
  readonly remaining: Decimal;
  readonly settles?: Settlements | null;
};

/**
 * Recomputes the layers of stocks from a day on. Idempotent.
 * @param trx a transaction that holds locks on the general rows of the stocks
 * @returns the number of layers written
 */
export async function recomputeLayers(trx: Db, stocks: readonly DatedStock[]): Promise<number> {
  if (stocks.length === 0) return 0;
  const windows = await query<Window>(trx, WINDOW_SQL, { stocks: JSON.stringify(stocks) });
  const given = { stocks: JSON.stringify(windows) };
  const [movements, owed] = await Promise.all([
    query<Booked>(trx, MOVEMENTS_SQL, given),
    query<{ id: string }>(trx, OWED_SQL, given),
  ]);
  const due = new Map(windows.map((window) => [stockKey(window), window.due]));
  const isDue = (movement: Booked) => movement.date >= (due.get(stockKey(movement)) as string);
  const later = new Set(movements.map(({ id }) => id));
  const earlier = [...owed.map(({ id }) => id), ...movements.flatMap(namedBy)].filter((id) => !later.has(id));
  const { done, layers: filled } = await loadSources(trx, earlier, windows);
  const standings = await query<Standing>(trx, STANDING_SQL, { ...given, layers: [...filled] });
  const ledgers = openLedgers(standings, movements, { done, isDue });
  // Every movement has a ledger: both cover the same stocks.
  const costings = movements.map((movement) => {
    const ledger = ledgers.get(stockKey(movement)) as CostLedger;
    return costMovement(ledger, movement, isDue(movement));
  });
  const left = new Map([...ledgers.values()].flatMap((ledger) => [...ledger.remaining()]));
  const before = standings.flatMap(({ open }) => open ?? []);
  const settled = new Map<string, Settled>();
  const layers: Changed[] = before.map(({ id }) => ({ id, remaining: left.get(id) ?? '0' }));
  movements.forEach((movement, index) => {
    const { id, settles, ...costing } = costings[index] as Costing;
    const remaining = left.get(id) ?? '0';
    if (!isDue(movement)) {
      layers.push({ id, remaining });
      return;
    }
    addSettled(settled, movement.settles, -1);
    addSettled(settled, settles);
    layers.push({ ...costing, id, remaining, settles: Object.keys(settles).length === 0 ? null : settles });
  });
  const written = await query(trx, WRITE_SQL, { layers: JSON.stringify(layers) });
  await writeSettled(trx, settled);
  return written.length;
}

/** The earlier movements that a movement takes back or whose cost it had settled. */
function namedBy({ source, settles }: Booked): string[] {
  return [...(source == null ? [] : [source]), ...Object.keys(settles)];
}

function openLedgers(
  standings: readonly Standing[],
  movements: readonly Booked[],
  { done, isDue }: { readonly done: Awaited<ReturnType<typeof loadSources>>['done']; isDue(movement: Booked): boolean },
): Map<string, CostLedger> {
  // The layers must have their cost from before the movements, without the changes that these settled.
  const settledSince = new Map<string, Settled>();
  for (const { settles } of movements) addSettled(settledSince, settles);
  const revalued = new Set(movements.flatMap((movement) => (isDue(movement) ? (movement.adjusts ?? []) : [])));
  return new Map(
    standings.map((standing) => {
      const key = stockKey(standing);
      const open = (standing.open ?? []).map((layer) => ({ ...layer, unitCost: unitCostBefore(layer, settledSince) }));
      return [key, new CostLedger(standing, open, done.get(key), revalued)];
    }),
  );
}

function unitCostBefore(
  { id, unitCost, settled, quantity }: StandingLayer,
  since: ReadonlyMap<string, Settled>,
): Decimal {
  const earlier = decimal(settled).minus(since.get(id)?.fifo ?? 0);
  const isLayer = decimal(quantity).gt(0);
  return isLayer && !earlier.eq(0) ? earlier.div(quantity).plus(unitCost).toFixed() : unitCost;
}

/** @param isDue false for a valuation movement that stays as it is booked */
function costMovement(ledger: CostLedger, movement: Booked, isDue: boolean): Costing {
  const { id, adjusts, value, fifoValue, averageChange, fifoChange, raise, settles } = movement;
  if (adjusts === null) return ledger.apply(movement);
  const booked = isDue ? undefined : { averageChange, fifoChange, raise, settles };
  return ledger.revalue({ id, adjusts, value: value ?? '0', fifoValue: fifoValue ?? '0', booked });
}

async function writeSettled(trx: Db, settled: ReadonlyMap<string, Settled>): Promise<void> {
  const rows = [...settled].flatMap(([id, { average, fifo }]) =>
    decimal(average).eq(0) && decimal(fifo).eq(0) ? [] : [{ id, average, fifo }],
  );
  if (rows.length > 0) await query(trx, SETTLE_SQL, { settled: JSON.stringify(rows) });
}

/** Changes the amounts of valuation movements. Recomputing the layers from their days on works out the rest. */
export async function writeGivenValues(
  trx: Db,
  layers: readonly { readonly id: string | null; readonly value: Decimal; readonly fifoValue: Decimal }[],
): Promise<void> {
  if (layers.length > 0) await query(trx, GIVEN_SQL, { layers: JSON.stringify(layers) });
}
