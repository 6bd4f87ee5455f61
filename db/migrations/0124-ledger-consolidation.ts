import { annotated, describe, reference, tenantTable } from './schema.ts';

/** Groups of companies: their members, whose accounts stand where, and who may consolidate whom. */
export const up = `
  ${tenantTable(
    'group_companies',
    'Companies that this one consolidates.',
    `
    company_id uuid not null, -- The company; another tenant, so that no foreign key refers to it
    name text not null, -- Name in reports
    ownership_percent numeric(9,4) not null check (ownership_percent > 0 and ownership_percent <= 100), -- Share that the group owns
    joined_on date not null, -- First day in the group
    left_on date, -- Last day in the group; null while it is in it
    investment_account_id uuid, -- Account of the investment in it: 2403
    acquired_equity numeric(20,6), -- All its equity when it was acquired; null if the group has founded it
    constraint group_companies_company_id_key unique (tenant_id, company_id),
    constraint group_companies_other_check check (company_id <> tenant_id),
    constraint group_companies_days_check check (left_on >= joined_on),
    ${reference('group_companies', 'investment_account_id', 'accounts')}
  `,
  )}
  create unique index group_companies_investment_account_id_key on group_companies (tenant_id, investment_account_id)
    where investment_account_id is not null;
  create index group_companies_list on group_companies (tenant_id, name, id);
  ${annotated('group_companies')}

  ${tenantTable(
    'group_account_mappings',
    'Accounts of group companies, and the account of this company on which each stands in consolidated reports.',
    `
    group_company_id uuid not null, -- Group company
    beginning text not null, -- Beginning of the codes of its accounts
    account_id uuid not null, -- Account of this company
    constraint group_account_mappings_beginning_key unique (tenant_id, group_company_id, beginning),
    ${reference('group_account_mappings', 'group_company_id', 'group_companies', 'on delete cascade')},
    ${reference('group_account_mappings', 'account_id', 'accounts')}
  `,
  )}
  create index group_account_mappings_account on group_account_mappings (tenant_id, account_id);
  ${annotated('group_account_mappings')}

  ${tenantTable(
    'parent_companies',
    'Companies that may consolidate this one.',
    `
    company_id uuid not null, -- The company; another tenant, so that no foreign key refers to it
    name text not null, -- Its name
    constraint parent_companies_company_id_key unique (tenant_id, company_id),
    constraint parent_companies_other_check check (company_id <> tenant_id)
  `,
  )}
  create index parent_companies_list on parent_companies (tenant_id, name, id);
  ${annotated('parent_companies')}

  alter table partners add column company_id uuid;
  ${describe(
    'partners',
    'Customers and suppliers.',
    `
    company_id uuid, -- The company of the service that it is, if both are of one group; another tenant`,
  )}

  alter table tasks add column personal boolean not null default false;
  comment on column tasks.personal is
    'Whether its requester alone may see it, not even administrators: it holds data of other companies';
`;
