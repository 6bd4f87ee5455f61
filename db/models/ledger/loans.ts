/** Loans that the company owes, and what has changed them. */
import type { LoanMethod, LoanMovementKind, LoanStatus } from '../../../domain/ledger/loans/schedule.ts';
import type { Decimal } from '../../../domain/money.ts';
import { day, exact, flag, generated, instant, integer, json, optional, text, uuid } from '../columns.ts';
import { table, versionedTable } from '../table.ts';

export class Loan extends versionedTable('loans', {
  code: text(),
  name: text(),
  /** The lender. */
  partnerId: optional(uuid()),
  principal: exact(),
  annualRate: exact(),
  instalments: integer(),
  startsOn: day(),
  firstDueOn: day(),
  dueDay: integer(),
  method: text<LoanMethod>(),
  longTermAccountId: uuid(),
  shortTermAccountId: uuid(),
  interestAccountId: uuid(),
  bankAccountId: uuid(),
  status: text<LoanStatus>(),
  shortTerm: exact(),
  longTerm: exact(),
  outstanding: exact(),
  payment: exact(),
  instalmentsLeft: integer(),
  nextDueOn: optional(day()),
  /** End of the fiscal year at which principal becomes short-term next. */
  reclassifiedOn: optional(day()),
  nextOn: generated(optional(day())),
}) {
  static override entityType = 'Loan';
  static override access = 'journal_entries:read' as const;
  static override hidden = ['tenantId', 'dueDay', 'reclassifiedOn', 'nextOn'];
}

/** The members of a loan that a movement changes besides its sums. */
export interface LoanState {
  readonly status: LoanStatus;
  readonly payment: Decimal;
  readonly instalmentsLeft: number;
  readonly nextDueOn: string | null;
  readonly reclassifiedOn: string | null;
}

export class LoanMovement extends table('loan_movements', {
  loanId: uuid(),
  kind: text<LoanMovementKind>(),
  date: day(),
  shortTerm: exact(),
  longTerm: exact(),
  interest: exact(),
  fee: exact(),
  entryId: optional(uuid()),
  before: json<LoanState>(),
  standing: flag(),
  undoesId: optional(uuid()),
  createdBy: optional(uuid()),
  createdAt: instant(),
}) {}
