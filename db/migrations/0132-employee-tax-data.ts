/** What employees tell of family and age (model 145), from which the income tax on their wages follows. */
import { reference, tenantTable } from './schema.ts';

export const up = `
  ${tenantTable(
    'employee_tax_data',
    `employee_id uuid not null,
     family_situation integer not null check (family_situation in (1, 2, 3)),
     children integer not null,
     children_under_three integer not null,
     children_in_full boolean not null,
     birth_year integer,
     constraint employee_tax_data_employee_key unique (tenant_id, employee_id),
     constraint employee_tax_data_children_check check (children_under_three <= children),
     ${reference('employee_tax_data', 'employee_id', 'employees')}`,
  )}
`;
