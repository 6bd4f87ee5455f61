import { Zone } from '../../../db/models/records/master-data.ts';
import { flag, label, uuid } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';

export const MAX_ZONE_CODE = 50;

export const zones = declareResource({
  name: 'Zone',
  plural: 'Zones',
  path: '/api/zones',
  tag: 'Warehouses',
  model: Zone,
  defaultSort: 'code',
  problems: ['in_use'],
  naturalKey: ['warehouseId', 'code'],
  fields: {
    warehouseId: {
      schema: uuid(),
      required: true,
      write: 'create',
      reference: { table: 'warehouses', mustBeActive: true },
    },
    code: {
      schema: label({ max: MAX_ZONE_CODE, description: 'Unique in its warehouse' }),
      required: true,
      searchable: true,
    },
    name: { schema: label({ min: 0 }), searchable: true },
    type: { schema: label({ min: 0, max: 50, description: 'For example shelf, aisle, bin' }) },
    active: { schema: flag(), default: true },
  },
});
