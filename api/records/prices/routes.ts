/** The price of an item for a partner. */
import { Type } from 'typebox';
import { DOC_TYPES } from '../../../domain/trade/documents/types.ts';
import { amount, choice, day, nullable, uuid } from '../../../services/platform/validation/schemas.ts';
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
  docType: Type.Optional(choice(DOC_TYPES, { description: 'Whether it is sold or bought; defaults to SO' })),
});

const PriceView = Type.Object(
  {
    price: Type.Number({ description: 'Per unit, without tax, before the discount' }),
    priceWithTax: nullable(Type.Number({ description: 'The same with tax, if the price list has it so' })),
    discountPercent: Type.Number(),
    source: choice(['price_list', 'item']),
    priceListId: nullable(uuid()),
    priceId: nullable(uuid({ description: 'The price list entry that decided it' })),
    currency: Type.String(),
    uomId: uuid(),
    quantity: Type.Number(),
    date: day(),
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
      "The price that a document line without one would get: by the partner's price list, as far as it applies on the date, else the " +
      "item's own.",
    tag: 'Price lists',
    access: 'pricelists:read',
    query: PriceQuery,
    responses: { 200: PriceView },
    handler: async ({ reader, ctx, query }) => ({ status: 200, body: await findPrice(reader, ctx, query) }),
  }),
];
