import { Absence } from '../../../db/models/records/people.ts';
import { amount, choice, day, instant, label, uuid } from '../../platform/validation/schemas.ts';
import { prepareAbsence, prepareNewAbsence } from '../people/absences.ts';
import { tellRequested } from '../people/leave-notices.ts';
import { vacationWarnings } from '../people/leave-warnings.ts';
import { declareResource } from '../resources/declaration.ts';

export const ABSENCE_TYPES = ['vacation', 'sick', 'unpaid', 'other'] as const;
const ABSENCE_STATUSES = ['approved', 'requested', 'refused'] as const;

export const absences = declareResource({
  name: 'Absence',
  plural: 'Absences',
  path: '/api/absences',
  tag: 'People',
  model: Absence,
  defaultSort: '-from',
  problems: ['overlap', 'invalid_transition'],
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
    status: {
      schema: choice(ABSENCE_STATUSES, {
        description:
          'Only approved ones count; at creation approved or requested, later changed by `approve` and `refuse`',
      }),
      default: 'approved',
      write: 'create',
    },
    refusalReason: { schema: label({ min: 0, max: 2000, description: 'Why it was refused' }), write: 'never' },
    requestedBy: { schema: uuid({ description: 'The user who requested it' }), write: 'never' },
    decidedBy: { schema: uuid({ description: 'The user who approved or refused the request' }), write: 'never' },
    decidedAt: { schema: instant({ description: 'When the request was approved or refused' }), write: 'never' },
  },
  onCreate: (scope, values) => prepareNewAbsence(scope, values),
  onCreated: tellRequested,
  onPatch: ({ trx }, values, current) => prepareAbsence(trx, current.employeeId, values, current),
  warn: vacationWarnings,
});
