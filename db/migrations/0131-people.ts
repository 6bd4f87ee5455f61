/**
 * Departments, employees, what they are paid and their absences. What people earn is kept apart from their record, in tables that are
 * shown to fewer: contracts, pay items and payrolls.
 */
import { APP_ROLE } from '../database.ts';
import { reference, tenantTable } from './schema.ts';

const CUSTOM = `execute function index_custom_values('Employee')`;

/** What only those see who see salaries. */
const PAY = [
  'contract_type',
  'working_hours',
  'gross_annual_salary',
  'payments',
  'contribution_group',
  'accident_rate',
  'irpf_rate',
];

function view(name: string, more: string): string {
  return `
    create view ${name} with (security_invoker = true) as
      select e.id, e.tenant_id, e.code, e.name, e.nif, e.email, c.department_id, c.position, c.vacation_days, e.hire_date, e.end_date,
        e.social_security_number, e.iban, e.active, e.custom, e.version, e.created_at, e.updated_at${more}
      from employees e left join lateral (
        select * from employee_contracts where tenant_id = e.tenant_id and employee_id = e.id order by "from" desc limit 1
      ) c on true;
    grant select on ${name} to ${APP_ROLE};`;
}

export const up = `
  ${tenantTable(
    'departments',
    `code text not null,
     name text not null,
     manager_id uuid,
     constraint departments_code_key unique (tenant_id, code)`,
  )}

  ${tenantTable(
    'employees',
    `code text not null,
     name text not null,
     nif text,
     email text,
     hire_date date not null,
     end_date date,
     social_security_number text,
     iban text,
     active boolean not null,
     custom jsonb not null default '{}',
     -- Rises with each change of the contracts, so that the record gets a new version.
     terms_changes integer not null,
     constraint employees_code_key unique (tenant_id, code),
     constraint employees_end_date_check check (end_date >= hire_date)`,
  )}
  create unique index employees_nif_key on employees (tenant_id, nif) where nif is not null;
  create index employees_by_name on employees (tenant_id, name, id);
  create index employees_by_hire_date on employees (tenant_id, hire_date, end_date);
  alter table departments add ${reference('departments', 'manager_id', 'employees')};
  create index departments_manager on departments (tenant_id, manager_id) where manager_id is not null;

  create trigger employees_custom_new after insert on employees for each row when (new.custom <> '{}') ${CUSTOM};
  create trigger employees_custom_changed after update of custom on employees
    for each row when (old.custom is distinct from new.custom) ${CUSTOM};
  create trigger employees_custom_gone after delete on employees for each row when (old.custom <> '{}') ${CUSTOM};

  -- The terms of employment from a day on.
  ${tenantTable(
    'employee_contracts',
    `employee_id uuid not null,
     "from" date not null,
     "to" date,
     contract_type text not null check (contract_type in ('indefinite', 'temporary', 'training')),
     department_id uuid,
     position text,
     working_hours numeric(7, 4) not null check (working_hours > 0),
     gross_annual_salary numeric(18, 2) check (gross_annual_salary >= 0),
     payments integer not null check (payments in (12, 14)),
     contribution_group integer check (contribution_group between 1 and 11),
     accident_rate numeric(7, 4) not null,
     irpf_rate numeric(7, 4) not null,
     vacation_days integer not null,
     -- Deferred: one contract makes room for another within a transaction.
     constraint employee_contracts_no_overlap exclude using gist
       (tenant_id with =, employee_id with =, daterange("from", "to", '[]') with &&) deferrable initially deferred,
     constraint employee_contracts_to_check check ("to" >= "from"),
     ${reference('employee_contracts', 'employee_id', 'employees')},
     ${reference('employee_contracts', 'department_id', 'departments')}`,
  )}
  create index employee_contracts_newest on employee_contracts (tenant_id, employee_id, "from" desc);
  create index employee_contracts_department on employee_contracts (tenant_id, department_id) where department_id is not null;

  -- Employees with what everybody may know of their newest contract, and with what they are paid.
  ${view('employees_shown', '')}
  ${view('employees_paid', `, ${PAY.map((column) => `c.${column}`).join(', ')}`)}

  -- What is paid or taken each month besides the salary.
  ${tenantTable(
    'pay_items',
    `employee_id uuid not null,
     description text not null,
     kind text not null,
     amount numeric(18, 2) not null,
     "from" date not null,
     "to" date,
     constraint pay_items_to_check check ("to" >= "from"),
     ${reference('pay_items', 'employee_id', 'employees')}`,
  )}
  create index pay_items_employee on pay_items (tenant_id, employee_id, "from");

  ${tenantTable(
    'absences',
    `employee_id uuid not null,
     type text not null check (type in ('vacation', 'sick', 'unpaid', 'other')),
     "from" date not null,
     "to" date not null,
     days numeric(6, 1) not null,
     notes text,
     constraint absences_to_check check ("to" >= "from"),
     constraint absences_no_overlap exclude using gist
       (tenant_id with =, employee_id with =, daterange("from", "to", '[]') with &&),
     ${reference('absences', 'employee_id', 'employees')}`,
  )}
  create index absences_employee on absences (tenant_id, employee_id, "from");
  create index absences_by_day on absences (tenant_id, "from", "to");

  -- An employee's pay of a month. What it was worked out from is kept with it, and frozen when it is posted.
  ${tenantTable(
    'payrolls',
    `employee_id uuid not null,
     year integer not null,
     month integer not null check (month between 1 and 12),
     status text not null check (status in ('D', 'O', 'X')),
     department_id uuid,
     terms jsonb not null,
     lines jsonb not null,
     days integer not null,
     gross numeric(18, 2) not null,
     bases jsonb not null,
     employee_contributions jsonb not null,
     employer_contributions jsonb not null,
     employee_contribution numeric(18, 2) not null,
     employer_contribution numeric(18, 2) not null,
     irpf_rate numeric(7, 4) not null,
     irpf numeric(18, 2) not null,
     deductions numeric(18, 2) not null,
     net numeric(18, 2) not null,
     entry_id uuid,
     reversal_id uuid,
     payment_id uuid,
     posted_at timestamptz,
     cancelled_at timestamptz,
     created_by uuid,
     ${reference('payrolls', 'employee_id', 'employees')},
     ${reference('payrolls', 'department_id', 'departments')}`,
  )}
  create unique index payrolls_month_key on payrolls (tenant_id, employee_id, year, month) where status <> 'X';
  create index payrolls_by_month on payrolls (tenant_id, year, month, id);
  create index payrolls_of_employee on payrolls (tenant_id, employee_id, year, month);
  create index payrolls_department on payrolls (tenant_id, department_id) where department_id is not null;

  -- Comments and attachments about them go with them.
  ${['departments', 'employees', 'absences']
    .map(
      (table) => `create trigger ${table}_subject_gone after delete on ${table} referencing old table as gone
        for each statement execute function remove_what_is_about();`,
    )
    .join('\n  ')}

  -- As in migration 0009, now that there are employees.
  create or replace function index_custom_field() returns trigger language plpgsql as $$
  declare
    source text := case new.table_name when 'Item' then 'items' when 'BusinessPartner' then 'partners'
      when 'Warehouse' then 'warehouses' when 'Employee' then 'employees' else 'documents' end;
  begin
    delete from custom_field_index where tenant_id = new.tenant_id and field_id = new.id;
    if new.filterable then
      execute format('insert into custom_field_index (tenant_id, field_id, row_id, text_value, number_value)
        select r.tenant_id, $1, r.id, e.text_value, e.number_value
        from %I r cross join lateral custom_field_entries($2, r.custom -> $3) e
        where r.tenant_id = $4 and r.custom ? $3 %s', source,
        case source when 'documents' then 'and custom_field_table(r.doc_type) = $5' else 'and $5 is not null' end)
      using new.id, new.type, new.storage_key, new.tenant_id, new.table_name;
    end if;
    return null;
  end $$;
`;
