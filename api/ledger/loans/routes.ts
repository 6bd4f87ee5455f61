/** Loans besides their own rows: their schedule, and what happens to them. */
import { Type } from 'typebox';
import { Loan } from '../../../db/models/ledger/loans.ts';
import { findRow } from '../../../db/queries/find.ts';
import { drawLoan, repayLoan } from '../../../services/ledger/loans/acts.ts';
import { readSchedule } from '../../../services/ledger/loans/read.ts';
import { DrawBody, RepaymentBody, TakeoverBody, UndoLoanBody } from '../../../services/ledger/loans/schemas.ts';
import { takeOverLoan } from '../../../services/ledger/loans/take-over.ts';
import { undoLoan } from '../../../services/ledger/loans/undo.ts';
import { amount, choice, dataBody, day, flag, nullable, uuid } from '../../../services/platform/validation/schemas.ts';
import { loans } from '../../../services/records/master-data/loans.ts';
import { answerSchema } from '../../../services/records/resources/fields.ts';
import { actRoutes } from '../../acts.ts';
import { ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';

const ONE = '/api/loans/:id';
const common = { tag: 'Loans', params: Type.Object({ id: uuid() }) } as const;

const Schedule = Type.Object(
  {
    loanId: uuid(),
    instalments: Type.Array(
      Type.Object({
        date: day(),
        kind: choice(['instalment', 'repayment'], { description: 'repayment: paid early' }),
        principal: amount(),
        interest: amount(),
        fee: amount(),
        total: amount({ description: 'What the bank is paid' }),
        outstanding: amount({ description: 'Outstanding principal after it' }),
        entered: flag({ description: 'Whether it is in the ledger' }),
        entryId: nullable(
          uuid({ description: 'Its journal entry; null while it is not entered, and if it was of nothing' }),
        ),
      }),
      { description: 'In the order of their days, those that were entered first' },
    ),
    interest: amount({ description: 'Sum of the interest' }),
  },
  { title: 'LoanSchedule' },
);

const act = actRoutes({
  tag: common.tag,
  access: 'journal_entries:create',
  answer: answerSchema(loans),
  problems: ['invalid_transition', 'period_closed'],
  read: async (db, id) => Loan.toJson({ ...(await findRow(db, Loan, { id })) }),
});

export const routes: Route[] = [
  defineRoute({
    ...common,
    method: 'GET',
    path: `${ONE}/schedule`,
    id: 'getLoanSchedule',
    summary: 'The instalments of a loan',
    description: 'What was paid and what is left, with early repayments; of a planned loan, all that will be due.',
    access: 'journal_entries:read',
    responses: { 200: dataBody(Schedule) },
    handler: async ({ reader, params }) => ok(await readSchedule(reader, params.id)),
  }),
  act(drawLoan, {
    body: DrawBody,
    bodyOptional: true,
    path: `${ONE}/draw`,
    id: 'drawLoan',
    summary: 'Draw a loan',
    description:
      'Enters the principal on its first day, what is due within a year on the short-term account. From then on the service enters each ' +
      'instalment on its day, and at the end of each fiscal year moves what becomes due within a year to the short-term account.',
  }),
  act(takeOverLoan, {
    body: TakeoverBody,
    path: `${ONE}/take-over`,
    id: 'takeOverLoan',
    summary: 'Take over a loan from other books',
    description:
      'Begins it with what is outstanding at the end of a day, instead of drawing it. It makes no entry: the opening entry, or whatever ' +
      'brought the debt into the books, has made it. The service enters the instalments after that day.',
  }),
  act(repayLoan, {
    body: RepaymentBody,
    path: `${ONE}/repay`,
    id: 'repayLoan',
    summary: 'Repay a loan early, or a part of it',
    description: 'Takes the principal from the long-term account first.',
  }),
  act(undoLoan, {
    body: UndoLoanBody,
    bodyOptional: true,
    path: `${ONE}/undo`,
    id: 'undoLoan',
    summary: 'Undo what was entered of a loan last',
    description:
      'The drawing or takeover, an instalment, a repayment or a reclassification: its entry is reversed, and the loan is as it was ' +
      'before. An instalment whose day has come is entered again by the service.',
  }),
];
