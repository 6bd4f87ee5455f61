import { reference, tenantTable } from './schema.ts';

/** Where goods lie inside a warehouse, the company's bank accounts, and what costs and revenues are assigned to. */
export const up = `
  ${tenantTable(
    'zones',
    `warehouse_id uuid not null,
     code text not null,
     name text,
     type text,
     active boolean not null default true,
     constraint zones_code_key unique (tenant_id, warehouse_id, code),
     ${reference('zones', 'warehouse_id', 'warehouses')}`,
  )}

  ${tenantTable(
    'bank_accounts',
    `name text not null,
     iban text not null,
     bank_name text,
     bic text,
     is_default boolean not null default false,
     constraint bank_accounts_iban_key unique (tenant_id, iban)`,
  )}
  create unique index bank_accounts_is_default_key on bank_accounts (tenant_id) where is_default;

  ${tenantTable(
    'projects',
    `code text not null,
     name text not null,
     active boolean not null default true,
     partner_id uuid,
     budget numeric(20,6) check (budget >= 0),
     constraint projects_code_key unique (tenant_id, code),
     ${reference('projects', 'partner_id', 'partners')}`,
  )}
  create index projects_partner on projects (tenant_id, partner_id);

  ${tenantTable(
    'cost_centers',
    `code text not null,
     name text not null,
     active boolean not null default true,
     constraint cost_centers_code_key unique (tenant_id, code)`,
  )}

  create index accounts_parent on accounts (tenant_id, parent_id);
`;
