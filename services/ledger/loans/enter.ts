/** Enters what happens to a loan: the entry, the movement, and the loan as it is then. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { Loan, LoanMovement, type LoanState } from '../../../db/models/ledger/loans.ts';
import { type EntryLine, entryLine } from '../../../domain/ledger/accounting/entries.ts';
import type { LoanMovementKind } from '../../../domain/ledger/loans/schedule.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import { AccountBook } from '../accounting/account-book.ts';
import { numberEntries } from '../accounting/numbers.ts';
import { openDay } from '../accounting/open-day.ts';
import { addEntry } from '../accounting/write-entry.ts';
import { toState } from './state.ts';

/** Source of the entries of loans. */
const LOAN_SOURCE = 'loan';

interface RecordedAct {
  readonly kind: LoanMovementKind;
  /** Changes of the principal on each account: positive when more is owed. */
  readonly shortTerm: Decimal;
  readonly longTerm: Decimal;
  readonly interest?: Decimal;
  readonly fee?: Decimal;
  readonly after: Partial<LoanState>;
}

interface LoanAct extends RecordedAct {
  readonly date: string;
  readonly description: string;
}

/**
 * Enters what happens to a loan that the caller has locked. The bank account gets or pays what the other lines add up to.
 * @returns the loan as it is then
 * @throws ServiceError period_closed, period_locked; validation_failed for a date without a period, or an account that cannot be used
 */
export async function enterAct(trx: Db, ctx: Context, loan: Loan, act: LoanAct): Promise<Loan> {
  const { date, description, shortTerm, longTerm, interest = '0', fee = '0' } = act;
  const owed = decimal(shortTerm).plus(longTerm);
  const paid = owed.minus(interest).minus(fee);
  const on = await openDay(trx, ctx, paid.eq(0) ? 'general' : 'bank', date, date, '/date');
  const { longTermAccountId, shortTermAccountId, interestAccountId, bankAccountId } = loan;
  const accounts = [longTermAccountId, shortTermAccountId, interestAccountId, bankAccountId];
  const book = await AccountBook.loadLocked(trx, { roles: ['bankCharges'], accounts });
  for (const id of accounts) book.use(id, `in the loan ${loan.code}`);
  const feeAccountId = decimal(fee).eq(0) ? '' : book.role('bankCharges');
  book.faults.throwIfAny();
  const lines = [
    entryLine('debit', bankAccountId, paid.toFixed()),
    entryLine('debit', interestAccountId, interest),
    entryLine('debit', feeAccountId, fee),
    entryLine('credit', shortTermAccountId, shortTerm),
    entryLine('credit', longTermAccountId, longTerm),
  ].filter(hasAmount);
  const changes = new Changes(ctx);
  const text = `${loan.code}: ${description}`;
  const entry = { ...on, description: text, sourceType: LOAN_SOURCE, sourceId: loan.id };
  const entryId = lines.length === 0 ? null : addEntry(changes, { ...entry, lines: book.completed(lines) });
  recordAct(changes, loan, { date, entryId }, act);
  await changes.write(trx);
  await numberEntries(trx, ctx);
  return (await Loan.query(trx).findById(loan.id)) as Loan;
}

/** Adds the movement of an act, and the loan as it is then. @param entered day and entry; null if it has none */
export function recordAct(
  changes: Changes,
  loan: Loan,
  { date, entryId }: { readonly date: string; readonly entryId: string | null },
  { kind, shortTerm, longTerm, interest = '0', fee = '0', after }: RecordedAct,
): void {
  const made = { createdBy: changes.ctx.userId, createdAt: changes.ctx.now.toISOString() };
  const values = { id: newId(), loanId: loan.id, kind, date, shortTerm, longTerm, interest, fee, entryId, ...made };
  changes.insert(LoanMovement, [{ ...values, before: toState(loan), standing: true, undoesId: null }]);
  changes.change(Loan, loan, {
    shortTerm: decimal(loan.shortTerm).plus(shortTerm).toFixed(),
    longTerm: decimal(loan.longTerm).plus(longTerm).toFixed(),
    outstanding: sum([loan.outstanding, shortTerm, longTerm]).toFixed(),
    ...after,
  });
}

function hasAmount({ debit, credit }: EntryLine): boolean {
  return !decimal(debit).eq(credit);
}
