/** Schemas of requests about loans. */
import { Type } from 'typebox';
import { amount, choice, day, type Input, integer } from '../../platform/validation/schemas.ts';

const CLOSED = { additionalProperties: false } as const;
const fee = Type.Optional(amount({ minimum: 0, description: 'Kept back or charged by the lender, entered on 626' }));

export const DrawBody = Type.Object({ fee }, { ...CLOSED, title: 'LoanDrawing' });
export type DrawInput = Input<typeof DrawBody>;

export const TakeoverBody = Type.Object(
  {
    date: day({ description: 'The last day of the other books' }),
    outstanding: amount({ exclusiveMinimum: 0, description: 'Outstanding principal at its end' }),
    shortTerm: Type.Optional(
      amount({
        minimum: 0,
        description: 'What of it is on the short-term account; by default what is due within a year',
      }),
    ),
    instalmentsLeft: Type.Optional(
      integer({ minimum: 1, maximum: 480, description: 'By default those of the loan that are due after the day' }),
    ),
    payment: Type.Optional(
      amount({
        minimum: 0,
        description:
          'Each instalment of the French method, the principal of each of the linear one; by default what follows from the others',
      }),
    ),
  },
  { ...CLOSED, title: 'LoanTakeover' },
);
export type TakeoverInput = Input<typeof TakeoverBody>;

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
