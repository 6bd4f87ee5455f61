import { Project } from '../../../db/models/records/master-data.ts';
import { amount, flag, label, uuid } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';

export const projects = declareResource({
  name: 'Project',
  plural: 'Projects',
  path: '/api/projects',
  tag: 'Projects',
  model: Project,
  defaultSort: 'code',
  fields: {
    code: { schema: label({ max: 20 }), required: true, searchable: true },
    name: { schema: label(), required: true, searchable: true },
    active: { schema: flag(), default: true },
    partnerId: { schema: uuid(), reference: { table: 'partners', mustBeActive: true } },
    budget: { schema: amount({ minimum: 0 }) },
  },
});
