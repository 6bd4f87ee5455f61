/** Undoes what happened to a loan last. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { Loan, LoanMovement } from '../../../db/models/ledger/loans.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import { numberEntries } from '../accounting/numbers.ts';
import { openDay } from '../accounting/open-day.ts';
import { addReversal, loadPosted } from '../accounting/write-entry.ts';
import { lockLoan } from './state.ts';

/**
 * Reverses the last entry of a loan, which is again as it was before. An instalment whose day has come is entered again by the service.
 * @param date of the reversal; defaults to the day of the entry
 * @throws ServiceError not_found, stale_version, period_closed; invalid_transition when there is nothing to undo
 */
export async function undoLoan(
  trx: Db,
  ctx: Context,
  id: string,
  { date }: { readonly date?: string | undefined },
  ifMatch: number | null,
): Promise<Loan> {
  const loan = await lockLoan(trx, id, ifMatch);
  const last = (await LoanMovement.query(trx).where({ loan_id: id, standing: true }).orderBy('id', 'desc').first()) as
    | LoanMovement
    | undefined;
  if (last === undefined)
    throw new ServiceError('invalid_transition', `Nothing can be undone of ${loan.code} because nothing was entered`);
  const on = await openDay(trx, ctx, 'general', date ?? last.date, last.date, '/date');
  const changes = new Changes(ctx);
  const entryId = last.entryId === null ? null : addReversal(changes, await loadPosted(trx, { id: last.entryId }), on);
  const back = { shortTerm: negative(last.shortTerm), longTerm: negative(last.longTerm) };
  const paid = { interest: negative(last.interest), fee: negative(last.fee) };
  const made = { id: newId(), createdBy: ctx.userId, createdAt: ctx.now.toISOString(), date: on.date, entryId };
  changes.insert(LoanMovement, [{ ...last, ...made, ...back, ...paid, standing: false, undoesId: last.id }]);
  changes.update(LoanMovement, [{ before: last, after: { ...last, standing: false } }]);
  changes.change(Loan, loan, {
    shortTerm: decimal(loan.shortTerm).plus(back.shortTerm).toFixed(),
    longTerm: decimal(loan.longTerm).plus(back.longTerm).toFixed(),
    outstanding: decimal(loan.outstanding).plus(back.shortTerm).plus(back.longTerm).toFixed(),
    ...last.before,
  });
  await changes.write(trx);
  await numberEntries(trx, ctx);
  return (await Loan.query(trx).findById(id)) as Loan;
}

function negative(amount: Decimal): Decimal {
  return decimal(amount).neg().toFixed();
}
