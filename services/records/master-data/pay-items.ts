import { PayItem } from '../../../db/models/records/people.ts';
import { LINE_KINDS, MAX_PAY } from '../../../domain/staff/payroll/types.ts';
import { amount, choice, day, label, uuid } from '../../platform/validation/schemas.ts';
import { checkDays, checkEmployed, lockEmployee } from '../people/employment.ts';
import { declareResource } from '../resources/declaration.ts';

/** Monthly earnings and deductions of an employee in addition to the salary. */
export const payItems = declareResource({
  name: 'PayItem',
  plural: 'PayItems',
  path: '/api/employees/:id/pay-items',
  idParameter: 'payItemId',
  parent: { member: 'employeeId', table: 'employees', phrase: 'This employee' },
  tag: 'People',
  model: PayItem,
  defaultSort: 'from',
  fields: {
    employeeId: { schema: uuid(), filled: true, write: 'never' },
    description: { schema: label(), required: true, searchable: true },
    kind: { schema: choice(LINE_KINDS), required: true },
    amount: {
      schema: amount({ places: 2, exclusiveMinimum: 0, maximum: MAX_PAY, description: 'Each month' }),
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
