import { Holiday } from '../../../db/models/records/people.ts';
import { day, label } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';

export const holidays = declareResource({
  name: 'Holiday',
  plural: 'Holidays',
  path: '/api/holidays',
  tag: 'People',
  model: Holiday,
  defaultSort: 'day',
  naturalKey: ['day', 'place'],
  fields: {
    day: { schema: day(), required: true },
    name: { schema: label(), required: true, searchable: true },
    place: {
      schema: label({
        max: 60,
        description: 'Whose holiday it is: the `place` of departments; leave it out for a holiday of all',
      }),
      searchable: true,
    },
  },
});
