/** Schemas of requests about deferrals. */
import { Type } from 'typebox';
import { day, type Input, integer } from '../../platform/validation/schemas.ts';

export const DeferralRun = Type.Object(
  {
    year: integer({ minimum: 1900, maximum: 9999 }),
    month: integer({
      minimum: 1,
      maximum: 12,
      description: 'The last month that is entered, with all before it that wait; at most the current one',
    }),
    date: Type.Optional(
      day({
        description: 'The day on which months whose period is closed or locked are entered; without it they wait',
      }),
    ),
  },
  { additionalProperties: false },
);
export type DeferralRunInput = Input<typeof DeferralRun>;
