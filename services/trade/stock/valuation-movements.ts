/** Valuation movements: of quantity zero, they change the cost of an earlier receipt on their own day (decision 0155). */
import type { Changes } from '../../../db/changes/changes.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { StockLayer, StockMovement } from '../../../db/models/trade/stock.ts';
import { query } from '../../../db/sql.ts';
import type { Decimal } from '../../../domain/money.ts';
import type { Stock } from '../../../domain/trade/stock/levels.ts';
import type { DatedStock } from './dated-stocks.ts';

/** The cause of a movement. */
export interface MovementCause {
  readonly docType: string | null;
  readonly documentId: string | null;
  readonly documentLineId: string | null;
  readonly operationId: string | null;
  readonly landedCostId?: string | null;
}

/** A change of the cost of a receipt. */
export interface CostChange {
  /** The movement of the receipt. */
  readonly adjustsId: string;
  /** The movement in another warehouse that it follows. */
  readonly followsId: string | null;
  /** Day of the movement, unless the receipt is later. */
  readonly date: string;
  /** Change of the value, by average and by FIFO. */
  readonly value: Decimal;
  readonly fifoValue: Decimal;
  readonly cause: MovementCause;
}

/** Changes of cost, and the stocks that are locked for them. */
export interface CostChanges {
  readonly costs: readonly CostChange[];
  readonly locked: readonly Stock[];
}

interface Place extends Stock {
  readonly seq: number;
  readonly date: string;
  readonly zoneId: string | null;
  readonly batchId: string | null;
  readonly balance: Decimal;
  readonly quantityAfter: Decimal;
  readonly averageAfter: Decimal;
  readonly fifoAfter: Decimal;
  readonly lastCost: Decimal;
  readonly lastAverage: Decimal | null;
}

/** The place of each receipt, and the state of its stock at the end of the day. The movement changes nothing until it is worked out. */
const PLACES_SQL = `
  select m.item_id as "itemId", m.warehouse_id as "warehouseId", m.zone_id as "zoneId", m.batch_id as "batchId",
    nextval('stock_movements_seq_seq')::integer as seq, greatest(w.date, m.date)::text as date, coalesce(v.on_hand, 0)::text as balance,
    last.quantity_after as "quantityAfter", last.average_after as "averageAfter", last.fifo_after as "fifoAfter",
    last.last_cost as "lastCost", last.last_average as "lastAverage"
  from json_to_recordset(:wanted::json) as w("adjustsId" uuid, date date, place integer)
  join stock_movements m on m.id = w."adjustsId"
  left join stock_levels v on v.item_id = m.item_id and v.warehouse_id = m.warehouse_id and v.zone_id is not distinct from m.zone_id
    and v.batch_id is not distinct from m.batch_id
  cross join lateral (select * from stock_layers l where l.item_id = m.item_id and l.warehouse_id = m.warehouse_id
    and l.date <= greatest(w.date, m.date) order by l.date desc, l.seq desc limit 1) last
  order by w.place`;

/**
 * Adds valuation movements. Recomputing the layers from their days on works out their values.
 * @param costs changes to receipts whose stocks are locked
 * @returns the stocks to recompute
 */
export async function addCostChanges(trx: Db, changes: Changes, costs: readonly CostChange[]): Promise<DatedStock[]> {
  if (costs.length === 0) return [];
  const wanted = costs.map(({ adjustsId, date }, place) => ({ adjustsId, date, place }));
  const places = await query<Place>(trx, PLACES_SQL, { wanted: JSON.stringify(wanted) });
  const createdAt = changes.ctx.now.toISOString();
  const rows = places.map((place, index) => {
    const { cause, adjustsId, followsId, value, fifoValue } = costs[index] as CostChange;
    return {
      ...place,
      ...cause,
      landedCostId: cause.landedCostId ?? null,
      ...NOTHING_MOVES,
      id: newId(),
      createdAt,
      adjustsId,
      followsId,
      givenValue: value,
      givenFifoValue: fifoValue,
    };
  });
  changes.insert(StockMovement, rows).insert(StockLayer, rows);
  return places.map(({ itemId, warehouseId, date }) => ({ itemId, warehouseId, date }));
}

const NOTHING_MOVES = {
  quantity: '0',
  unitCost: '0',
  fifoUnitCost: '0',
  averageChange: '0',
  fifoChange: '0',
  remaining: '0',
  parts: {},
} as const;
