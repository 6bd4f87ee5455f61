/** Schemas of what is done with fixed assets. */
import { Type } from 'typebox';
import { amount, choice, day, type Input, integer, text, uuid } from '../../../platform/validation/schemas.ts';

const DATE = day({ description: 'The day on which it counts' });
const DESCRIPTION = text({ max: 500 });

export const ImprovementBody = Type.Object(
  {
    date: Type.Optional(day({ description: 'Defaults to the date of the invoice; required without documentLineId' })),
    amount: Type.Optional(
      amount({
        description:
          'Added to the cost; below zero it lowers it, for example for a credit. Defaults to what is left of the line',
      }),
    ),
    documentLineId: Type.Optional(
      uuid({ description: "The line of a posted purchase invoice, on the group's account, that it was bought by" }),
    ),
    usefulLifeMonths: Type.Optional(
      integer({ minimum: 1, maximum: 1200, description: 'The whole useful life from now on; by default it stays' }),
    ),
    description: Type.Optional(DESCRIPTION),
  },
  { title: 'AssetImprovement', additionalProperties: false },
);
export type ImprovementInput = Input<typeof ImprovementBody>;

export const ImpairmentBody = Type.Object(
  { date: DATE, amount: amount({ exclusiveMinimum: 0 }), description: Type.Optional(DESCRIPTION) },
  { title: 'AssetImpairment', additionalProperties: false },
);
export type ImpairmentInput = Input<typeof ImpairmentBody>;

const DISPOSALS = ['sold', 'scrapped'] as const;

export const DisposalBody = Type.Object(
  {
    date: DATE,
    kind: choice(DISPOSALS),
    percentage: Type.Optional(
      amount({
        places: 4,
        exclusiveMinimum: 0,
        maximum: 100,
        description: 'Only this part of the asset, which goes on with the rest; by default the whole',
      }),
    ),
    cost: Type.Optional(
      amount({ exclusiveMinimum: 0, description: 'Only the part with this cost, instead of a percentage' }),
    ),
    documentLineId: Type.Optional(
      uuid({
        description:
          'The line of a posted sales invoice by which it was sold; what the invoice entered on the account of the line becomes part of ' +
          'the result',
      }),
    ),
    proceeds: Type.Optional(
      amount({
        minimum: 0,
        description: 'What it was sold for; defaults to what is left of the line. Required without one',
      }),
    ),
    proceedsAccountId: Type.Optional(
      uuid({ description: 'The account of the proceeds of a sale without invoice, such as 572 or 543' }),
    ),
    description: Type.Optional(DESCRIPTION),
  },
  { title: 'AssetDisposal', additionalProperties: false },
);
export type DisposalInput = Input<typeof DisposalBody>;
