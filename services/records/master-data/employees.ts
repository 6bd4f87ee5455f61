import { Employee, EmployeeContract } from '../../../db/models/records/people.ts';
import { day, email, flag, label, text } from '../../platform/validation/schemas.ts';
import { createFirstContract, syncContracts } from '../people/contracts.ts';
import { prepareChangedEmployee, prepareNewEmployee, removeWithTerms } from '../people/employees.ts';
import { OPEN_TERMS, PAY_TERMS } from '../people/terms-fields.ts';
import { EmployeePayView, EmployeeView } from '../people/views.ts';
import { declareResource } from '../resources/declaration.ts';
import type { ResourceField } from '../resources/field.ts';
import { defaultDimensions } from './default-dimensions.ts';

const kept = (fields: Readonly<Record<string, ResourceField>>, how: Partial<ResourceField>) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field, ...how }]));

/** Employees, with the terms of their newest contract; `…/contracts` lists all contracts. */
export const employees = declareResource({
  name: 'Employee',
  plural: 'Employees',
  path: '/api/employees',
  tag: 'People',
  model: Employee,
  customFields: 'Employee',
  defaultSort: 'code',
  problems: ['in_use'],
  fields: {
    code: {
      schema: label({ max: 20, description: 'Assigned by the service when absent' }),
      filled: true,
      searchable: true,
    },
    name: { schema: label(), required: true, searchable: true },
    nif: { schema: label({ max: 30, description: 'Tax id; unique and validated' }), searchable: true },
    email: { schema: email() },
    ...kept(OPEN_TERMS, { apart: true }),
    hireDate: { schema: day(), required: true },
    endDate: { schema: day({ description: 'The last day of the employment' }) },
    socialSecurityNumber: { schema: text({ max: 20, description: '12 digits; validated' }) },
    iban: { schema: text({ max: 50, description: 'Account that receives the pay; validated' }) },
    ...defaultDimensions('what its cost shares leave'),
    active: { schema: flag(), default: true },
    ...kept(PAY_TERMS, { apart: true, guarded: 'payroll' }),
  },
  apart: {
    permission: 'payroll',
    model: EmployeeContract,
    views: { shown: EmployeeView, guarded: EmployeePayView },
    create: createFirstContract,
    change: syncContracts,
  },
  onCreate: prepareNewEmployee,
  onPatch: prepareChangedEmployee,
  onDelete: removeWithTerms,
});
