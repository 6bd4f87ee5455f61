import { reference, tenantTable } from './schema.ts';

/** Categories of items, alternative units, addresses of partners. */
export const up = `
  ${tenantTable(
    'categories',
    `code text,
     name text not null,
     parent_id uuid,
     code_prefix text,
     depth integer not null check (depth >= 0),
     constraint categories_code_key unique (tenant_id, code),
     constraint categories_parent_id_check check (parent_id <> id),
     ${reference('categories', 'parent_id', 'categories')}`,
  )}
  create index categories_parent on categories (tenant_id, parent_id);

  alter table items
    add column category_id uuid,
    add column sales_account_id uuid,
    add column purchase_account_id uuid,
    add column batch_tracked boolean not null default false,
    add ${reference('items', 'category_id', 'categories')},
    add ${reference('items', 'sales_account_id', 'accounts')},
    add ${reference('items', 'purchase_account_id', 'accounts')};
  create index items_category on items (tenant_id, category_id);
  create index items_barcode on items (tenant_id, barcode) where barcode is not null;

  ${tenantTable(
    'item_units',
    `item_id uuid not null,
     uom_id uuid not null,
     factor_numerator integer not null check (factor_numerator > 0),
     factor_denominator integer not null default 1 check (factor_denominator > 0),
     barcode text,
     constraint item_units_uom_id_key unique (tenant_id, item_id, uom_id),
     constraint item_units_barcode_key unique (tenant_id, barcode),
     ${reference('item_units', 'item_id', 'items')},
     ${reference('item_units', 'uom_id', 'uoms')}`,
  )}

  ${tenantTable(
    'partner_addresses',
    `partner_id uuid not null,
     name text not null,
     street text,
     city text,
     state text,
     zip_code text,
     country_code char(2),
     type char(1) not null check (type in ('B', 'S')),
     is_default boolean not null default false,
     ${reference('partner_addresses', 'partner_id', 'partners')}`,
  )}
  create index partner_addresses_partner on partner_addresses (tenant_id, partner_id);
  create unique index partner_addresses_is_default_key on partner_addresses (tenant_id, partner_id, type) where is_default;
`;
