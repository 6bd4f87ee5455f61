import { Price } from '../../../db/models/records/prices.ts';
import { amount, day, uuid } from '../../platform/validation/schemas.ts';
import { checkPrice } from '../prices/prepare.ts';
import { declareResource } from '../resources/declaration.ts';

export const prices = declareResource({
  name: 'Price',
  plural: 'Prices',
  path: '/api/pricelists/:id/prices',
  idParameter: 'priceId',
  parent: { member: 'priceListId', table: 'price_lists', phrase: 'This price list' },
  tag: 'Price lists',
  model: Price,
  watched: 'price',
  defaultSort: 'itemId,minQuantity,validFrom',
  problems: ['overlap'],
  fields: {
    priceListId: { schema: uuid(), filled: true, write: 'never' },
    itemId: { schema: uuid(), required: true, reference: { table: 'items' } },
    price: {
      schema: amount({ minimum: 0, description: "Per item's own unit; either this or discountPercent" }),
    },
    discountPercent: {
      schema: amount({ places: 4, minimum: 0, maximum: 100, description: "Deducted from the item's own price" }),
    },
    minQuantity: {
      schema: amount({ minimum: 0.000001, description: "Applies from this quantity on, in the item's own unit" }),
      default: 1,
    },
    validFrom: { schema: day({ description: 'The first day on which it applies' }) },
    validTo: { schema: day({ description: 'The last day on which it applies' }) },
  },
  async onCreate({ trx }, values) {
    await checkPrice(trx, values);
    return values;
  },
  async onPatch({ trx }, values, current) {
    await checkPrice(trx, { ...current, ...values });
    return values;
  },
});
