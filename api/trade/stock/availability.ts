/** Goods that can be promised. */
import { Type } from 'typebox';
import { amount, day, nullable, quantity, uuid } from '../../../services/platform/validation/schemas.ts';
import { readAvailability } from '../../../services/trade/stock/availability.ts';
import { defineRoute, type Route } from '../../route.ts';

const Availability = Type.Object(
  {
    itemId: uuid(),
    warehouseId: nullable(uuid({ description: 'The only warehouse that counts; null for all' })),
    onHand: quantity({ description: 'Now' }),
    reserved: quantity({ description: 'By open sales orders' }),
    incoming: quantity({ description: 'From open purchase orders' }),
    promisable: quantity({ description: 'What can be promised today' }),
    quantity: nullable(quantity({ description: 'The quantity asked for' })),
    earliest: nullable(
      day({ description: 'The first day on which it can be promised; null for never, as far as is known' }),
    ),
    days: Type.Array(
      Type.Object({
        date: day(),
        incoming: quantity({ description: 'Expected from purchase orders on the day' }),
        outgoing: quantity({ description: 'Promised to customers for the day' }),
        projected: quantity({ description: 'On hand at the end of the day if all happens as expected' }),
        promisable: quantity({
          description: 'What can be promised for the day without taking it from a later promise',
        }),
      }),
      { description: 'The days on which something changes, from today; what is overdue counts today' },
    ),
  },
  { title: 'Availability' },
);

export const routes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/stock/availability',
    id: 'getAvailability',
    summary: 'What can be promised, and when',
    description:
      'On hand, less what open sales orders reserve, plus what open purchase orders bring, by the deliveryDate of the orders (their own ' +
      'date without one); without what suppliers send to customers. Of a kit, as many as its components allow.',
    tag: 'Stock',
    access: 'stock:read',
    problems: ['not_found'],
    query: Type.Object({
      itemId: uuid(),
      warehouseId: Type.Optional(uuid({ description: 'Only the stock of this warehouse' })),
      quantity: Type.Optional(
        amount({ minimum: 0.000001, description: 'Answers the first day on which it can be promised' }),
      ),
    }),
    responses: { 200: Availability },
    handler: async ({ reader, ctx, query }) => ({ status: 200, body: await readAvailability(reader, ctx, query) }),
  }),
];
