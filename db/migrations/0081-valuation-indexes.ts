import { concurrently } from './concurrent-indexes.ts';

const ORDER = '(tenant_id, item_id, warehouse_id, date, seq)';

/** Finds what is owed of a stock, what settled costs in it, and the valuation movements of a receipt or of another movement. */
export const up = concurrently(
  { name: 'stock_layers_owed', table: 'stock_layers', of: `${ORDER} where remaining < 0` },
  { name: 'stock_layers_settling', table: 'stock_layers', of: `${ORDER} where settles is not null` },
  { name: 'stock_layers_adjusts', table: 'stock_layers', of: '(tenant_id, adjusts_id) where adjusts_id is not null' },
  { name: 'stock_layers_follows', table: 'stock_layers', of: '(tenant_id, follows_id) where follows_id is not null' },
);
