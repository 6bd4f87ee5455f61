import { Department } from '../../../db/models/records/people.ts';
import { nextCode } from '../../../db/queries/counters.ts';
import { label, uuid } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';

const CODE = { prefix: 'DEP', digits: 3 };

export const departments = declareResource({
  name: 'Department',
  plural: 'Departments',
  path: '/api/departments',
  tag: 'People',
  model: Department,
  defaultSort: 'code',
  problems: ['in_use'],
  fields: {
    code: {
      schema: label({ max: 20, description: 'Assigned by the service when absent' }),
      filled: true,
      searchable: true,
    },
    name: { schema: label(), required: true, searchable: true },
    managerId: { schema: uuid({ description: 'The employee who leads it' }), reference: { table: 'employees' } },
    place: {
      schema: label({
        max: 60,
        description: 'Where its people work: they have the holidays of this place, besides those of all',
      }),
      searchable: true,
    },
  },
  onCreate: async ({ trx, ctx }, values) => ({
    ...values,
    code: values.code ?? (await nextCode(trx, ctx.tenantId, 'departments', CODE)),
  }),
});
