import { Uom } from '../../db/models/master-data.ts';
import { defineResource } from '../resource.ts';
import type { Route } from '../route.ts';
import { integer, text } from '../schemas.ts';

export const routes: Route[] = defineResource({
  name: 'UnitOfMeasure',
  plural: 'UnitsOfMeasure',
  path: '/api/uom',
  tag: 'Items',
  permission: 'uom',
  model: Uom,
  defaultSort: 'code',
  fields: {
    code: { schema: text({ max: 20 }), required: true, searchable: true },
    name: { schema: text(), required: true, searchable: true },
    decimals: { schema: integer({ minimum: 0, maximum: 6, description: 'Of quantities in this unit' }), default: 2 },
  },
});
