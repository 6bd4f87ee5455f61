/** Schemas of landed costs. */
import { Type } from 'typebox';
import { SPREAD_METHODS } from '../../../domain/trade/stock/landed-cost.ts';
import { amount, choice, day, type Input, label, text, uuid } from '../../platform/validation/schemas.ts';

export const METHOD = choice(SPREAD_METHODS, {
  description:
    'Spread by the value of the lines, the default; by quantity in own units; by weight or volume, which the items must have; or equally',
});

const ChargeInput = Type.Object(
  {
    description: Type.Optional(label({ description: 'Name of the cost, such as Freight' })),
    method: Type.Optional(METHOD),
    amount: Type.Optional(
      amount({
        exclusiveMinimum: 0,
        description: 'Without it, all of the line of the invoice that was not spread before',
      }),
    ),
    documentLineId: Type.Optional(
      uuid({ description: 'The line of a posted purchase invoice that charges it, such as that of the carrier' }),
    ),
  },
  { additionalProperties: false },
);

export const LandedCostBody = Type.Object(
  {
    date: Type.Optional(
      day({
        description: 'From when on the goods cost more: today by default, the day of their receipt at the earliest',
      }),
    ),
    description: Type.Optional(text({ max: 500 })),
    documentIds: Type.Array(uuid(), {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: 'Purchase delivery notes, or purchase invoices that received goods themselves',
    }),
    lineIds: Type.Optional(
      Type.Array(uuid(), { minItems: 1, maxItems: 1000, uniqueItems: true, description: 'Only these of their lines' }),
    ),
    costs: Type.Array(ChargeInput, {
      minItems: 1,
      maxItems: 50,
      description: 'The single costs, such as freight and duty',
    }),
  },
  { additionalProperties: false },
);
export type LandedCostInput = Input<typeof LandedCostBody>;
