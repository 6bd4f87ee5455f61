/** SQL: what movements are worth by the costing method of their item. In a statement `i` is the item, `v` the layer. */

/** A column of the layer: that of FIFO, or that of the average. */
export function byMethod(fifo: string, average: string): string {
  return `case i.cost_method when 'fifo' then v.${fifo} else v.${average} end`;
}

/** What goods that moved are worth: how they changed the value of the stock, and what was settled of that since (decision 0155). */
export const WORTH = `(${byMethod('fifo_change', 'average_change')} + ${byMethod('fifo_settled', 'average_settled')})`;
