/**
 * SQL of the values of movements and stocks by the costing method of the item. In a statement `i` is the item, `v` a layer or a row with
 * its columns, `item_id` among them.
 */

/** The standard cost of an item on a day (decision 0321); null before its first. @param item SQL of the item @param day SQL of the day */
export const standardCost = (item: string, day: string) =>
  `(select c.cost from standard_costs c where c.item_id = ${item} and c.date <= ${day} order by c.date desc limit 1)`;

/**
 * Chooses by the costing method. Before the first standard cost, items with the method `standard` have their average cost.
 * @param item alias of what has the method
 */
export function byMethod(fifo: string, average: string, standard: string, item = 'i'): string {
  return `case ${item}.cost_method when 'fifo' then ${fifo} when 'standard' then coalesce(${standard}, ${average}) else ${average} end`;
}

const STANDARD = standardCost('v.item_id', 'v.date');
/** Goods that come back count at the standard cost at which they left. */
const STANDARD_WORTH = standardCost(
  'v.item_id',
  'case when v.quantity > 0 then coalesce((select o.date from stock_layers o where o.id = v.source_id), v.date) else v.date end',
);

/** The value of the stock after the layer. @param day SQL of the day whose standard cost counts: that of the stock, not of the layer */
export function stockValue(day: string): string {
  return `(${byMethod('v.fifo_after', 'v.average_after', `v.quantity_after * ${standardCost('v.item_id', day)}`)})`;
}

/** The change of the stock's value. */
export const VALUE_CHANGE = `(${byMethod('v.fifo_change', 'v.average_change', `v.quantity * ${STANDARD}`)})`;

/** The cost of one of the goods that came in. */
export const UNIT_COST = `(${byMethod('v.fifo_unit_cost', 'v.unit_cost', STANDARD)})`;

/**
 * The value of moved goods by average or FIFO: the change of the stock's value, with what later goods settled of it, without what it
 * settled of others (decision 0155).
 */
const worth = (
  method: 'average' | 'fifo',
) => `(v.${method}_change + v.${method}_settled - case when v.settles is null then 0
  else (select sum((s.value ->> '${method}')::numeric) from jsonb_each(v.settles) s) end)`;

/** The value of moved goods. */
export const WORTH = `(${byMethod(worth('fifo'), worth('average'), `v.quantity * ${STANDARD_WORTH}`)})`;

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
