/** Remainders of the movements of lines: goods that have not been taken back. */
import type { Db } from '../../../../db/database.ts';
import { query } from '../../../../db/sql.ts';
import { type Decimal, decimal, sum } from '../../../../domain/money.ts';

/** The rest of a movement of a line; sold goods are negative, as they moved. */
export interface Moved {
  readonly baseLineId: string;
  /** The line that moved the goods: that of the note, if an invoice line is based on one. */
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
 * The movements of lines, less the quantities taken back by returns and by rectifying invoices of the note's invoices, whichever place
 * they left. Cancelled ones are added back.
 */
const MOVED_SQL = `
  with wanted as (
    select l.id as base, case when l.base_type in ('SDN', 'PDN') then l.base_line_id else l.id end as origin
    from document_lines l where l.id = any(:lines::uuid[])
  ), moved as (
    select w.base, w.origin, m.zone_id, m.batch_id, c.*, c.quantity + coalesce((
      select sum(q.quantity) from (
        select b.quantity from stock_layers b where b.source_id = c.id
        union all select u.quantity from stock_layers b join stock_layers u on u.source_id = b.id
          where b.source_id = c.id) as q), 0) as left_over
    from wanted w join stock_movements m on m.document_line_id = w.origin
    join stock_layers c on c.id = m.id and c.source_id is null
  )
  select m.base as "baseLineId", m.origin as "originId", m.id as "movementId", m.item_id as "itemId", m.warehouse_id as "warehouseId",
    m.zone_id as "zoneId",
    m.batch_id as "batchId", b.batch_num as "batchNum", m.left_over::text as quantity, m.unit_cost as "unitCost",
      m.fifo_unit_cost as "fifoUnitCost"
  from moved m left join batches b on b.id = m.batch_id
  where m.left_over <> 0 order by m.seq`;

/** A part of what a line takes back, from one movement. */
export interface TakenPart {
  readonly from: Moved;
  readonly size: Decimal;
  /** Signed, as it moves back. */
  readonly quantity: Decimal;
}

/** @param baseLineIds of the lines that are taken back from; their stocks are locked */
export async function movedBy(trx: Db, baseLineIds: readonly string[]): Promise<Remaining> {
  const moved = await query<Moved>(trx, MOVED_SQL, { lines: [...new Set(baseLineIds)] });
  return new Remaining(moved);
}

/** The rest of the movements, consumed line by line. */
export class Remaining {
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

  /** The quantity of a batch that a line can still take back; null if none was moved or all of it is back. */
  leftOfBatch(baseLineId: string, batchNum: string): Decimal | null {
    const places = this.#linePlaces(baseLineId).filter(({ from }) => from.batchNum === batchNum);
    return places.length === 0 ? null : sum(places.map(({ left }) => left)).toFixed();
  }

  /**
   * The parts that make up a quantity; fewer if there is not enough, which the check of quantities refuses.
   * @param line of which item it takes; a kit has moved several
   * @param batchNum only of this batch
   */
  take(
    line: { readonly baseLineId: string; readonly itemId: string },
    quantity: Decimal,
    batchNum?: string,
  ): TakenPart[] {
    let wanted = decimal(quantity);
    return this.#linePlaces(line.baseLineId).flatMap((place) => {
      if (place.from.itemId !== line.itemId) return [];
      if (batchNum !== undefined && place.from.batchNum !== batchNum) return [];
      const size = place.left.lt(wanted) ? place.left : wanted;
      if (size.lte(0)) return [];
      place.left = place.left.minus(size);
      wanted = wanted.minus(size);
      const back = decimal(place.from.quantity).lt(0) ? size : size.neg();
      return [{ from: place.from, size: size.toFixed(), quantity: back.toFixed() }];
    });
  }

  #linePlaces(baseLineId: string) {
    return this.#places.get(this.#origins.get(baseLineId) ?? '') ?? [];
  }
}
