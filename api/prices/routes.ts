/** What an item costs a partner. */
import { Type } from 'typebox';
import { DOC_TYPES } from '../../domain/documents/types.ts';
import { findPrice } from '../../services/prices/find.ts';
import { amount, choice, day, nullable, uuid } from '../../services/validation/schemas.ts';
import { defineRoute, type Route } from '../route.ts';

const PriceQuery = Type.Object({
  partnerId: Type.Optional(uuid({ description: "Whose price list counts; without one the item's own price" })),
  itemId: uuid(),
  quantity: Type.Optional(amount({ minimum: 0.000001, description: 'In the unit asked for; 1 by default' })),
  date: Type.Optional(day({ description: "Today in the company's time zone by default" })),
  uomId: Type.Optional(uuid({ description: "One of the item's units; its own by default" })),
  docType: Type.Optional(choice(DOC_TYPES, { description: 'Whether it is sold or bought; SO by default' })),
});

const PriceView = Type.Object(
  {
    price: Type.Number({ description: 'Of one unit, without tax, before the discount' }),
    discountPercent: Type.Number(),
    source: choice(['price_list', 'item']),
    priceListId: nullable(uuid()),
    priceId: nullable(uuid({ description: 'The entry of the list that decides it' })),
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
    summary: 'What an item costs a partner',
    problems: ['not_found', 'validation_failed'],
    description:
      "The price that a line without one would get: by the partner's price list, as far as it applies on the day, else the item's own.",
    tag: 'Price lists',
    access: 'pricelists:read',
    query: PriceQuery,
    responses: { 200: PriceView },
    handler: async ({ db, ctx, query }) => ({ status: 200, body: await findPrice(db, ctx, query) }),
  }),
];
