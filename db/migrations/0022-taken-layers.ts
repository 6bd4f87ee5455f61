/**
 * How each movement changed the layers of its item and warehouse, by their ids: filled above zero, used up below; its own
 * included. What comes back goes to the layers that it left, and what goes back leaves the layer that it made.
 */
export const up = `
  alter table stock_layers
    add column parts jsonb,
    -- By average, while nothing is there.
    add column last_average numeric(26,12);
  -- Movements from before get theirs when their values are worked out once more.
  alter table stock_movements no force row level security;
  alter table outbox no force row level security;
  insert into outbox (id, tenant_id, event, entity_type, entity_id, payload, created_at)
  select gen_random_uuid(), tenant_id, 'internal.stock_revaluation_due', 'Item', item_id,
    json_build_object('item_id', item_id, 'warehouse_id', warehouse_id, 'date', min(date)), now()
  from stock_movements group by tenant_id, item_id, warehouse_id;
  alter table stock_movements force row level security;
  alter table outbox force row level security;
`;
