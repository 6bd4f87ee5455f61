import { annotated, describe, reference, tenantTable } from './schema.ts';

const OF_DOCUMENTS = `
    delivery_date date, -- Day on which the goods of an order or quotation are expected`;

/** Further barcodes, components, expected days of delivery, and rules by which goods are ordered again. */
export const up = `
  ${tenantTable(
    'item_barcodes',
    'Further barcodes of items.',
    `
    item_id uuid not null, -- Item
    barcode text not null, -- Barcode
    kind text not null check (kind in ('gtin', 'other')), -- gtin: with a check digit; other
    uom_id uuid, -- Unit that it is on; null for the item's own
    constraint item_barcodes_barcode_key unique (tenant_id, barcode),
    ${reference('item_barcodes', 'item_id', 'items', 'on delete cascade')},
    ${reference('item_barcodes', 'uom_id', 'uoms')}
  `,
  )}
  create index item_barcodes_item on item_barcodes (tenant_id, item_id);
  create index item_barcodes_uom on item_barcodes (tenant_id, uom_id) where uom_id is not null;

  ${tenantTable(
    'item_components',
    'Parts of items that are assembled.',
    `
    item_id uuid not null, -- Assembled item
    component_id uuid not null, -- Part
    quantity numeric(20,6) not null check (quantity > 0), -- Quantity in one of the item, both in their own units
    constraint item_components_component_id_key unique (tenant_id, item_id, component_id),
    constraint item_components_other check (item_id <> component_id),
    ${reference('item_components', 'item_id', 'items', 'on delete cascade')},
    ${reference('item_components', 'component_id', 'items')}
  `,
  )}
  create index item_components_component on item_components (tenant_id, component_id);

  ${tenantTable(
    'reorder_rules',
    'When items are ordered again, how much and from whom.',
    `
    item_id uuid not null, -- Item
    warehouse_id uuid, -- Warehouse; null for all together
    minimum numeric(20,6) not null check (minimum >= 0), -- Ordered when less is expected
    maximum numeric(20,6), -- Ordered up to this; null for the minimum
    supplier_id uuid, -- Supplier
    lead_time_days integer not null default 0 check (lead_time_days between 0 and 3650), -- Days until the goods come
    pack_quantity numeric(20,6) check (pack_quantity > 0), -- Ordered in multiples of this
    active boolean not null default true, -- Whether it applies
    constraint reorder_rules_maximum_check check (maximum >= minimum),
    constraint reorder_rules_item_id_key unique nulls not distinct (tenant_id, item_id, warehouse_id),
    ${reference('reorder_rules', 'item_id', 'items')},
    ${reference('reorder_rules', 'warehouse_id', 'warehouses')},
    ${reference('reorder_rules', 'supplier_id', 'partners')}
  `,
  )}
  create index reorder_rules_supplier on reorder_rules (tenant_id, supplier_id) where supplier_id is not null;
  create index reorder_rules_warehouse on reorder_rules (tenant_id, warehouse_id) where warehouse_id is not null;
  ${annotated('reorder_rules')}

  alter table documents add column delivery_date date;
  alter table stock_operations drop constraint stock_operations_kind_check,
    add constraint stock_operations_kind_check check (kind in ('adjustment', 'transfer', 'assembly')) not valid;
  ${describe('documents', 'Documents: quotations, orders, delivery notes and invoices.', OF_DOCUMENTS)}
`;
