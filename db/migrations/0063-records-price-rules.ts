import { annotated, reference, tenantTable } from './schema.ts';

/** Price rules, and the promotions that some belong to. */
export const up = `
  ${tenantTable(
    'promotions',
    'Promotions: price rules that apply together, for a time.',
    `
    code text not null, -- Code of the promotion
    name text not null, -- Name of the promotion
    valid_from date not null, -- First day
    valid_to date not null, -- Last day
    active boolean not null default true, -- Whether its rules apply
    constraint promotions_code_key unique (tenant_id, code),
    constraint promotions_valid_to_check check (valid_from <= valid_to)
  `,
  )}
  ${annotated('promotions')}

  ${tenantTable(
    'price_rules',
    'Rules that set prices and discounts by item, partner, quantity and day.',
    `
    name text not null, -- Name, which explanations of a price show
    side text not null default 'sales' check (side in ('sales', 'purchase')), -- Whether it is for sales or purchases
    priority integer not null default 0, -- Rules with a greater one go first
    item_id uuid, -- The only item that it is for
    category_id uuid, -- Category of the items that it is for, with those below
    partner_id uuid, -- The only partner that it is for
    partner_group_id uuid, -- Group of the partners that it is for
    price_list_id uuid, -- List of the partners that it is for
    promotion_id uuid, -- Promotion that it belongs to
    min_quantity numeric(20,6) not null default 0 check (min_quantity >= 0), -- Smallest quantity that it applies to
    valid_from date, -- First day; null for no limit
    valid_to date, -- Last day; null for no limit
    -- Price that it begins with: fixed, item, cost or price_list
    basis text not null default 'item' check (basis in ('fixed', 'item', 'cost', 'price_list')),
    price numeric(20,6) check (price >= 0), -- The fixed price of one unit
    includes_tax boolean not null default false, -- Whether the fixed price includes tax
    basis_price_list_id uuid, -- List whose prices it begins with
    adjustment_percent numeric(9,4) not null default 0 check (adjustment_percent >= -100), -- Percentage added to that price
    adjustment_amount numeric(20,6) not null default 0, -- Amount added to that price afterwards
    rounding numeric(20,6) check (rounding > 0), -- The price is rounded to multiples of this
    -- Discount that the line shows
    discount_percent numeric(9,4) not null default 0 check (discount_percent between 0 and 100),
    combines boolean not null default false, -- Whether its discount is deducted from what others leave
    active boolean not null default true, -- Whether it applies
    constraint price_rules_valid_to_check check (valid_from <= valid_to),
    constraint price_rules_fixed_price check ((basis = 'fixed') = (price is not null)),
    constraint price_rules_basis_list check ((basis = 'price_list') = (basis_price_list_id is not null)),
    constraint price_rules_one_item_scope check (num_nonnulls(item_id, category_id) <= 1),
    constraint price_rules_one_partner_scope check (num_nonnulls(partner_id, partner_group_id, price_list_id) <= 1),
    ${reference('price_rules', 'item_id', 'items')},
    ${reference('price_rules', 'category_id', 'categories')},
    ${reference('price_rules', 'partner_id', 'partners')},
    ${reference('price_rules', 'partner_group_id', 'partner_groups')},
    ${reference('price_rules', 'price_list_id', 'price_lists')},
    ${reference('price_rules', 'basis_price_list_id', 'price_lists')},
    ${reference('price_rules', 'promotion_id', 'promotions')}
  `,
  )}
  create index price_rules_list on price_rules (tenant_id, name, id);
  create index price_rules_item on price_rules (tenant_id, item_id, partner_id);
  create index price_rules_category on price_rules (tenant_id, category_id) where category_id is not null;
  create index price_rules_partner on price_rules (tenant_id, partner_id) where partner_id is not null;
  create index price_rules_group on price_rules (tenant_id, partner_group_id) where partner_group_id is not null;
  create index price_rules_price_list on price_rules (tenant_id, price_list_id) where price_list_id is not null;
  create index price_rules_basis on price_rules (tenant_id, basis_price_list_id) where basis_price_list_id is not null;
  create index price_rules_promotion on price_rules (tenant_id, promotion_id) where promotion_id is not null;
  ${annotated('price_rules')}
`;
