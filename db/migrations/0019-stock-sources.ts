import { reference } from './schema.ts';

/** Transfers: which layer goods that came in had left, so that their value follows them; and the list of movements by its order. */
export const up = `
  -- The layer of the movement that took the goods out of their other place. Without a given cost both are in one warehouse: the
  -- goods go on in the layers that they were in.
  alter table stock_layers
    add column source_id uuid,
    add ${reference('stock_layers', 'source_id', 'stock_layers')};
  create index stock_layers_source on stock_layers (tenant_id, source_id) where source_id is not null;
  create index stock_movements_list on stock_movements (tenant_id, seq desc);
`;
