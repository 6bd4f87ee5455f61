import { reference, tenantTable } from './schema.ts';

/** Price lists, their prices by item and quantity, and which partner buys by which list. */
export const up = `
  ${tenantTable(
    'price_lists',
    `code text not null,
     name text not null,
     currency char(3) not null,
     includes_tax boolean not null default false,
     valid_from date,
     valid_to date,
     active boolean not null default true,
     constraint price_lists_code_key unique (tenant_id, code),
     constraint price_lists_valid_to_check check (valid_from <= valid_to)`,
  )}

  ${tenantTable(
    'prices',
    `price_list_id uuid not null,
     item_id uuid not null,
     price numeric(20,6) check (price >= 0),
     discount_percent numeric(9,4) check (discount_percent between 0 and 100),
     min_quantity numeric(20,6) not null default 1 check (min_quantity > 0),
     valid_from date,
     valid_to date,
     constraint prices_valid_to_check check (valid_from <= valid_to),
     constraint prices_price__discount_percent_check check (num_nonnulls(price, discount_percent) = 1),
     constraint prices_no_overlap exclude using gist
       (price_list_id with =, item_id with =, min_quantity with =, daterange(valid_from, valid_to, '[]') with &&),
     ${reference('prices', 'price_list_id', 'price_lists')},
     ${reference('prices', 'item_id', 'items')}`,
  )}
  create index prices_list on prices (tenant_id, price_list_id, item_id, min_quantity, valid_from nulls first, id);
  create index prices_item on prices (tenant_id, item_id);

  alter table partners
    add column price_list_id uuid,
    add ${reference('partners', 'price_list_id', 'price_lists')};
  create index partners_price_list on partners (tenant_id, price_list_id) where price_list_id is not null;
`;
