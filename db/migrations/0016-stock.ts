import { reference, tenantTable } from './schema.ts';

/** A reference that also ties to the row's own column: a zone of this warehouse, a batch of this item. */
function within(table: string, column: string, of: string, target: string): string {
  return `constraint ${table}_${column}_fkey foreign key (tenant_id, ${of}, ${column}) references ${target} (tenant_id, ${of}, id)`;
}

/** Stock by zone and batch, its value layer by layer, counts and transfers; what lines and documents still lacked for it. */
export const up = `
  alter table zones add constraint zones_place unique (tenant_id, warehouse_id, id);

  ${tenantTable(
    'batches',
    `item_id uuid not null,
     batch_num text not null,
     expiry_date date,
     status text not null check (status in ('pending', 'confirmed')),
     constraint batches_batch_num_key unique (tenant_id, item_id, batch_num),
     constraint batches_item unique (tenant_id, item_id, id),
     ${reference('batches', 'item_id', 'items')}`,
  )}
  create index batches_expiry on batches (tenant_id, expiry_date);

  -- The row without zone and batch is there for each item and warehouse: it holds what orders have set aside or announced, and
  -- is locked before any other row of the two.
  alter table stock_levels
    add column zone_id uuid,
    add column batch_id uuid,
    add column may_be_negative boolean not null default false,
    drop constraint stock_levels_place,
    add constraint stock_levels_place unique nulls not distinct (tenant_id, item_id, warehouse_id, zone_id, batch_id),
    add ${within('stock_levels', 'zone_id', 'warehouse_id', 'zones')},
    add ${within('stock_levels', 'batch_id', 'item_id', 'batches')},
    add constraint stock_levels_on_hand_check check (on_hand >= 0 or may_be_negative) not valid;
  create index stock_levels_batch on stock_levels (tenant_id, batch_id) where batch_id is not null;
  create index stock_levels_zone on stock_levels (tenant_id, zone_id) where zone_id is not null;

  ${tenantTable(
    'stock_operations',
    `kind text not null check (kind in ('adjustment', 'transfer')),
     code text not null,
     date date not null,
     period_id uuid not null,
     warehouse_id uuid not null,
     zone_id uuid,
     to_warehouse_id uuid,
     to_zone_id uuid,
     reason text,
     lines jsonb not null,
     created_by uuid,
     constraint stock_operations_code_key unique (tenant_id, code),
     ${reference('stock_operations', 'period_id', 'periods')},
     ${reference('stock_operations', 'warehouse_id', 'warehouses')},
     ${reference('stock_operations', 'to_warehouse_id', 'warehouses')},
     ${reference('stock_operations', 'zone_id', 'zones')},
     ${reference('stock_operations', 'to_zone_id', 'zones')}`,
  )}
  create index stock_operations_list on stock_operations (tenant_id, kind, id desc);

  alter table stock_movements
    add column zone_id uuid,
    add column batch_id uuid,
    add column operation_id uuid,
    add ${within('stock_movements', 'zone_id', 'warehouse_id', 'zones')},
    add ${within('stock_movements', 'batch_id', 'item_id', 'batches')},
    add ${reference('stock_movements', 'operation_id', 'stock_operations')};
  create index stock_movements_batch on stock_movements (tenant_id, batch_id) where batch_id is not null;
  create index stock_movements_operation on stock_movements (tenant_id, operation_id) where operation_id is not null;
  create index stock_movements_line on stock_movements (tenant_id, document_line_id) where document_line_id is not null;

  ${tenantTable(
    'stock_layers',
    `seq bigint not null,
     date date not null,
     item_id uuid not null,
     warehouse_id uuid not null,
     quantity numeric(20,6) not null,
     -- What one unit cost that came in, as the movement brought it; null = the average of that moment.
     given_cost numeric(26,12),
     given_fifo_cost numeric(26,12),
     unit_cost numeric(26,12) not null,
     fifo_unit_cost numeric(26,12) not null,
     average_change numeric(26,6) not null,
     fifo_change numeric(26,6) not null,
     remaining numeric(20,6) not null check (remaining >= 0),
     quantity_after numeric(20,6) not null,
     average_after numeric(26,6) not null,
     fifo_after numeric(26,6) not null,
     last_cost numeric(26,12) not null,
     ${reference('stock_layers', 'item_id', 'items')},
     ${reference('stock_layers', 'warehouse_id', 'warehouses')},
     ${reference('stock_layers', 'id', 'stock_movements')}`,
    { versioned: false },
  )}
  create unique index stock_layers_order on stock_layers (tenant_id, item_id, warehouse_id, date, seq);
  create index stock_layers_open on stock_layers (tenant_id, item_id, warehouse_id, date, seq) where remaining > 0;

  alter table documents
    add column project_id uuid,
    add column cost_center_id uuid,
    add column rectifies uuid,
    add column returns uuid,
    add column reason text,
    add column return_stock boolean not null default false,
    add column closed_at timestamptz,
    add column sent_at timestamptz,
    add ${reference('documents', 'project_id', 'projects')},
    add ${reference('documents', 'cost_center_id', 'cost_centers')},
    add ${reference('documents', 'rectifies', 'documents')},
    add ${reference('documents', 'returns', 'documents')};
  create index documents_rectifies on documents (tenant_id, rectifies) where rectifies is not null;
  create index documents_returns on documents (tenant_id, returns) where returns is not null;

  alter table document_lines
    add column zone_id uuid,
    -- In the item's own unit: what moves in stock.
    add column base_quantity numeric(20,6),
    add column batch_details jsonb,
    add column allow_expired boolean not null default false,
    add column vat_regime text,
    add column vat_use text not null default 'current' check (vat_use in ('current', 'investment', 'none')),
    add column account_id uuid,
    add column project_id uuid,
    add column cost_center_id uuid,
    add ${within('document_lines', 'zone_id', 'warehouse_id', 'zones')},
    add ${reference('document_lines', 'account_id', 'accounts')},
    add ${reference('document_lines', 'project_id', 'projects')},
    add ${reference('document_lines', 'cost_center_id', 'cost_centers')};
  -- The owner changes the rows of all tenants.
  ${['document_lines', 'stock_movements', 'stock_layers', 'outbox'].map((table) => `alter table ${table} no force row level security;`).join('\n')}
  update document_lines set base_quantity = quantity * uom_factor;
  alter table document_lines alter column base_quantity set not null;
  -- Movements from before get layers with quantities; their values are worked out by the events.
  insert into stock_layers (id, tenant_id, seq, date, item_id, warehouse_id, quantity, given_cost, unit_cost, fifo_unit_cost,
    average_change, fifo_change, remaining, quantity_after, average_after, fifo_after, last_cost)
  select m.id, m.tenant_id, m.seq, m.date, m.item_id, m.warehouse_id, m.quantity,
    case when m.doc_type in ('PDN', 'PINV') and m.quantity > 0 then l.amount / l.base_quantity end, 0, 0, 0, 0,
    case when m.quantity > 0 then greatest(0, least(m.quantity, sum(m.quantity) over stock
      - coalesce(sum(greatest(m.quantity, 0)) over (stock order by m.date desc, m.seq desc rows between unbounded preceding and 1 preceding), 0))) else 0 end,
    sum(m.quantity) over (stock order by m.date, m.seq), 0, 0, 0
  from stock_movements m left join document_lines l on l.tenant_id = m.tenant_id and l.id = m.document_line_id
  window stock as (partition by m.tenant_id, m.item_id, m.warehouse_id);
  insert into outbox (id, tenant_id, event, entity_type, entity_id, payload, created_at)
  select gen_random_uuid(), tenant_id, 'internal.stock_revaluation_due', 'Item', item_id,
    json_build_object('item_id', item_id, 'warehouse_id', warehouse_id, 'date', min(date)), now()
  from stock_movements group by tenant_id, item_id, warehouse_id;
  ${['document_lines', 'stock_movements', 'stock_layers', 'outbox'].map((table) => `alter table ${table} force row level security;`).join('\n')}
`;
