import { reference, tenantTable } from './schema.ts';

/** Shares of projects and cost centers in what employees cost. */
export const up = `
  ${tenantTable(
    'employee_cost_shares',
    'Shares of projects and cost centers in the cost of employees.',
    `
    employee_id uuid not null, -- Employee
    project_id uuid, -- Project
    cost_center_id uuid, -- Cost center
    percent numeric(9,4) not null check (percent > 0 and percent <= 100), -- Percentage of the cost of each month
    constraint employee_cost_shares_place check (num_nonnulls(project_id, cost_center_id) >= 1),
    constraint employee_cost_shares_project_id_key unique nulls not distinct (tenant_id, employee_id, project_id, cost_center_id),
    ${reference('employee_cost_shares', 'employee_id', 'employees', 'on delete cascade')},
    ${reference('employee_cost_shares', 'project_id', 'projects')},
    ${reference('employee_cost_shares', 'cost_center_id', 'cost_centers')}
  `,
  )}
  create index employee_cost_shares_project on employee_cost_shares (tenant_id, project_id) where project_id is not null;
  create index employee_cost_shares_cost_center on employee_cost_shares (tenant_id, cost_center_id) where cost_center_id is not null;
`;
