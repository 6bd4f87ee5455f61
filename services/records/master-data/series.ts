import { Series } from '../../../db/models/records/master-data.ts';
import { DOC_TYPES } from '../../../domain/trade/documents/types.ts';
import { documentType, flag, integer, label, text } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';
import { prepareChangedSeries, prepareNewSeries } from './prepare-series.ts';

const number = () => integer({ minimum: 0, maximum: 999_999_999 });

export const series = declareResource({
  name: 'Series',
  plural: 'AllSeries',
  path: '/api/series',
  tag: 'Series',
  model: Series,
  defaultSort: 'docType,prefix',
  problems: ['in_use'],
  live: true,
  oneDefaultPer: ['docType', 'rectifying', 'year'],
  fields: {
    docType: { schema: documentType(DOC_TYPES), required: true, write: 'create' },
    name: { schema: label({ min: 0 }), searchable: true },
    rectifying: { schema: flag(), default: false },
    prefix: { schema: text({ min: 0, max: 20 }), default: '', searchable: true },
    suffix: { schema: text({ min: 0, max: 20 }), default: '' },
    firstNumber: { schema: number(), default: 1 },
    nextNumber: { schema: number(), filled: true },
    padding: { schema: integer({ minimum: 0, maximum: 12 }), default: 0 },
    isDefault: {
      schema: flag({ description: 'A new default replaces the previous one of the same year' }),
      default: false,
    },
    year: {
      schema: integer({
        minimum: 1900,
        maximum: 9999,
        description: 'The fiscal year whose documents it numbers; none = years without their own default',
      }),
    },
  },
  onCreate: async (_, values) => prepareNewSeries(values),
  onPatch: ({ trx }, values, current) => prepareChangedSeries(trx, values, { ...current }),
});
