import { APP_ROLE } from '../database.ts';
import { annotated, customFields, reference, tenantTable } from './schema.ts';

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

/** A view of employees with their newest contract, under the row-level security of whoever reads it. */
function view(name: string, meaning: string, columns: readonly string[] = []): string {
  const more = columns.map((column) => `, c.${column}`).join('');
  return `create view ${name} with (security_invoker = true) as
    select e.id, e.tenant_id, e.code, e.name, e.nif, e.email, c.department_id, c.position, c.vacation_days, e.hire_date, e.end_date,
      e.social_security_number, e.iban, e.active, e.custom, e.version, e.created_at, e.updated_at${more}
    from employees e left join lateral (
      select * from employee_contracts where tenant_id = e.tenant_id and employee_id = e.id order by "from" desc limit 1
    ) c on true;
  comment on view ${name} is '${meaning}';
  grant select on ${name} to ${APP_ROLE};`;
}

/** Employees and their departments, contracts, absences and payrolls. What people earn is apart from their record: fewer may see it. */
export const up = `
  ${tenantTable(
    'departments',
    'Departments.',
    `
    code text not null, -- Code of the department
    name text not null, -- Name of the department
    manager_id uuid, -- Employee who heads it
    constraint departments_code_key unique (tenant_id, code)
  `,
  )}
  create index departments_manager on departments (tenant_id, manager_id) where manager_id is not null;
  ${annotated('departments')}

  ${tenantTable(
    'employees',
    'Employees.',
    `
    code text not null, -- Code of the employee
    name text not null, -- Full name
    nif text, -- Tax number
    email text, -- Address for payslips
    hire_date date not null, -- First day at work
    end_date date, -- Last day at work
    social_security_number text, -- Social security number
    iban text, -- Account for the salary
    active boolean not null, -- Whether the employee works for the company
    custom jsonb not null default '{}', -- Values of custom fields, by storage key
    terms_changes integer not null, -- Raised with each change of the contracts, so that the record gets a new version
    constraint employees_code_key unique (tenant_id, code),
    constraint employees_end_date_check check (end_date >= hire_date)
  `,
  )}
  create unique index employees_nif_key on employees (tenant_id, nif) where nif is not null;
  create index employees_by_name on employees (tenant_id, name, id);
  create index employees_by_hire_date on employees (tenant_id, hire_date, end_date);
  ${customFields('employees', 'Employee')}
  ${annotated('employees')}
  alter table departments add ${reference('departments', 'manager_id', 'employees')};

  ${tenantTable(
    'employee_contracts',
    'Contracts: the terms of employment from a day on.',
    `
    employee_id uuid not null, -- Employee
    "from" date not null, -- First day
    "to" date, -- Last day; null for no end
    -- indefinite, temporary or training
    contract_type text not null check (contract_type in ('indefinite', 'temporary', 'training')),
    department_id uuid, -- Department
    position text, -- Job title
    working_hours numeric(7,4) not null check (working_hours > 0), -- Hours a week
    gross_annual_salary numeric(18,2) check (gross_annual_salary >= 0), -- Gross pay of a year
    payments integer not null check (payments in (12, 14)), -- Payments a year: 12 or 14
    -- Contribution group of the social security, 1 to 11
    contribution_group integer check (contribution_group between 1 and 11),
    accident_rate numeric(7,4) not null, -- Employer's percentage for accidents at work
    irpf_rate numeric(7,4) not null, -- Percentage of income tax withheld
    vacation_days integer not null, -- Calendar days of vacation a year
    constraint employee_contracts_no_overlap
      exclude using gist
      (tenant_id with =, employee_id with =, daterange("from", "to", '[]') with &&) deferrable initially deferred,
    constraint employee_contracts_to_check check ("to" >= "from"),
    ${reference('employee_contracts', 'employee_id', 'employees')},
    ${reference('employee_contracts', 'department_id', 'departments')}
  `,
  )}
  create index employee_contracts_newest on employee_contracts (tenant_id, employee_id, "from" desc);
  create index employee_contracts_department on employee_contracts (tenant_id, department_id)
    where department_id is not null;

  ${tenantTable(
    'employee_tax_data',
    'Family and age of employees (form 145), on which their income tax depends.',
    `
    employee_id uuid not null, -- Employee
    family_situation integer not null check (family_situation in (1, 2, 3)), -- Family situation 1, 2 or 3 of the form
    children integer not null, -- Number of children
    children_under_three integer not null, -- Number of those under three years
    children_in_full boolean not null, -- Whether nobody else deducts the children; half of their amounts otherwise
    birth_year integer, -- Year of birth
    constraint employee_tax_data_employee_key unique (tenant_id, employee_id),
    constraint employee_tax_data_children_check check (children_under_three <= children),
    ${reference('employee_tax_data', 'employee_id', 'employees')}
  `,
  )}

  ${tenantTable(
    'pay_items',
    'What is paid or deducted each month in addition to the salary.',
    `
    employee_id uuid not null, -- Employee
    description text not null, -- Text on the payslip
    kind text not null, -- Kind of item
    amount numeric(18,2) not null, -- Amount a month
    "from" date not null, -- First day
    "to" date, -- Last day; null for no end
    constraint pay_items_to_check check ("to" >= "from"),
    ${reference('pay_items', 'employee_id', 'employees')}
  `,
  )}
  create index pay_items_employee on pay_items (tenant_id, employee_id, "from");

  ${tenantTable(
    'absences',
    'Absences of employees.',
    `
    employee_id uuid not null, -- Employee
    type text not null check (type in ('vacation', 'sick', 'unpaid', 'other')), -- vacation, sick, unpaid or other
    "from" date not null, -- First day
    "to" date not null, -- Last day
    days numeric(6,1) not null, -- Calendar days, unless counted otherwise
    notes text, -- Notes
    constraint absences_no_overlap
      exclude using gist (tenant_id with =, employee_id with =, daterange("from", "to", '[]') with &&),
    constraint absences_to_check check ("to" >= "from"),
    ${reference('absences', 'employee_id', 'employees')}
  `,
  )}
  create index absences_employee on absences (tenant_id, employee_id, "from");
  create index absences_by_day on absences (tenant_id, "from", "to");
  ${annotated('absences')}

  ${tenantTable(
    'payrolls',
    'Pay of an employee for a month, with all that it was computed from.',
    `
    employee_id uuid not null, -- Employee
    year integer not null, -- Year
    month integer not null check (month between 1 and 12), -- Month, 1 to 12
    status text not null check (status in ('D', 'O', 'X')), -- D (draft), O (posted) or X (cancelled)
    department_id uuid, -- Department in that month
    terms jsonb not null, -- Terms that it was computed from
    lines jsonb not null, -- Lines of the payslip
    days integer not null, -- Days paid; 30 for a whole month in contribution groups 1 to 7
    gross numeric(18,2) not null, -- Gross pay
    bases jsonb not null, -- Bases of contributions and tax
    employee_contributions jsonb not null, -- Social security contributions of the employee
    employer_contributions jsonb not null, -- Social security contributions of the company
    employee_contribution numeric(18,2) not null, -- Sum of the employee's contributions
    employer_contribution numeric(18,2) not null, -- Sum of the company's contributions
    irpf_rate numeric(7,4) not null, -- Percentage of income tax
    irpf numeric(18,2) not null, -- Income tax withheld
    deductions numeric(18,2) not null, -- Sum of all deductions
    net numeric(18,2) not null, -- Net pay
    entry_id uuid, -- Entry of the payroll
    reversal_id uuid, -- Entry that reverses it
    payment_id uuid, -- Payment of the net pay
    posted_at timestamptz, -- When it was posted
    cancelled_at timestamptz, -- When it was cancelled
    created_by uuid, -- User who created it
    payslip_mailed_at timestamptz, -- When the payslip was last mailed
    ${reference('payrolls', 'employee_id', 'employees')},
    ${reference('payrolls', 'department_id', 'departments')}
  `,
  )}
  create unique index payrolls_month_key on payrolls (tenant_id, employee_id, year, month) where status <> 'X';
  create index payrolls_by_month on payrolls (tenant_id, year, month, id);
  create index payrolls_of_employee on payrolls (tenant_id, employee_id, year, month);
  create index payrolls_department on payrolls (tenant_id, department_id) where department_id is not null;
  create index payrolls_entry on payrolls (tenant_id, entry_id) where entry_id is not null;
  create index payrolls_payment on payrolls (tenant_id, payment_id) where payment_id is not null;

  ${view('employees_shown', 'Employees with what every member may see of their newest contract.')}

  ${view('employees_paid', 'Employees with their newest contract in full, for members who may see salaries.', PAY)}
`;
