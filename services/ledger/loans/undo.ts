/** Undoes what happened to a loan last. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { Loan, LoanMovement } from '../../../db/models/ledger/loans.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { type Decimal, sum } from '../../../domain/money.ts';
import { numberEntries } from '../accounting/numbers.ts';
import { takeBack } from '../accounting/take-back.ts';
import { lockLoan } from './state.ts';

const AMOUNTS = ['shortTerm', 'longTerm', 'interest', 'fee'] as const;

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
  const changes = new Changes(ctx);
  const { back } = await takeBack(trx, changes, LoanMovement, [last], AMOUNTS, { date });
  const after = (amount: Decimal, ...members: ('shortTerm' | 'longTerm')[]) =>
    sum([amount, ...back.flatMap((row) => members.map((member) => row[member]))]).toFixed();
  changes.change(Loan, loan, {
    shortTerm: after(loan.shortTerm, 'shortTerm'),
    longTerm: after(loan.longTerm, 'longTerm'),
    outstanding: after(loan.outstanding, 'shortTerm', 'longTerm'),
    ...last.before,
  });
  await changes.write(trx);
  await numberEntries(trx, ctx);
  return (await Loan.query(trx).findById(id)) as Loan;
}
