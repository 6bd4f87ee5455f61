import { Promotion } from '../../../db/models/records/prices.ts';
import { day, flag, label } from '../../platform/validation/schemas.ts';
import { checkValidity } from '../../platform/validation/validity.ts';
import { declareResource } from '../resources/declaration.ts';

/** Promotions: their rules (price rules with `promotionId`) apply from the first to the last day. */
export const promotions = declareResource({
  name: 'Promotion',
  plural: 'Promotions',
  path: '/api/promotions',
  tag: 'Price lists',
  model: Promotion,
  defaultSort: 'code',
  problems: ['in_use'],
  fields: {
    code: { schema: label({ max: 30 }), required: true, searchable: true },
    name: { schema: label(), required: true, searchable: true },
    validFrom: { schema: day({ description: 'The first day on which its rules apply' }), required: true },
    validTo: { schema: day({ description: 'The last day on which its rules apply' }), required: true },
    active: { schema: flag(), default: true },
  },
  async onCreate(_, values) {
    checkValidity(values);
    return values;
  },
  async onPatch(_, values, current) {
    checkValidity({ ...current, ...values });
    return values;
  },
});
