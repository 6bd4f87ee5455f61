/** The price of an item for a partner. */
import { Type } from 'typebox';
import { ITEM_SCOPES, OUTCOMES, PARTNER_SCOPES } from '../../../domain/records/prices/offers.ts';
import { DOC_TYPES } from '../../../domain/trade/documents/types.ts';
import {
  amount,
  choice,
  currencyCode,
  day,
  flag,
  nullable,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { findPrice } from '../../../services/records/prices/find.ts';
import { defineRoute, type Route } from '../../route.ts';

const PriceQuery = Type.Object({
  partnerId: Type.Optional(
    uuid({ description: "The partner whose price list applies; without one, the item's own price" }),
  ),
  itemId: uuid(),
  quantity: Type.Optional(amount({ minimum: 0.000001, description: 'In the unit asked for; defaults to 1' })),
  date: Type.Optional(day({ description: "Defaults to today in the company's time zone" })),
  uomId: Type.Optional(uuid({ description: "One of the item's units; defaults to its own" })),
  currency: Type.Optional(currencyCode("Defaults to the partner's, then to the company's")),
  docType: Type.Optional(choice(DOC_TYPES, { description: 'Whether it is sold or bought; defaults to SO' })),
  explain: Type.Optional(
    flag({ description: 'Adds `considered`: all prices and rules in their order, and what became of each' }),
  ),
});

const SOURCES = ['price_list', 'price_rule', 'item'] as const;

const ConsideredPrice = Type.Object(
  {
    outcome: choice(OUTCOMES, {
      description:
        'applies: it sets the price; combines: its discount comes on top; quantity_not_reached; comes_after: another goes first; ' +
        'not_cheaper: a promotion that would not lower the price; dearer_than_promotion: a promotion is lower',
    }),
    source: choice(SOURCES),
    id: nullable(uuid({ description: "Of the price list entry or the rule; null for the item's own price" })),
    name: nullable(Type.String({ description: "The rule's" })),
    priority: Type.Integer({ description: 'Greater ones go first' }),
    partners: choice(PARTNER_SCOPES, { description: 'Whom it is for' }),
    items: choice(ITEM_SCOPES, { description: 'Which items it is for' }),
    minQuantity: Type.Number({ description: "In the item's own unit" }),
    promotional: Type.Boolean({ description: 'Whether it belongs to a promotion' }),
    price: Type.Number({ description: 'What it makes the price per unit, without tax, before the discount' }),
    priceWithTax: nullable(Type.Number()),
    discountPercent: Type.Number(),
  },
  { title: 'ConsideredPrice' },
);

const PriceView = Type.Object(
  {
    price: Type.Number({ description: 'Per unit, without tax, before the discount' }),
    priceWithTax: nullable(Type.Number({ description: 'The same with tax, if the price list has it so' })),
    discountPercent: Type.Number(),
    secondDiscountPercent: Type.Number({ description: 'Deducted from what discountPercent leaves' }),
    source: choice(SOURCES),
    priceListId: nullable(uuid()),
    priceId: nullable(uuid({ description: 'The price list entry that decided it' })),
    priceRuleId: nullable(uuid({ description: 'The price rule that decided it' })),
    combinedRuleId: nullable(uuid({ description: 'The price rule that gives the second discount' })),
    currency: Type.String(),
    uomId: uuid(),
    quantity: Type.Number(),
    date: day(),
    considered: Type.Optional(
      Type.Array(ConsideredPrice, { description: 'With explain: the first in order that applies counts' }),
    ),
  },
  { title: 'PriceView' },
);

export const routes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/prices',
    id: 'findPrice',
    summary: 'The price of an item for a partner',
    problems: ['not_found', 'validation_failed'],
    description:
      "The price that a document line without one would get: by price rules and the partner's price list, as far as they apply on the " +
      "date, else the item's own.",
    tag: 'Price lists',
    access: 'pricelists:read',
    query: PriceQuery,
    responses: { 200: PriceView },
    handler: async ({ reader, ctx, query }) => ({ status: 200, body: await findPrice(reader, ctx, query) }),
  }),
];
