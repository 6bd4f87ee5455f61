/** Schemas of requests about loans. */
import { Type } from 'typebox';
import { amount, choice, day, type Input } from '../../platform/validation/schemas.ts';

const CLOSED = { additionalProperties: false } as const;
const fee = Type.Optional(amount({ minimum: 0, description: 'Kept back or charged by the lender, entered on 626' }));

export const DrawBody = Type.Object({ fee }, { ...CLOSED, title: 'LoanDrawing' });
export type DrawInput = Input<typeof DrawBody>;

export const RepaymentBody = Type.Object(
  {
    date: day({ description: 'Between what was entered last and the next instalment' }),
    amount: amount({ exclusiveMinimum: 0, description: 'Principal that is repaid; at most what is outstanding' }),
    interest: Type.Optional(
      amount({ minimum: 0, description: 'Interest that the lender charges for it, besides that of the instalments' }),
    ),
    fee,
    keeps: Type.Optional(
      choice(['payment', 'term'], {
        default: 'payment',
        description: 'payment: the instalments stay as they are and are fewer; term: they stay as many and are lower',
      }),
    ),
  },
  { ...CLOSED, title: 'LoanRepayment' },
);
export type RepaymentInput = Input<typeof RepaymentBody>;

export const UndoLoanBody = Type.Object(
  { date: Type.Optional(day({ description: 'Of the reversal; by default the day of what is undone' })) },
  { ...CLOSED, title: 'LoanUndo' },
);
