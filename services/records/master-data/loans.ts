import { Loan } from '../../../db/models/ledger/loans.ts';
import { LOAN_METHODS, LOAN_STATUSES } from '../../../domain/ledger/loans/schedule.ts';
import { assertUndrawn, prepareChangedLoan, prepareNewLoan } from '../../ledger/loans/prepare.ts';
import { amount, choice, day, integer, label, uuid } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';

const account = (description: string) => ({
  schema: uuid({ description }),
  required: true,
  reference: { table: 'accounts', mustBeActive: true },
});

/** Loans that the company owes (decision 0357). What happens to them is in `services/ledger/loans/`. */
export const loans = declareResource({
  name: 'Loan',
  plural: 'Loans',
  path: '/api/loans',
  tag: 'Loans',
  model: Loan,
  defaultSort: 'code',
  problems: ['invalid_transition'],
  fields: {
    code: { schema: label({ max: 30 }), required: true, searchable: true },
    name: { schema: label(), required: true, searchable: true },
    partnerId: { schema: uuid({ description: 'The lender' }), reference: { table: 'partners' } },
    principal: { schema: amount({ exclusiveMinimum: 0, description: "In the company's currency" }), required: true },
    annualRate: {
      schema: amount({
        places: 4,
        minimum: 0,
        maximum: 100,
        description: 'Nominal rate of a year in percent; each month has a twelfth',
      }),
      required: true,
    },
    instalments: {
      schema: integer({ minimum: 1, maximum: 480, description: 'Number of monthly instalments' }),
      required: true,
    },
    startsOn: { schema: day({ description: 'The day on which it is drawn' }), required: true },
    firstDueOn: {
      schema: day({
        description:
          'The day of the first instalment; the others are due on the same day of their months. Defaults to a month later',
      }),
      filled: true,
    },
    method: {
      schema: choice(LOAN_METHODS, {
        description:
          'french: constant instalments; linear: constant principal; bullet: interest alone, and the principal at the end',
      }),
      default: 'french',
    },
    longTermAccountId: account('Of what is due later than in a year, such as 170'),
    shortTermAccountId: account('Of what is due within a year, such as 520'),
    interestAccountId: account('Of the interest, such as 662'),
    bankAccountId: account('Account of the ledger that it is paid to and from, such as 572'),
    status: { schema: choice(LOAN_STATUSES, { description: 'planned: not drawn yet' }), filled: true, write: 'never' },
    outstanding: { schema: amount({ description: 'Outstanding principal' }), filled: true, write: 'never' },
    shortTerm: {
      schema: amount({ description: 'What of it is on the short-term account' }),
      filled: true,
      write: 'never',
    },
    longTerm: {
      schema: amount({ description: 'What of it is on the long-term account' }),
      filled: true,
      write: 'never',
    },
    payment: {
      schema: amount({ description: 'Each instalment of the French method, the principal of each of the linear one' }),
      filled: true,
      write: 'never',
    },
    instalmentsLeft: {
      schema: integer({ description: 'Number of instalments that are left; 0 before it is drawn' }),
      filled: true,
      write: 'never',
    },
    nextDueOn: { schema: day({ description: 'The day of the next instalment' }), write: 'never' },
  },
  onCreate: ({ trx }, values) => prepareNewLoan(trx, values),
  onPatch: ({ trx }, values, current) => prepareChangedLoan(trx, values, current),
  onDelete: ({ trx }, current) => assertUndrawn(trx, current),
});
