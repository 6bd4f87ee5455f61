/** Bodies and answers of payrolls. */
import { Type } from 'typebox';
import { LINE_KINDS } from '../../domain/payroll/types.ts';
import { amount, choice, day, flag, type Input, integer, label } from '../validation/schemas.ts';

const MOST_LINES = 100;

/** A line as clients write and see it. */
export const PayrollLineBody = Type.Object(
  {
    description: label(),
    kind: choice(LINE_KINDS, {
      description:
        'earning, overtime, force_majeure (overtime), extra_pay and in_kind are earned; deduction is taken from the pay, such as advances',
    }),
    amount: amount({ places: 2, description: 'Below zero it corrects other lines' }),
  },
  { title: 'PayrollLine', additionalProperties: false },
);

export const PayrollPatch = Type.Object(
  {
    lines: Type.Optional(
      Type.Array(PayrollLineBody, { minItems: 1, maxItems: MOST_LINES, description: 'Replaces the lines of a draft' }),
    ),
    irpfRate: Type.Optional(amount({ places: 2, minimum: 0, maximum: 47 })),
  },
  { title: 'PayrollPatch', additionalProperties: false },
);

export const PayrollMonth = Type.Object(
  {
    year: integer({ minimum: 1900, maximum: 9998 }),
    month: integer({ minimum: 1, maximum: 12 }),
    post: Type.Optional(
      flag({ default: false, description: 'Posts what it makes, and drafts of the month that were there' }),
    ),
  },
  { title: 'PayrollMonth', additionalProperties: false },
);

export const PayrollCancel = Type.Object(
  { date: Type.Optional(day({ description: 'Of the reversal; today unless that is before the entry' })) },
  { title: 'PayrollCancel', additionalProperties: false },
);

export type PayrollChange = Input<typeof PayrollPatch>;
export type Generation = Input<typeof PayrollMonth>;
