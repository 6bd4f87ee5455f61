import { PartnerGroup } from '../../../db/models/records/master-data.ts';
import { flag, label, text, uuid } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';

export const partnerGroups = declareResource({
  name: 'PartnerGroup',
  plural: 'PartnerGroups',
  path: '/api/partnerGroups',
  tag: 'Partners',
  model: PartnerGroup,
  defaultSort: 'code',
  fields: {
    code: { schema: label({ max: 20 }), required: true, searchable: true },
    name: { schema: label(), required: true, searchable: true },
    codePrefix: {
      schema: text({ min: 0, max: 10, description: 'Prefix of the codes of new partners in the group' }),
      default: '',
    },
    isCustomer: { schema: flag(), default: false },
    isVendor: { schema: flag(), default: false },
    receivableAccountId: { schema: uuid(), reference: { table: 'accounts', mustBeActive: true } },
    payableAccountId: { schema: uuid(), reference: { table: 'accounts', mustBeActive: true } },
  },
});
