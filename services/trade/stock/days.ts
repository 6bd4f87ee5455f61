/** Checks back-dated movements: goods that leave must be on hand on that day and every day after it (decision 0156). */
import type { Db } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import { insufficientStock } from '../../../domain/trade/stock/choose-places.ts';
import { dustPlaces } from '../../../domain/trade/stock/dust.ts';
import { type Stock, stockKey } from '../../../domain/trade/stock/levels.ts';
import type { MovedGoods } from './add-goods.ts';
import { LATER_SQL } from './dated-stocks.ts';
import { ALLOWS_NEGATIVE } from './levels.ts';

/** A stock on the day with the least on hand. */
interface LowDay extends Stock {
  readonly code: string;
  /** Quantity on hand at the end of the day, including the movements. */
  readonly onHand: Decimal;
  readonly day: string;
}

/**
 * The lowest quantity at the end of the given day or a later one, where it is below zero. It is computed backwards from the levels, which
 * are locked and exact, and the planned change: layers may wait for their workflow, but their quantities never change.
 */
const LOW_DAYS_SQL = `
  with later as (
    select d."itemId", d."warehouseId", d.change, l.date,
      sum(sum(l.quantity)) over (partition by d."itemId", d."warehouseId" order by l.date desc) as quantity
    from json_to_recordset(:stocks::json) as d("itemId" uuid, "warehouseId" uuid, date date, change numeric)
    join stock_layers l on ${LATER_SQL} and l.date > d.date group by 1, 2, 3, 4
  ), lowest as (
    select distinct on ("itemId", "warehouseId") *, (select sum(v.on_hand) from stock_levels v
      where v.item_id = later."itemId" and v.warehouse_id = later."warehouseId") + change - quantity as "onHand"
    from later order by "itemId", "warehouseId", quantity desc, date
  )
  select s."itemId", s."warehouseId", i.code, s."onHand"::text as "onHand", (s.date - 1)::text as day
  from lowest s join items i on i.id = s."itemId" join uoms u on u.id = i.uom_id
  where round(s."onHand", ${dustPlaces('u.decimals')}) < 0 and not ${ALLOWS_NEGATIVE}`;

/**
 * Refuses back-dated movements that would leave the stock of an item below zero at the end of some day. Reads only stocks with later
 * movements, and with more going out than coming in.
 * @param goods as planned; their stocks are locked
 * @throws ServiceError insufficient_stock naming each line that takes from such a stock, with the quantity and the day
 */
export async function assertDaysHold(
  trx: Db,
  { movements, costs, date }: Pick<MovedGoods, 'movements' | 'costs' | 'date'>,
): Promise<void> {
  const changes = new Map(costs.backdated.map((stock) => [stockKey(stock), decimal(0)]));
  for (const movement of movements) {
    const change = changes.get(stockKey(movement));
    if (change !== undefined) changes.set(stockKey(movement), change.plus(movement.quantity));
  }
  const lowered = costs.backdated.filter((stock) => changes.get(stockKey(stock))?.lt(0));
  if (lowered.length === 0) return;
  const stocks = lowered.map(({ itemId, warehouseId }) => {
    return { itemId, warehouseId, date, change: changes.get(stockKey({ itemId, warehouseId }))?.toFixed() };
  });
  const low = await prepared<LowDay>(trx, LOW_DAYS_SQL, { stocks: JSON.stringify(stocks) });
  if (low.length === 0) return;
  const faults = low.flatMap(({ code, onHand, day, ...stock }) => {
    const taking = movements.filter(
      (movement) => stockKey(movement) === stockKey(stock) && decimal(movement.quantity).lt(0),
    );
    const needed = sum(taking.map(({ quantity }) => quantity)).neg();
    const message = `${code}: ${needed.plus(onHand).toFixed()} on hand on ${day}, ${needed.toFixed()} needed`;
    const pointers = new Set(taking.map(({ pointer = '' }) => pointer));
    return [...pointers].map((pointer) => ({ pointer, code: 'insufficient_stock', message }));
  });
  throw insufficientStock(faults);
}
