import { Uom } from '../../../db/models/records/master-data.ts';
import { integer, label } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';

export const uom = declareResource({
  name: 'UnitOfMeasure',
  plural: 'UnitsOfMeasure',
  path: '/api/uom',
  tag: 'Items',
  model: Uom,
  defaultSort: 'code',
  fields: {
    code: { schema: label({ max: 20 }), required: true, searchable: true },
    name: { schema: label(), required: true, searchable: true },
    decimals: {
      schema: integer({ minimum: 0, maximum: 6, description: 'Decimals of quantities in this unit' }),
      default: 2,
    },
  },
});
