import { RentedProperty } from '../../../db/models/records/catalogue.ts';
import { integer, label, text, uuid } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';

/** A part of an address that fits into three characters. */
const part = (description: string) => text({ max: 3, description });

/** Properties that the company rents, which model 180 names (decision 0406). */
export const rentedProperties = declareResource({
  name: 'RentedProperty',
  plural: 'RentedProperties',
  path: '/api/rented-properties',
  tag: 'Accounting',
  model: RentedProperty,
  defaultSort: 'name',
  naturalKey: ['partnerId', 'name'],
  fields: {
    partnerId: {
      schema: uuid({ description: 'The landlord, from whose rents income tax is withheld' }),
      required: true,
      reference: { table: 'partners' },
    },
    name: { schema: label({ description: 'Unique among those of the landlord' }), required: true, searchable: true },
    costCenterId: {
      schema: uuid({
        description:
          'Cost center of its rents (621). A rent belongs to the property of the landlord with its cost center, else to the one without',
      }),
      reference: { table: 'cost_centers' },
    },
    cadastralReference: {
      schema: text({ pattern: '^[0-9A-Z]{20}$', description: 'Its 20 characters; null: it has none' }),
      searchable: true,
    },
    streetType: {
      schema: text({ pattern: '^[A-Z]{1,5}$', description: 'Type of way, by the codes of the INE: CL, AV, PZ' }),
      required: true,
    },
    street: { schema: label({ max: 50, description: 'Name of the way' }), required: true, searchable: true },
    number: { schema: integer({ minimum: 1, maximum: 99999, description: 'House number; null: none' }) },
    stairs: { schema: part('Stairs') },
    floor: { schema: part('Floor') },
    door: { schema: part('Door') },
    details: { schema: text({ max: 40, description: 'Further parts of the address, such as the name of an estate' }) },
    municipality: { schema: label({ max: 30 }), required: true, searchable: true },
    municipalityCode: { schema: text({ pattern: '^[0-9]{5}$', description: 'By the INE; null: not known' }) },
    zipCode: {
      schema: text({ pattern: '^(0[1-9]|[1-4][0-9]|5[0-2])[0-9]{3}$', description: 'Postal code in Spain' }),
      required: true,
    },
  },
});
