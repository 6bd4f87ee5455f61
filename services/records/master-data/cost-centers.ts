import { CostCenter } from '../../../db/models/records/master-data.ts';
import { flag, label } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';

/** Same permissions as projects: both only classify amounts. */
export const costCenters = declareResource({
  name: 'CostCenter',
  plural: 'CostCenters',
  path: '/api/cost-centers',
  tag: 'Projects',
  model: CostCenter,
  defaultSort: 'code',
  fields: {
    code: { schema: label({ max: 20 }), required: true, searchable: true },
    name: { schema: label(), required: true, searchable: true },
    active: { schema: flag(), default: true },
  },
});
