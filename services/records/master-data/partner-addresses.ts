import { PartnerAddress } from '../../../db/models/records/catalogue.ts';
import { choice, flag, label, text, uuid } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';
import { withFirstAsDefault } from '../resources/defaults.ts';

const ONE_DEFAULT_PER = ['partnerId', 'type'];

export const partnerAddresses = declareResource({
  name: 'PartnerAddress',
  plural: 'PartnerAddresses',
  path: '/api/partners/:id/addresses',
  idParameter: 'addressId',
  parent: { member: 'partnerId', table: 'partners', phrase: 'This partner' },
  tag: 'Partners',
  model: PartnerAddress,
  defaultSort: 'name',
  oneDefaultPer: ONE_DEFAULT_PER,
  fields: {
    partnerId: { schema: uuid(), filled: true, write: 'never' },
    name: { schema: label(), required: true, searchable: true },
    street: { schema: label({ min: 0 }), searchable: true },
    city: { schema: label({ min: 0 }), searchable: true },
    state: { schema: label({ min: 0 }) },
    zipCode: { schema: label({ min: 0, max: 20 }), searchable: true },
    countryCode: { schema: text({ pattern: '^[A-Z]{2}$', description: 'ISO 3166 code of two letters' }) },
    type: { schema: choice(['B', 'S'], { description: 'B billing, S shipping' }), required: true },
    isDefault: {
      schema: flag({
        description:
          'A new default replaces the previous one; the first address of its type is the default unless stated otherwise',
      }),
      filled: true,
    },
  },
  onCreate: ({ trx }, values) => withFirstAsDefault(trx, 'partner_addresses', ONE_DEFAULT_PER, values),
});
