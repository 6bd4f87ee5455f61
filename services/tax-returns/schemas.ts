/** Schemas of what clients send about tax returns. */
import { Type } from 'typebox';
import { amount, choice, day, flag, type Input, integer, nullable, text } from '../validation/schemas.ts';
import { TAX_MODELS } from './filed.ts';

export const YEAR = integer({ minimum: 1900, maximum: 9997, description: 'A calendar year' });

export const TaxReturnCreate = Type.Object(
  {
    model: choice(TAX_MODELS),
    year: YEAR,
    period: Type.Optional(
      nullable(text({ max: 2, description: '1T to 4T, or 01 to 12 (303); left out for 390, which is of the year' })),
    ),
    refund: Type.Optional(
      nullable(
        flag({ description: 'Of 303 in the last period of the year: asks for a refund instead of compensating' }),
      ),
    ),
    overrides: Type.Optional(
      nullable(
        Type.Record(Type.String({ maxLength: 3 }), amount({ places: 2 }), {
          description:
            'What the books do not know, by the numbers of boxes; boxes that follow from others cannot be stated',
        }),
      ),
    ),
    date: Type.Optional(
      nullable(day({ description: 'Of the settlement entry; defaults to the last day of the period' })),
    ),
  },
  { additionalProperties: false },
);
export type TaxReturnInput = Input<typeof TaxReturnCreate>;
