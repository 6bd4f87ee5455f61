/** Schemas of revaluations: they validate and document requests, and provide the types that services use. */
import { Type } from 'typebox';
import { day, exchangeRate, type Input, nullable, nullIsMeaningful } from '../../platform/validation/schemas.ts';

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
      Type.Record(Type.String({ pattern: '^[A-Z]{3}$' }), exchangeRate(), {
        description: "Rates by currency, instead of those of the day: what one unit of the company's currency is worth",
      }),
    ),
  },
  { additionalProperties: false },
);
export type RevaluationInput = Input<typeof RevaluationBody>;
