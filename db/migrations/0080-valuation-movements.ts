import { reference } from './schema.ts';

/**
 * What a receipt cost may change after its day: by its invoice, which is a movement of quantity zero. The cost of what has left follows,
 * also of goods that left before they came: what is owed of them is a layer below zero (decision 0155).
 */
export const up = `
  alter table stock_movements drop constraint stock_movements_quantity_check;
  alter table stock_layers
    drop constraint stock_layers_remaining_check,
    add constraint stock_layers_remaining_check check (remaining >= 0 or quantity < 0) not valid,
    -- Of valuation movements: the receipt, how much more it cost, and the movement elsewhere whose change of cost this one carries on.
    add column adjusts_id uuid,
    add column given_value numeric(30,12),
    add column given_fifo_value numeric(30,12),
    add column follows_id uuid,
    -- What a movement changed of the worth of earlier ones, by their ids; and the sums, at those.
    add column settles jsonb,
    add column average_settled numeric(30,12) not null default 0,
    add column fifo_settled numeric(30,12) not null default 0,
    add ${reference('stock_layers', 'adjusts_id', 'stock_layers')},
    add ${reference('stock_layers', 'follows_id', 'stock_layers')};
  -- What was sold below zero is settled when its values are worked out once more.
  alter table stock_layers no force row level security;
  alter table outbox no force row level security;
  insert into outbox (id, tenant_id, event, entity_type, entity_id, payload, created_at)
  select gen_random_uuid(), tenant_id, 'internal.stock_revaluation_due', 'Item', item_id,
    json_build_object('item_id', item_id, 'warehouse_id', warehouse_id, 'date', min(date)), now()
  from stock_layers group by tenant_id, item_id, warehouse_id having min(quantity_after) < 0;
  alter table stock_layers force row level security;
  alter table outbox force row level security;
`;
