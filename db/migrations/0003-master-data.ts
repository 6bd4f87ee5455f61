import { reference, tenantTable } from './schema.ts';

/** Master data, as far as a sale needs it. */
export const up = `
  ${tenantTable('uoms', `code text not null, name text not null, decimals integer not null default 2, constraint uoms_code_key unique (tenant_id, code)`)}

  ${tenantTable(
    'taxes',
    `code text not null,
     name text not null,
     rate numeric(9,4) not null check (rate >= 0 and rate <= 100),
     surcharge_rate numeric(9,4) not null default 0 check (surcharge_rate >= 0 and surcharge_rate <= 100),
     kind text not null default 'vat' check (kind in ('vat', 'exempt', 'reverse_charge', 'not_subject')),
     valid_from date,
     valid_to date,
     constraint taxes_code__valid_from_key unique nulls not distinct (tenant_id, code, valid_from)`,
  )}

  ${tenantTable(
    'accounts',
    `code text not null,
     name text not null,
     type text not null check (type in ('asset', 'liability', 'equity', 'income', 'expense')),
     parent_id uuid,
     is_heading boolean not null default false,
     active boolean not null default true,
     constraint accounts_code_key unique (tenant_id, code),
     ${reference('accounts', 'parent_id', 'accounts')}`,
  )}

  ${tenantTable(
    'periods',
    `code text not null,
     name text,
     "from" date not null,
     "to" date not null,
     status char(1) not null default 'O' check (status in ('O', 'C')),
     constraint periods_code_key unique (tenant_id, code),
     constraint periods_to_check check ("from" <= "to")`,
  )}
  create extension if not exists btree_gist;
  alter table periods add constraint periods_no_overlap
    exclude using gist (tenant_id with =, daterange("from", "to", '[]') with &&);

  ${tenantTable(
    'series',
    `doc_type text not null check (doc_type in ('SO', 'SDN', 'SINV', 'PO', 'PDN', 'PINV')),
     name text,
     rectifying boolean not null default false,
     prefix text not null default '',
     suffix text not null default '',
     first_number integer not null default 1 check (first_number >= 0),
     next_number integer not null,
     padding integer not null default 0 check (padding between 0 and 12),
     is_default boolean not null default false,
     year integer`,
  )}
  create unique index series_is_default_key on series (tenant_id, doc_type, rectifying) where is_default;
  create unique index series_prefix__suffix_key on series (tenant_id, doc_type, prefix, suffix);

  ${tenantTable(
    'warehouses',
    `code text not null,
     name text not null,
     location text,
     is_default boolean not null default false,
     active boolean not null default true,
     custom jsonb not null default '{}',
     constraint warehouses_code_key unique (tenant_id, code)`,
  )}
  create unique index warehouses_is_default_key on warehouses (tenant_id) where is_default;

  ${tenantTable(
    'partner_groups',
    `code text not null,
     name text not null,
     code_prefix text not null default '',
     is_customer boolean not null default false,
     is_vendor boolean not null default false,
     receivable_account_id uuid,
     payable_account_id uuid,
     constraint partner_groups_code_key unique (tenant_id, code),
     ${reference('partner_groups', 'receivable_account_id', 'accounts')},
     ${reference('partner_groups', 'payable_account_id', 'accounts')}`,
  )}

  ${tenantTable(
    'partners',
    `code text not null,
     name text not null,
     nif text,
     foreign_name text,
     phone text,
     email text,
     website text,
     group_id uuid not null,
     country_code char(2) not null,
     payment_term_days integer not null default 0 check (payment_term_days between 0 and 3650),
     payment_method text,
     iban text,
     vat_regime text not null default 'general',
     withholding_rate numeric(9,4) not null default 0 check (withholding_rate >= 0 and withholding_rate <= 100),
     credit_limit numeric(20,6),
     language text,
     active boolean not null default true,
     custom jsonb not null default '{}',
     constraint partners_code_key unique (tenant_id, code),
     constraint partners_nif_key unique (tenant_id, nif),
     ${reference('partners', 'group_id', 'partner_groups')}`,
  )}
  create index partners_name on partners (tenant_id, name);
  create index partners_group on partners (tenant_id, group_id);

  ${tenantTable(
    'items',
    `code text not null,
     sku text,
     name text not null,
     description text,
     barcode text,
     type text not null default 'product' check (type in ('product', 'service')),
     uom_id uuid not null,
     sale_price numeric(20,6) not null default 0,
     purchase_price numeric(20,6) not null default 0,
     sales_tax_group_id uuid,
     purchase_tax_group_id uuid,
     stock_tracked boolean not null,
     min_stock numeric(20,6) not null default 0,
     cost_method text not null default 'average' check (cost_method in ('average', 'fifo')),
     active boolean not null default true,
     custom jsonb not null default '{}',
     constraint items_code_key unique (tenant_id, code),
     constraint items_sku_key unique (tenant_id, sku),
     ${reference('items', 'uom_id', 'uoms')},
     ${reference('items', 'sales_tax_group_id', 'taxes')},
     ${reference('items', 'purchase_tax_group_id', 'taxes')}`,
  )}
  create index items_name on items (tenant_id, name);
`;
