import { PriceRule } from '../../../db/models/records/prices.ts';
import { PRICE_BASES } from '../../../domain/records/prices/offers.ts';
import { amount, choice, day, flag, integer, label, uuid } from '../../platform/validation/schemas.ts';
import { checkPriceRule, lockWideRules } from '../prices/check-rule.ts';
import { declareResource } from '../resources/declaration.ts';

/** Price rules (decision 0308). */
export const priceRules = declareResource({
  name: 'PriceRule',
  plural: 'PriceRules',
  path: '/api/price-rules',
  tag: 'Price lists',
  model: PriceRule,
  defaultSort: 'name',
  fields: {
    name: { schema: label(), required: true, searchable: true },
    side: {
      schema: choice(['sales', 'purchase'], { description: 'Whether it is for sales or purchases' }),
      default: 'sales',
    },
    priority: {
      schema: integer({
        minimum: -1000,
        maximum: 1000,
        description: 'Rules with a greater one go first; among equals, those for fewer partners, then for fewer items',
      }),
      default: 0,
    },
    itemId: { schema: uuid({ description: 'The only item that it is for' }), reference: { table: 'items' } },
    categoryId: {
      schema: uuid({ description: 'Instead of itemId: the items of this category and of those below it' }),
      reference: { table: 'categories' },
    },
    partnerId: { schema: uuid({ description: 'The only partner that it is for' }), reference: { table: 'partners' } },
    partnerGroupId: {
      schema: uuid({ description: 'Instead of partnerId: the partners of this group' }),
      reference: { table: 'partner_groups' },
    },
    priceListId: {
      schema: uuid({ description: 'Instead of partnerId: the partners with this list, while it applies' }),
      reference: { table: 'price_lists' },
    },
    promotionId: {
      schema: uuid({
        description: 'The promotion that it belongs to; such a rule applies only where it lowers the price',
      }),
      reference: { table: 'promotions' },
    },
    minQuantity: {
      schema: amount({ minimum: 0, description: "Applies from this quantity on, in the item's own unit" }),
      default: 0,
    },
    validFrom: { schema: day({ description: 'The first day on which it applies' }) },
    validTo: { schema: day({ description: 'The last day on which it applies' }) },
    basis: {
      schema: choice(PRICE_BASES, {
        description:
          "The price that it begins with: fixed, that of `price`; item, the item's own; cost, the present cost of the item, or its " +
          'purchasePrice where none is in stock; price_list, that of basisPriceListId',
      }),
      default: 'item',
    },
    price: { schema: amount({ minimum: 0, description: "Per item's own unit; with the basis fixed" }) },
    includesTax: {
      schema: flag({ description: 'Whether `price` includes VAT, which documents deduct' }),
      default: false,
    },
    basisPriceListId: {
      schema: uuid({ description: "With the basis price_list; the item's own price where the list has none" }),
      reference: { table: 'price_lists' },
    },
    adjustmentPercent: {
      schema: amount({ places: 4, minimum: -100, maximum: 10_000, description: 'Percentage added to the price' }),
      default: 0,
    },
    adjustmentAmount: {
      schema: amount({ minimum: -1e9, maximum: 1e9, description: 'Amount added to the price of a unit after that' }),
      default: 0,
    },
    rounding: {
      schema: amount({
        minimum: 0.000001,
        maximum: 1e6,
        description: 'The price is rounded to a multiple of this, such as 0.05',
      }),
    },
    discountPercent: {
      schema: amount({ places: 4, minimum: 0, maximum: 100, description: 'Discount that the line shows' }),
      default: 0,
    },
    combines: {
      schema: flag({
        description: 'Its discount is the second of the line, on top of what else applies; then it sets nothing else',
      }),
      default: false,
    },
    active: { schema: flag(), default: true },
  },
  lock: ({ trx, ctx }) => lockWideRules(trx, ctx),
  async onCreate({ trx }, values) {
    await checkPriceRule(trx, values, null);
    return values;
  },
  async onPatch({ trx }, values, current) {
    await checkPriceRule(trx, { ...current, ...values }, current.id);
    return values;
  },
});
