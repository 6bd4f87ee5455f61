import { PriceList } from '../../../db/models/records/prices.ts';
import { currencyCode, day, flag, label } from '../../platform/validation/schemas.ts';
import { checkValidity } from '../../platform/validation/validity.ts';
import { prepareNewPriceList, removePrices } from '../prices/prepare.ts';
import { declareResource } from '../resources/declaration.ts';

export const priceLists = declareResource({
  name: 'PriceList',
  plural: 'PriceLists',
  path: '/api/pricelists',
  tag: 'Price lists',
  model: PriceList,
  defaultSort: 'code',
  problems: ['in_use'],
  fields: {
    code: { schema: label({ max: 30 }), required: true, searchable: true },
    name: { schema: label(), required: true, searchable: true },
    currency: {
      schema: currencyCode("Currency of its prices; defaults to the company's"),
      filled: true,
    },
    includesTax: {
      schema: flag({ description: "Prices include the line's VAT, which documents deduct" }),
      default: false,
    },
    validFrom: { schema: day({ description: 'The first day on which it applies' }) },
    validTo: { schema: day({ description: 'The last day on which it applies' }) },
    active: { schema: flag(), default: true },
  },
  onCreate: ({ trx, ctx }, values) => prepareNewPriceList(trx, ctx, values),
  async onPatch(_, values, current) {
    checkValidity({ ...current, ...values });
    return values;
  },
  onDelete: ({ trx, ctx }, { id }) => removePrices(trx, ctx, id),
});
