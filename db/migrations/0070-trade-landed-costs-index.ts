import { concurrently } from './concurrent-indexes.ts';

/** Finds the movements of a landed cost, when it is cancelled. */
export const up = concurrently({
  name: 'stock_movements_landed_cost',
  table: 'stock_movements',
  of: '(tenant_id, landed_cost_id) where landed_cost_id is not null',
});
