/** Costing methods of items: average cost; first in, first out; standard costs by day (decision 0321). */
export const COST_METHODS = ['average', 'fifo', 'standard'] as const;

export type CostMethod = (typeof COST_METHODS)[number];
