import { Absence } from '../../../db/models/records/people.ts';
import { amount, choice, day, label, uuid } from '../../platform/validation/schemas.ts';
import { prepareAbsence } from '../people/absences.ts';
import { declareResource } from '../resources/declaration.ts';

export const ABSENCE_TYPES = ['vacation', 'sick', 'unpaid', 'other'] as const;

export const absences = declareResource({
  name: 'Absence',
  plural: 'Absences',
  path: '/api/absences',
  tag: 'People',
  model: Absence,
  defaultSort: '-from',
  problems: ['overlap'],
  fields: {
    employeeId: { schema: uuid(), required: true, write: 'create', reference: { table: 'employees' } },
    type: { schema: choice(ABSENCE_TYPES), required: true },
    from: { schema: day(), required: true },
    to: { schema: day({ description: 'The last day' }), required: true },
    days: {
      schema: amount({
        places: 1,
        exclusiveMinimum: 0,
        description: 'Days that count; defaults to the calendar days, which are the maximum',
      }),
      filled: true,
    },
    notes: { schema: label({ min: 0, max: 2000 }) },
  },
  onCreate: ({ trx }, values) => prepareAbsence(trx, String(values.employeeId), values),
  onPatch: ({ trx }, values, current) => prepareAbsence(trx, current.employeeId, values, current),
});
