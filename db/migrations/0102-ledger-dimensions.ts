import { describe, reference } from './schema.ts';

const DEFAULTS = (use: string) => `
    default_cost_center_id uuid, -- Cost center of ${use}
    default_project_id uuid, -- Project of ${use}`;

/** Tables whose rows name cost centers and projects for others. */
const DEFAULTING = {
  items: ['Goods and services that are bought and sold.', 'document lines with it'],
  partners: ['Customers and suppliers.', 'lines of its documents'],
  employees: ['Employees.', 'what the shares of an employee leave'],
  bank_accounts: ['Bank accounts of the company.', 'what statement lines are booked on'],
} as const;

const defaults = Object.entries(DEFAULTING).map(
  ([table, [meaning, use]]) => `
  alter table ${table} add column default_cost_center_id uuid, add column default_project_id uuid,
    add ${reference(table, 'default_cost_center_id', 'cost_centers')} not valid,
    add ${reference(table, 'default_project_id', 'projects')} not valid;
  ${describe(table, meaning, DEFAULTS(use))}`,
);

/** Columns of contracts that only those see who may see salaries. */
const PAY = [
  'contract_type',
  'working_hours',
  'gross_annual_salary',
  'payments',
  'contribution_group',
  'accident_rate',
  'irpf_rate',
];

/** A view of employees as it was (0011), with the defaults after its columns. */
function view(name: string, columns: readonly string[] = []): string {
  const more = columns.map((column) => `, c.${column}`).join('');
  return `create or replace view ${name} with (security_invoker = true) as
    select e.id, e.tenant_id, e.code, e.name, e.nif, e.email, c.department_id, c.position, c.vacation_days, e.hire_date, e.end_date,
      e.social_security_number, e.iban, e.active, e.custom, e.version, e.created_at, e.updated_at${more},
      e.default_cost_center_id, e.default_project_id
    from employees e left join lateral (
      select * from employee_contracts where tenant_id = e.tenant_id and employee_id = e.id order by "from" desc limit 1
    ) c on true;`;
}

/** What accounts require of the lines entered on them, and the defaults of cost centers and projects. */
export const up = `
  alter table accounts add column requires text not null default 'none'
    constraint accounts_requires_check check (requires in ('none', 'cost_center', 'project', 'both'));
  ${describe(
    'accounts',
    'Chart of accounts.',
    `
    requires text, -- What lines on it must name: none, cost_center, project or both`,
  )}
  ${defaults.join('\n')}
  ${view('employees_shown')}
  ${view('employees_paid', PAY)}
`;
