/** Values movements: their layers by FIFO and by average, continuing from the state of each stock. */
import type { Db } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import { addSettled, type Costing, type CostState, type Settled } from '../../../domain/trade/stock/costing.ts';
import type { OpenLayer } from '../../../domain/trade/stock/fifo-layers.ts';
import { distinct, type Stock, stockKey } from '../../../domain/trade/stock/levels.ts';
import { isAtGeneralPlace, type Move, type Movement } from '../../../domain/trade/stock/movement.ts';
import { CostLedger } from '../../../domain/trade/stock/valuation.ts';
import { loadSources, PRESENT_UNIT_COST, type Sources } from './sources.ts';

/** A layer to be written with its movement. */
export interface Layer extends Costing {
  readonly givenCost: Decimal | null;
  readonly givenFifoCost: Decimal | null;
  readonly sourceId: string | null;
  /** Settled cost, by later movements of the same change. */
  readonly averageSettled?: Decimal;
  readonly fifoSettled?: Decimal;
}

/** An item that moved, as events name it. */
export interface MovedItem {
  readonly itemId: string;
  readonly code: string;
  readonly name: string;
  readonly minStock: Decimal;
  readonly serialTracked: boolean;
  /** In all warehouses, after the movements; null for items without a minimum. */
  readonly onHand: Decimal | null;
}

/** The remaining quantity of a layer, and the settled part of its cost. */
interface LayerState {
  readonly remaining: Decimal;
  readonly averageSettled?: Decimal;
  readonly fifoSettled?: Decimal;
}

/** A layer before and after the movements. */
export interface ConsumedLayer {
  readonly before: LayerState;
  readonly after: LayerState & { readonly id: string };
}

export interface Costs {
  readonly layers: readonly Layer[];
  /** Earlier layers that the movements consume. */
  readonly consumed: readonly ConsumedLayer[];
  /** By id. */
  readonly items: ReadonlyMap<string, MovedItem>;
  /** Sequence numbers reserved for the movements. */
  readonly seqs: readonly number[];
  /** Numbers of the batches that moved, by id. */
  readonly batchNums: Readonly<Record<string, string>>;
  /** Stocks with later movements: their layers from this day on must be recomputed. */
  readonly backdated: readonly Stock[];
}

interface Standing extends Stock, CostState, MovedItem {
  readonly lastDate: string | null;
  readonly open: readonly StandingLayer[] | null;
}

/** An open layer. Layers of goods that left before they came carry the settled part of their cost. */
interface StandingLayer extends OpenLayer {
  readonly averageSettled: Decimal | null;
  readonly fifoSettled: Decimal | null;
}

/** The states of stocks, with what all their movements need. */
export interface Standings {
  readonly standings: readonly Standing[];
  readonly seqs: readonly number[];
  readonly batchNums: Readonly<Record<string, string>>;
}

/** SQL of the layers changed by the movements that are taken back. */
const TAKEN_BACK = `
        union select id, date, seq, remaining, ${PRESENT_UNIT_COST}, null, null, null from stock_layers l
        where l.id = any(:layers::uuid[]) and l.item_id = s."itemId" and l.warehouse_id = s."warehouseId" and l.quantity > 0`;

/**
 * The state of each stock after its last movement; before the first, its cost is the item's purchase price.
 * @param more SQL of further open layers: a separate statement without them, since PostgreSQL would plan for their number each time
 */
const standingSql = (more: string) => `
  with standing as (
    select i.id as "itemId", s."warehouseId", coalesce(last.quantity_after, 0)::text as quantity,
      coalesce(last.average_after, 0)::text as "averageValue", coalesce(last.fifo_after, 0)::text as "fifoValue",
      coalesce(last.last_cost, i.purchase_price)::text as "lastCost",
      coalesce(last.last_average, last.unit_cost, i.purchase_price)::text as "lastAverage",
      last.date as "lastDate", layers.open, i.code, i.name, i.min_stock::text as "minStock",
      i.serial_tracked as "serialTracked",
      case when i.min_stock > 0 then (select sum(on_hand) from stock_levels v where v.item_id = i.id)::text end as "onHand"
    from json_to_recordset(:stocks::json) as s("itemId" uuid, "warehouseId" uuid, needed numeric)
    join items i on i.id = s."itemId"
    left join lateral (
      select date, quantity_after, average_after, fifo_after, last_cost, last_average, unit_cost from stock_layers l
      where l.item_id = s."itemId" and l.warehouse_id = s."warehouseId" order by date desc, seq desc limit 1) as last on true
    left join lateral (
      select json_agg(json_build_object('id', id, 'remaining', remaining::text, 'unitCost', unit_cost::text, 'averageCost',
        average_cost::text, 'averageSettled', average_settled::text, 'fifoSettled', fifo_settled::text) order by date, seq) as open
      from (
        select id, date, seq, remaining, unit_cost, null as average_cost, null as average_settled, null as fifo_settled
        from (select id, date, seq, remaining, ${PRESENT_UNIT_COST} as unit_cost,
                sum(remaining) over (order by date, seq) - remaining as before
              from stock_layers l where l.item_id = s."itemId" and l.warehouse_id = s."warehouseId" and remaining > 0) as open_layers
        where before < s.needed
        union all select id, date, seq, remaining, last_cost, last_average, average_settled, fifo_settled from stock_layers l
        where last.quantity_after < 0 and l.item_id = s."itemId" and l.warehouse_id = s."warehouseId" and remaining < 0${more}) as used
    ) as layers on true
  )
  select (select json_agg(standing) from standing) as standings,
    (select json_agg(nextval('stock_movements_seq_seq')) from generate_series(1, :count::integer)) as seqs,
    (select coalesce(json_object_agg(id, batch_num), '{}') from batches where id = any(:batches::uuid[])) as "batchNums"`;
const PLAIN_SQL = standingSql('');
const TAKING_BACK_SQL = standingSql(TAKEN_BACK);

const NOTHING: Costs = { layers: [], consumed: [], backdated: [], items: new Map(), seqs: [], batchNums: {} };

/**
 * Loads the standings of stocks whose goods move at their general places. Sent right after the locks, the query takes no round trip of its
 * own.
 * @returns null for other moves, since their needs depend on their places
 */
export async function loadPlainStandings(trx: Db, moves: readonly Move[]): Promise<Standings | null> {
  const plain = moves.length > 0 && moves.every((move) => isAtGeneralPlace(move) && move.sourceId === undefined);
  return plain ? await loadStandings(trx, moves, []) : null;
}

/**
 * Values movements that are about to be written; their stocks are locked.
 * @param date of the movements
 * @param known the standings, if they have been loaded
 */
export async function valueMovements(
  trx: Db,
  movements: readonly Movement[],
  date: string,
  known: Standings | null = null,
): Promise<Costs> {
  if (movements.length === 0) return NOTHING;
  const fresh = new Set(movements.map(({ id }) => id));
  const sources = await earlierSources(trx, movements, fresh);
  const ledgers = new Map<string, CostLedger>();
  const backdated: Stock[] = [];
  const isKnown = known?.seqs.length === movements.length && movements.every(({ batchId }) => batchId === null);
  const { standings, seqs, batchNums } = isKnown ? known : await loadStandings(trx, movements, sources.layers);
  for (const standing of standings) {
    const key = stockKey(standing);
    ledgers.set(key, new CostLedger(standing, standing.open ?? [], sources.done.get(key)));
    if (standing.lastDate !== null && standing.lastDate > date) backdated.push(standing);
  }
  const done = new Map<string, Source>();
  const settled = new Map<string, Settled>();
  const layers = movements.map((movement) => {
    const layer = movementLayer(ledgers.get(stockKey(movement)) as CostLedger, movement, done);
    done.set(movement.id, { stock: stockKey(movement), layer });
    addSettled(settled, layer.settles);
    return layer;
  });
  const taken = new Map([...ledgers.values()].flatMap((ledger) => [...ledger.taken]));
  const open = standings.flatMap((standing) => standing.open ?? []);
  const left = new Map([...ledgers.values()].flatMap((ledger) => [...ledger.remaining()]));
  return {
    layers: layers.map((layer) => ({
      ...layer,
      remaining: left.get(layer.id) ?? layer.remaining,
      ...(settled.size === 0 ? {} : settledAfter(NOT_SETTLED, settled.get(layer.id))),
    })),
    consumed: open.flatMap((layer): ConsumedLayer[] => {
      const { id, remaining, averageSettled, fifoSettled } = layer;
      const quantity = decimal(taken.get(id) ?? 0);
      if (quantity.eq(0)) return [];
      const rest = decimal(remaining).minus(quantity).toFixed();
      if (averageSettled === null || fifoSettled === null) {
        return [{ before: { remaining }, after: { id, remaining: rest } }];
      }
      const before = { averageSettled, fifoSettled };
      return [
        { before: { remaining, ...before }, after: { id, remaining: rest, ...settledAfter(before, settled.get(id)) } },
      ];
    }),
    items: itemsAfter(standings, movements),
    seqs,
    batchNums,
    backdated,
  };
}

/** The items, with what is on hand of them after the movements. */
function itemsAfter(standings: readonly Standing[], movements: readonly Movement[]): Map<string, MovedItem> {
  const items = new Map<string, MovedItem>(standings.map((standing) => [standing.itemId, standing]));
  for (const { itemId, quantity } of movements) {
    const item = items.get(itemId) as MovedItem;
    if (item.onHand === null) continue;
    items.set(itemId, { ...item, onHand: decimal(item.onHand).plus(quantity).toFixed() });
  }
  return items;
}

interface SettledSums {
  readonly averageSettled: Decimal;
  readonly fifoSettled: Decimal;
}

const NOT_SETTLED: SettledSums = { averageSettled: '0', fifoSettled: '0' };

function settledAfter(before: SettledSums, more: Settled = { average: '0', fifo: '0' }): SettledSums {
  return {
    averageSettled: decimal(before.averageSettled).plus(more.average).toFixed(),
    fifoSettled: decimal(before.fifoSettled).plus(more.fifo).toFixed(),
  };
}

/** The layer of an earlier movement, and the stock it belongs to. */
interface Source {
  readonly stock: string;
  readonly layer: Layer;
}

/** Values one movement. @param done the movements of the set so far: goods from another stock arrive at the cost they left with */
function movementLayer(ledger: CostLedger, movement: Movement, done: ReadonlyMap<string, Source>): Layer {
  const { id, quantity, sourceId } = movement;
  const source = sourceId === null ? undefined : done.get(sourceId);
  const elsewhere = source !== undefined && source.stock !== stockKey(movement);
  const { unitCost, fifoUnitCost } = elsewhere ? source.layer : movement;
  const costing = ledger.apply({ id, quantity, unitCost, fifoUnitCost, source: elsewhere ? null : sourceId });
  const given = sourceId === null || elsewhere ? { unitCost, fifoUnitCost } : { unitCost: null, fifoUnitCost: null };
  return { ...costing, givenCost: given.unitCost, givenFifoCost: given.fifoUnitCost, sourceId };
}

/** Loads the earlier movements that these take back. */
async function earlierSources(trx: Db, movements: readonly Movement[], fresh: ReadonlySet<string>): Promise<Sources> {
  const ids = movements.flatMap(({ sourceId }) => (sourceId === null || fresh.has(sourceId) ? [] : [sourceId]));
  return await loadSources(
    trx,
    ids,
    distinct(movements).map((stock) => ({ ...stock, date: 'infinity' })),
  );
}

/** @param layers of the movements that are taken back */
async function loadStandings(
  trx: Db,
  movements: readonly Pick<Movement, 'itemId' | 'warehouseId' | 'quantity' | 'batchId'>[],
  layers: readonly string[],
): Promise<Standings> {
  const needed = new Map<string, ReturnType<typeof decimal>>();
  for (const movement of movements) {
    const out = decimal(movement.quantity).lt(0) ? decimal(movement.quantity).neg() : decimal(0);
    needed.set(stockKey(movement), out.plus(needed.get(stockKey(movement)) ?? 0));
  }
  const stocks = distinct(movements).map((stock) => ({ ...stock, needed: needed.get(stockKey(stock))?.toFixed() }));
  const [found] = await prepared<Standings>(trx, layers.length === 0 ? PLAIN_SQL : TAKING_BACK_SQL, {
    stocks: JSON.stringify(stocks),
    layers: [...layers],
    batches: [...new Set(movements.flatMap(({ batchId }) => batchId ?? []))],
    count: movements.length,
  });
  return found as Standings;
}
