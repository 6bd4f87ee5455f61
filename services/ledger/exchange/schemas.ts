/** Schemas of revaluations: they validate and document requests, and provide the types that services use. */
import { Type } from 'typebox';
import { RATE_PLACES } from '../../../domain/trade/documents/company-amounts.ts';
import { amount, day, type Input, nullable, nullIsMeaningful } from '../../platform/validation/schemas.ts';

export const RevaluationBody = Type.Object(
  {
    date: day({ description: 'The day at whose rates everything open is valued, such as the last of a period' }),
    reverseOn: Type.Optional(
      nullIsMeaningful(
        nullable(
          day({
            description: 'When the entry is reversed; defaults to the day after. null: it stands, and is not reversed',
          }),
        ),
      ),
    ),
    rates: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[A-Z]{3}$' }),
        amount({ places: RATE_PLACES, minimum: 1e-9, maximum: 1e9 }),
        {
          description:
            "Rates by currency, instead of those of the day: what one unit of the company's currency is worth",
        },
      ),
    ),
  },
  { additionalProperties: false },
);
export type RevaluationInput = Input<typeof RevaluationBody>;
