/** Goods that come back from a customer or go back to a supplier: between the very places, at the cost they moved with. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { query } from '../../db/sql.ts';
import { type Decimal, decimal } from '../../domain/money.ts';
import { lockStocks } from '../stock/levels.ts';
import { type Move, PLAIN } from '../stock/movement.ts';
import { type MovedGoods, moveAndValue } from './move-goods.ts';
import type { StockLine } from './stock-effects.ts';
import type { Taken } from './takes.ts';

/** What is left of a movement of a line: sold goods negative, as they moved. */
interface Moved {
  readonly baseLineId: string;
  /** The line that moved the goods: that of the note, where an invoice line is based on one. */
  readonly originId: string;
  readonly movementId: string;
  readonly itemId: string;
  readonly warehouseId: string;
  readonly zoneId: string | null;
  readonly batchId: string | null;
  readonly batchNum: string | null;
  readonly quantity: Decimal;
  readonly unitCost: Decimal | null;
  readonly fifoUnitCost: Decimal | null;
}

/**
 * The movements of lines, less what came back of each already: by returns, and by rectifying invoices of the note's invoices,
 * wherever it lay then. What cancelled one of these counts again.
 */
const MOVED_SQL = `
  with wanted as (
    select l.id as base, case when l.base_type in ('SDN', 'PDN') then l.base_line_id else l.id end as origin
    from document_lines l where l.id = any(:lines::uuid[])
  ), moved as (
    select w.base, w.origin, m.zone_id, m.batch_id, c.*, c.quantity + coalesce((
      select sum(q.quantity) from (
        select b.quantity from stock_layers b where b.source_id = c.id
        union all select u.quantity from stock_layers b join stock_layers u on u.source_id = b.id where b.source_id = c.id) as q), 0) as left_over
    from wanted w join stock_movements m on m.document_line_id = w.origin
    join stock_layers c on c.id = m.id and c.source_id is null
  )
  select m.base as "baseLineId", m.origin as "originId", m.id as "movementId", m.item_id as "itemId", m.warehouse_id as "warehouseId", m.zone_id as "zoneId",
    m.batch_id as "batchId", b.batch_num as "batchNum", m.left_over::text as quantity, m.unit_cost as "unitCost", m.fifo_unit_cost as "fifoUnitCost"
  from moved m left join batches b on b.id = m.batch_id
  where m.left_over <> 0 order by m.seq`;

/**
 * Moves back what lines below zero take back. What is not at its place any more leaves from elsewhere in the warehouse.
 * @param lines based on the lines whose goods they take back
 * @throws ServiceError insufficient_stock
 */
export async function takeBackGoods(
  trx: Db,
  ctx: Context,
  lines: readonly StockLine[],
  date: string,
): Promise<MovedGoods> {
  const moving = lines.flatMap((line, index) => {
    const { itemId, warehouseId, baseLineId } = line;
    return itemId === null || warehouseId === null || baseLineId === null
      ? []
      : [{ id: line.id, baseQuantity: line.baseQuantity, itemId, warehouseId, baseLineId, index }];
  });
  // Locked before it is read what came back already.
  await lockStocks(trx, ctx, moving);
  const left = await movedBy(
    trx,
    moving.map(({ baseLineId }) => baseLineId),
  );
  const moves = moving.flatMap((line) =>
    left.take(line.baseLineId, decimal(line.baseQuantity).abs().toFixed()).map((part): Move => {
      const { itemId, warehouseId, zoneId, batchId, movementId: sourceId, unitCost, fifoUnitCost } = part.from;
      const batches = part.from.batchNum === null ? [] : [{ batchNum: part.from.batchNum, quantity: part.size }];
      const place = { itemId, warehouseId, zoneId, batchId, batches, exact: true, elsewhere: true };
      const pointer = `/lines/${line.index}/quantity`;
      return {
        ...PLAIN,
        ...place,
        lineId: line.id,
        quantity: part.quantity,
        sourceId,
        unitCost,
        fifoUnitCost,
        pointer,
      };
    }),
  );
  return await moveAndValue(trx, ctx, moves, [], date);
}

async function movedBy(trx: Db, baseLineIds: readonly string[]): Promise<Remaining> {
  const moved = await query<Moved>(trx, MOVED_SQL, { lines: [...new Set(baseLineIds)] });
  return new Remaining(moved);
}

/** What lines have moved and is not taken back yet, as it is taken back line by line. */
class Remaining {
  readonly #origins = new Map<string, string>();
  readonly #places = new Map<string, { readonly from: Moved; left: ReturnType<typeof decimal> }[]>();

  constructor(moved: readonly Moved[]) {
    for (const from of moved) {
      this.#origins.set(from.baseLineId, from.originId);
      const places = this.#places.get(from.originId) ?? [];
      this.#places.set(from.originId, places);
      const known = places.some((place) => place.from.movementId === from.movementId);
      if (!known) places.push({ from, left: decimal(from.quantity).abs() });
    }
  }

  /** The parts that a quantity comes from; fewer than that when there is no more, which is refused with the quantities. */
  take(
    baseLineId: string,
    quantity: Decimal,
  ): { readonly from: Moved; readonly size: Decimal; readonly quantity: Decimal }[] {
    let wanted = decimal(quantity);
    return (this.#places.get(this.#origins.get(baseLineId) ?? '') ?? []).flatMap((place) => {
      const size = place.left.lt(wanted) ? place.left : wanted;
      if (size.lte(0)) return [];
      place.left = place.left.minus(size);
      wanted = wanted.minus(size);
      const back = decimal(place.from.quantity).lt(0) ? size : size.neg();
      return [{ from: place.from, size: size.toFixed(), quantity: back.toFixed() }];
    });
  }
}

/** What a rectifying invoice takes back of the notes behind the invoice that it corrects. @param undo when it is cancelled */
export async function takesOfNotes(trx: Db, documentId: string, undo = false): Promise<Taken[]> {
  const rows = await query<{ baseId: string; baseLineId: string; quantity: Decimal; lineNumber: number }>(
    trx,
    `select b.base_id as "baseId", b.base_line_id as "baseLineId", abs(l.quantity)::text as quantity, l.line_number as "lineNumber"
     from document_lines l join document_lines b on b.id = l.base_line_id
     where l.document_id = :documentId and b.base_type in ('SDN', 'PDN') order by l.line_number`,
    { documentId },
  );
  return rows.map(({ baseId, baseLineId, quantity, lineNumber }) => ({
    baseId,
    baseLineId,
    quantity: undo ? decimal(quantity).neg().toFixed() : quantity,
    pointer: `/lines/${lineNumber - 1}/quantity`,
  }));
}
