import { Warehouse } from '../../../db/models/records/master-data.ts';
import { nextCode } from '../../../db/queries/counters.ts';
import { flag, label } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';

const CODE = { prefix: 'ALM', digits: 1 };

export const warehouses = declareResource({
  name: 'Warehouse',
  plural: 'Warehouses',
  path: '/api/warehouses',
  tag: 'Warehouses',
  model: Warehouse,
  customFields: 'Warehouse',
  defaultSort: 'code',
  problems: ['in_use'],
  oneDefaultPer: [],
  fields: {
    code: {
      schema: label({ max: 20, description: 'Assigned by the service when absent' }),
      filled: true,
      searchable: true,
    },
    name: { schema: label(), required: true, searchable: true },
    location: { schema: label({ min: 0, max: 500 }), searchable: true },
    isDefault: { schema: flag({ description: 'A new default replaces the previous one' }), default: false },
    active: { schema: flag(), default: true },
  },
  onCreate: async ({ trx, ctx }, values) => ({
    ...values,
    code: values.code ?? (await nextCode(trx, ctx.tenantId, 'warehouses', CODE)),
  }),
});
