/** SQL of the values of movements and stocks. In a statement `i` is the item, `v` a layer or a row with its columns. */

/** Chooses between two columns by the costing method of the item. */
export function byMethod(fifo: string, average: string): string {
  return `case i.cost_method when 'fifo' then v.${fifo} else v.${average} end`;
}

/** The part of a change of the stock's value that goods that come in settle of goods that had left before: no value of theirs. */
const SETTLING = `case when v.settles is null then 0
  else (select sum((s.value ->> i.cost_method)::numeric) from jsonb_each(v.settles) s) end`;

/**
 * The value of moved goods: the change of the stock's value, with what later goods settled of it, without what it settled of others
 * (decision 0155).
 */
export const WORTH = `(${byMethod('fifo_change', 'average_change')} + ${byMethod('fifo_settled', 'average_settled')} - ${SETTLING})`;

/**
 * Each item in each warehouse with its last layer up to a day: `item_id`, `warehouse_id`, `quantity_after`, `average_after`, `fifo_after`.
 * Everything that moved has a level, and an index finds the last layer of each: the cost does not grow with history.
 * @param day SQL of the day
 * @param warehouse SQL of the only warehouse; null = all
 */
export const stocksOn = (day: string, warehouse = 'null::uuid') => `
    select s.item_id, s.warehouse_id, v.quantity_after, v.average_after, v.fifo_after
    from (select distinct item_id, warehouse_id from stock_levels where ${warehouse} is null or warehouse_id = ${warehouse}) s
    cross join lateral (
      select quantity_after, average_after, fifo_after from stock_layers v
      where v.item_id = s.item_id and v.warehouse_id = s.warehouse_id and v.date <= ${day}
      order by v.date desc, v.seq desc limit 1) v`;
