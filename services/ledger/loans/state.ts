/** Loans as they stand: what is left of them, and when their fiscal years end. */
import type { Db } from '../../../db/database.ts';
import { Loan, type LoanState } from '../../../db/models/ledger/loans.ts';
import { assertVersion } from '../../../db/write.ts';
import { dayBefore, yearAfter } from '../../../domain/days.ts';
import { notFound } from '../../../domain/errors.ts';
import { type Instalment, monthlyPayment, monthsToFirst, schedule } from '../../../domain/ledger/loans/schedule.ts';
import { yearStart } from '../../../domain/ledger/periods/fiscal-year.ts';

/** Locks a loan until the transaction ends. @throws ServiceError not_found, stale_version */
export async function lockLoan(trx: Db, id: string, ifMatch: number | null): Promise<Loan> {
  const loan = (await Loan.query(trx).findById(id).forNoKeyUpdate()) as Loan | undefined;
  if (loan === undefined) throw notFound('This loan');
  assertVersion(loan, ifMatch);
  return loan;
}

/** The instalments that are left; of a planned loan, all. @param places decimals of amounts */
export function instalmentsLeft(loan: Loan, places: number): Instalment[] {
  const { status, principal, outstanding, payment, instalments, instalmentsLeft: left, firstDueOn, nextDueOn } = loan;
  const interestMonths =
    status === 'planned' || nextDueOn === firstDueOn ? monthsToFirst(loan.startsOn, firstDueOn) : '1';
  if (status === 'planned') {
    const planned = { outstanding: principal, payment: monthlyPayment(loan, principal, instalments, places) };
    return schedule(loan, { ...planned, instalments, nextDueOn: firstDueOn, interestMonths }, places);
  }
  if (nextDueOn === null) return [];
  return schedule(loan, { outstanding, payment, instalments: left, nextDueOn, interestMonths }, places);
}

/** The last day of the fiscal year of a day. @param fiscalYearStart MM-DD */
export function yearEnd(day: string, fiscalYearStart: string): string {
  return dayBefore(yearAfter(yearStart(fiscalYearStart, day)));
}

/** The state of a loan that a movement keeps. */
export function toState({ status, payment, instalmentsLeft, nextDueOn, reclassifiedOn }: LoanState): LoanState {
  return { status, payment, instalmentsLeft, nextDueOn, reclassifiedOn };
}
