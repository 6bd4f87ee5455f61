import { PayItem } from '../../db/models/people.ts';
import { LINE_KINDS, MOST_PAY } from '../../domain/payroll/types.ts';
import { checkDays, checkEmployed, lockEmployee } from '../people/employment.ts';
import { declareResource } from '../resources/declaration.ts';
import { amount, choice, day, label, uuid } from '../validation/schemas.ts';

/** What is paid to an employee, or taken, each month besides the salary. */
export const payItems = declareResource({
  name: 'PayItem',
  plural: 'PayItems',
  path: '/api/employees/:id/pay-items',
  idParameter: 'payItemId',
  parent: { member: 'employeeId', table: 'employees', phrase: 'This employee' },
  tag: 'People',
  permission: 'payroll',
  model: PayItem,
  defaultSort: 'from',
  fields: {
    employeeId: { schema: uuid(), filled: true, write: 'never' },
    description: { schema: label(), required: true, searchable: true },
    kind: { schema: choice(LINE_KINDS), required: true },
    amount: {
      schema: amount({ places: 2, exclusiveMinimum: 0, maximum: MOST_PAY, description: 'Each month' }),
      required: true,
    },
    from: { schema: day({ description: 'Paid in the months from this day on, whole each' }), required: true },
    to: { schema: day({ description: 'The last day; open-ended without one' }) },
  },
  async onCreate({ trx }, values) {
    checkDays(values);
    checkEmployed(await lockEmployee(trx, String(values.employeeId)), values);
    return values;
  },
  async onPatch({ trx }, values, current) {
    checkDays({ ...current, ...values });
    checkEmployed(await lockEmployee(trx, current.employeeId), values);
    return values;
  },
});
