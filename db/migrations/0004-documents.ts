import { reference, tenantTable } from './schema.ts';

/** Sales and purchase documents of all six types in one set of tables, and the stock they move. */
export const up = `
  ${tenantTable(
    'documents',
    `doc_type text not null check (doc_type in ('SO', 'SDN', 'SINV', 'PO', 'PDN', 'PINV')),
     series_id uuid not null,
     period_id uuid not null,
     number integer,
     code text,
     status char(1) not null check (status in ('D', 'O', 'P', 'C', 'X')),
     payment_status text check (payment_status in ('pending', 'partial', 'paid', 'overpaid')),
     partner_id uuid not null,
     date date not null,
     due_date date,
     warehouse_id uuid,
     reference text,
     supplier_reference text,
     notes text,
     billing_address jsonb,
     shipping_address jsonb,
     vat_regime text not null,
     withholding_rate numeric(9,4) not null default 0,
     currency char(3) not null,
     subtotal numeric(20,6) not null,
     discount_total numeric(20,6) not null,
     tax_total numeric(20,6) not null,
     withholding_amount numeric(20,6) not null default 0,
     total numeric(20,6) not null,
     paid_total numeric(20,6) not null default 0,
     created_by uuid,
     posted_at timestamptz,
     cancelled_at timestamptz,
     custom jsonb not null default '{}',
     constraint documents_number_key unique (tenant_id, series_id, number),
     ${reference('documents', 'series_id', 'series')},
     ${reference('documents', 'period_id', 'periods')},
     ${reference('documents', 'partner_id', 'partners')},
     ${reference('documents', 'warehouse_id', 'warehouses')}`,
  )}
  create index documents_list on documents (tenant_id, doc_type, date desc, id desc);
  create index documents_recent on documents (tenant_id, doc_type, id desc);
  create index documents_partner on documents (tenant_id, partner_id, doc_type);
  create index documents_period on documents (tenant_id, period_id, status);

  ${tenantTable(
    'document_lines',
    `document_id uuid not null,
     line_number integer not null,
     item_id uuid,
     description text not null,
     quantity numeric(20,6) not null,
     price numeric(20,6) not null,
     discount_percent numeric(9,4) not null default 0,
     tax_group_id uuid not null,
     tax_rate numeric(9,4) not null,
     surcharge_rate numeric(9,4) not null default 0,
     amount numeric(20,6) not null,
     warehouse_id uuid,
     uom_id uuid,
     uom_factor numeric(20,9) not null default 1,
     base_type text,
     base_id uuid,
     base_line_id uuid,
     delivered_quantity numeric(20,6) not null default 0 check (delivered_quantity >= 0),
     invoiced_quantity numeric(20,6) not null default 0 check (invoiced_quantity >= 0),
     returned_quantity numeric(20,6) not null default 0 check (returned_quantity >= 0),
     plugin_data jsonb,
     constraint document_lines_number unique (tenant_id, document_id, line_number),
     ${reference('document_lines', 'document_id', 'documents', 'on delete cascade')},
     ${reference('document_lines', 'item_id', 'items')},
     ${reference('document_lines', 'tax_group_id', 'taxes')},
     ${reference('document_lines', 'warehouse_id', 'warehouses')},
     ${reference('document_lines', 'uom_id', 'uoms')},
     ${reference('document_lines', 'base_line_id', 'document_lines')}`,
    { versioned: false },
  )}
  create index document_lines_base on document_lines (tenant_id, base_line_id) where base_line_id is not null;
  create index document_lines_base_document on document_lines (tenant_id, base_id) where base_id is not null;
  create index document_lines_item on document_lines (tenant_id, item_id);

  ${tenantTable(
    'document_taxes',
    `document_id uuid not null,
     tax_group_id uuid not null,
     code text not null,
     rate numeric(9,4) not null,
     base numeric(20,6) not null,
     amount numeric(20,6) not null,
     surcharge_rate numeric(9,4) not null default 0,
     surcharge_amount numeric(20,6) not null default 0,
     ${reference('document_taxes', 'document_id', 'documents', 'on delete cascade')},
     ${reference('document_taxes', 'tax_group_id', 'taxes')}`,
    { versioned: false },
  )}
  create index document_taxes_document on document_taxes (tenant_id, document_id);

  ${tenantTable(
    'stock_levels',
    `item_id uuid not null,
     warehouse_id uuid not null,
     on_hand numeric(20,6) not null default 0,
     reserved numeric(20,6) not null default 0,
     incoming numeric(20,6) not null default 0,
     constraint stock_levels_place unique (tenant_id, item_id, warehouse_id),
     ${reference('stock_levels', 'item_id', 'items')},
     ${reference('stock_levels', 'warehouse_id', 'warehouses')}`,
    { versioned: false },
  )}
  create index stock_levels_warehouse on stock_levels (tenant_id, warehouse_id, item_id);

  ${tenantTable(
    'stock_movements',
    `seq bigint generated always as identity,
     date date not null,
     item_id uuid not null,
     warehouse_id uuid not null,
     quantity numeric(20,6) not null check (quantity <> 0),
     balance numeric(20,6) not null,
     doc_type text,
     document_id uuid,
     document_line_id uuid,
     created_at timestamptz not null,
     ${reference('stock_movements', 'item_id', 'items')},
     ${reference('stock_movements', 'warehouse_id', 'warehouses')},
     ${reference('stock_movements', 'document_id', 'documents')}`,
    { versioned: false, grants: 'select, insert' },
  )}
  create index stock_movements_place on stock_movements (tenant_id, item_id, warehouse_id, seq);
  create index stock_movements_document on stock_movements (tenant_id, document_id);
`;
