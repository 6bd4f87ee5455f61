import { Salesperson } from '../../../db/models/trade/commissions.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { email, flag, label, uuid } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';
import type { Row } from '../resources/field.ts';

/** Salespeople, who get commissions for what they sell (decision 0310). */
export const salespeople = declareResource({
  name: 'Salesperson',
  plural: 'Salespeople',
  path: '/api/salespeople',
  tag: 'Salespeople',
  model: Salesperson,
  defaultSort: 'code',
  problems: ['in_use'],
  fields: {
    code: { schema: label({ max: 30 }), required: true, searchable: true },
    name: { schema: label(), required: true, searchable: true },
    email: { schema: email() },
    partnerId: {
      schema: uuid({
        description: 'The supplier who invoices the commissions: settlements make the draft of the invoice',
      }),
      reference: { table: 'partners' },
    },
    employeeId: {
      schema: uuid({ description: 'Instead of partnerId, the employee: settlements make a pay item' }),
      reference: { table: 'employees' },
    },
    active: { schema: flag(), default: true },
  },
  onCreate: async (_, values) => checkPayee(values, values),
  onPatch: async (_, values, current) => checkPayee({ ...current, ...values }, values),
});

function checkPayee({ partnerId, employeeId }: Row, values: Row): Row {
  if (partnerId === null || employeeId === null) return values;
  throw invalidMember('/employeeId', 'exclusive', 'cannot be given together with partnerId: one of them is paid');
}
