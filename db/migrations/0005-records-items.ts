import { annotated, customFields, reference, tenantTable } from './schema.ts';

/** Items with their units, categories and prices, and the places where goods lie. */
export const up = `
  ${tenantTable(
    'uoms',
    'Units of measure.',
    `
    code text not null, -- Code of the unit
    name text not null, -- Name of the unit
    decimals integer not null default 2, -- Decimals that quantities in it may have
    constraint uoms_code_key unique (tenant_id, code)
  `,
  )}
  ${annotated('uoms')}

  ${tenantTable(
    'categories',
    'Categories of items, in a tree.',
    `
    code text, -- Code of the category
    name text not null, -- Name of the category
    parent_id uuid, -- Category that it is a part of
    code_prefix text, -- Beginning of the codes that its new items get
    depth integer not null check (depth >= 0), -- Distance from the root
    sales_account_id uuid, -- Account of sales; null for the parent's or the default
    purchase_account_id uuid, -- Account of purchases; null for the parent's or the default
    constraint categories_code_key unique (tenant_id, code),
    constraint categories_parent_id_check check (parent_id <> id),
    ${reference('categories', 'parent_id', 'categories')},
    ${reference('categories', 'sales_account_id', 'accounts')},
    ${reference('categories', 'purchase_account_id', 'accounts')}
  `,
  )}
  create index categories_parent on categories (tenant_id, parent_id);
  ${annotated('categories')}

  ${tenantTable(
    'items',
    'Goods and services that are bought and sold.',
    `
    code text not null, -- Code of the item
    sku text, -- Stock keeping unit
    name text not null, -- Name of the item
    description text, -- Text that document lines begin with
    barcode text, -- Bar code of one unit
    type text not null default 'product' check (type in ('product', 'service')), -- product or service
    uom_id uuid not null, -- Unit in which its stock is counted
    sale_price numeric(20,6) not null default 0, -- Price for customers without a price list
    purchase_price numeric(20,6) not null default 0, -- Usual price of purchases
    sales_tax_group_id uuid, -- Tax on sales
    purchase_tax_group_id uuid, -- Tax on purchases
    stock_tracked boolean not null, -- Whether its stock is counted
    min_stock numeric(20,6) not null default 0, -- Stock below which it should be ordered
    -- How its stock is valued: average or fifo
    cost_method text not null default 'average' check (cost_method in ('average', 'fifo')),
    active boolean not null default true, -- Whether new documents can name it
    custom jsonb not null default '{}', -- Values of custom fields, by storage key
    category_id uuid, -- Category of the item
    sales_account_id uuid, -- Account of its sales; null for its category's
    purchase_account_id uuid, -- Account of its purchases; null for its category's
    batch_tracked boolean not null default false, -- Whether its stock is counted by batch
    constraint items_code_key unique (tenant_id, code),
    constraint items_sku_key unique (tenant_id, sku),
    ${reference('items', 'uom_id', 'uoms')},
    ${reference('items', 'sales_tax_group_id', 'taxes')},
    ${reference('items', 'purchase_tax_group_id', 'taxes')},
    ${reference('items', 'category_id', 'categories')},
    ${reference('items', 'sales_account_id', 'accounts')},
    ${reference('items', 'purchase_account_id', 'accounts')}
  `,
  )}
  create index items_name on items (tenant_id, name);
  create index items_category on items (tenant_id, category_id);
  create index items_barcode on items (tenant_id, barcode) where barcode is not null;
  ${customFields('items', 'Item')}
  ${annotated('items')}

  ${tenantTable(
    'item_units',
    'Alternative units of items, such as boxes.',
    `
    item_id uuid not null, -- Item that comes in the unit
    uom_id uuid not null, -- The unit
    -- Units of the item in one of these, as a fraction: numerator
    factor_numerator integer not null check (factor_numerator > 0),
    factor_denominator integer not null default 1 check (factor_denominator > 0), -- Denominator of that fraction
    barcode text, -- Bar code of the unit
    constraint item_units_uom_id_key unique (tenant_id, item_id, uom_id),
    constraint item_units_barcode_key unique (tenant_id, barcode),
    ${reference('item_units', 'item_id', 'items')},
    ${reference('item_units', 'uom_id', 'uoms')}
  `,
  )}

  ${tenantTable(
    'prices',
    'Prices in price lists, from a quantity on.',
    `
    price_list_id uuid not null, -- List that the price is in
    item_id uuid not null, -- Item that has the price
    price numeric(20,6) check (price >= 0), -- Price of one unit; null where a discount is given
    -- Discount on the item's sale price; null where a price is given
    discount_percent numeric(9,4) check (discount_percent between 0 and 100),
    min_quantity numeric(20,6) not null default 1 check (min_quantity > 0), -- Smallest quantity that it applies to
    valid_from date, -- First day; null for no limit
    valid_to date, -- Last day; null for no limit
    constraint prices_no_overlap
      exclude using gist
      (price_list_id with =, item_id with =, min_quantity with =, daterange(valid_from, valid_to, '[]') with &&),
    constraint prices_valid_to_check check (valid_from <= valid_to),
    constraint prices_price__discount_percent_check check (num_nonnulls(price, discount_percent) = 1),
    ${reference('prices', 'price_list_id', 'price_lists')},
    ${reference('prices', 'item_id', 'items')}
  `,
  )}
  create index prices_list on prices (tenant_id, price_list_id, item_id, min_quantity, valid_from nulls FIRST, id);
  create index prices_item on prices (tenant_id, item_id);

  ${tenantTable(
    'warehouses',
    'Warehouses.',
    `
    code text not null, -- Code of the warehouse
    name text not null, -- Name of the warehouse
    location text, -- Where it is
    is_default boolean not null default false, -- Whether documents use it unless another is chosen
    active boolean not null default true, -- Whether new documents can name it
    custom jsonb not null default '{}', -- Values of custom fields, by storage key
    constraint warehouses_code_key unique (tenant_id, code)
  `,
  )}
  create unique index warehouses_is_default_key on warehouses (tenant_id) where is_default;
  ${customFields('warehouses', 'Warehouse')}
  ${annotated('warehouses')}

  ${tenantTable(
    'zones',
    'Parts of a warehouse.',
    `
    warehouse_id uuid not null, -- Warehouse that it is a part of
    code text not null, -- Code, unique in the warehouse
    name text, -- Name of the zone
    type text, -- Use of the zone
    active boolean not null default true, -- Whether new documents can name it
    constraint zones_code_key unique (tenant_id, warehouse_id, code),
    constraint zones_place unique (tenant_id, warehouse_id, id),
    ${reference('zones', 'warehouse_id', 'warehouses')}
  `,
  )}
  ${annotated('zones')}
`;
