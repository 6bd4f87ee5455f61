import { annotated, reference, tenantTable } from './schema.ts';

/** Budgets of fiscal years. */
export const up = `
  ${tenantTable(
    'budgets',
    'Budgets of fiscal years, in versions.',
    `
    name text not null, -- Name of the version
    fiscal_year integer not null check (fiscal_year between 1900 and 9998), -- Calendar year in which its fiscal year begins
    status text not null check (status in ('draft', 'approved')), -- draft; approved: its lines do not change
    is_default boolean not null, -- Whether it is the current version of its fiscal year
    control text not null check (control in ('none', 'warning', 'refusal')), -- Effect, while it is current, of spending more than it has
    constraint budgets_name_key unique (tenant_id, fiscal_year, name),
    constraint budgets_default_check check (not is_default or status = 'approved')
  `,
  )}
  create unique index budgets_default_key on budgets (tenant_id, fiscal_year) where is_default;
  ${annotated('budgets')}

  ${tenantTable(
    'budget_lines',
    'Amounts of budgets by account, dimension and month.',
    `
    budget_id uuid not null, -- Budget
    account text not null, -- Code of an account, or the beginning of several
    project_id uuid, -- Project; null for all that has no line of its own
    cost_center_id uuid, -- Cost center; null for all that has no line of its own
    month date not null check (extract(day from month) = 1), -- First day of the month
    amount numeric(20,6) not null, -- Income, or expense, in the company's currency
    constraint budget_lines_month_key unique nulls not distinct (tenant_id, budget_id, account, project_id, cost_center_id, month),
    ${reference('budget_lines', 'budget_id', 'budgets', 'on delete cascade')},
    ${reference('budget_lines', 'project_id', 'projects')},
    ${reference('budget_lines', 'cost_center_id', 'cost_centers')}
  `,
  )}
  create index budget_lines_project on budget_lines (tenant_id, project_id) where project_id is not null;
  create index budget_lines_cost_center on budget_lines (tenant_id, cost_center_id) where cost_center_id is not null;
  ${annotated('budget_lines')}
`;
