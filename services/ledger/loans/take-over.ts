/** Takes over loans that were in other books: from their balance on a day on. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import type { Loan } from '../../../db/models/ledger/loans.ts';
import { dayInMonth, daysAfter, monthsAfter, monthsWithin, yearAfter } from '../../../domain/days.ts';
import { invalidMember, refused } from '../../../domain/errors.ts';
import { dueUntil, monthlyPayment, schedule } from '../../../domain/ledger/loans/schedule.ts';
import { decimal } from '../../../domain/money.ts';
import { checkPlaces, loadPlaces } from './acts.ts';
import { recordAct } from './enter.ts';
import type { TakeoverInput } from './schemas.ts';
import { lockLoan, yearEnd } from './state.ts';

/**
 * Begins a loan with what is outstanding at the end of a day, without an entry: what put it into the books, such as the opening entry, did.
 * @throws ServiceError not_found, stale_version, validation_failed; invalid_transition when it is drawn
 */
export async function takeOverLoan(
  trx: Db,
  ctx: Context,
  id: string,
  { date, outstanding, shortTerm, instalmentsLeft, payment }: TakeoverInput,
  ifMatch: number | null,
): Promise<Loan> {
  const loan = await lockLoan(trx, id, ifMatch);
  if (loan.status !== 'planned') throw refused(`${loan.code} cannot be taken over because it is ${loan.status}`);
  const { places, fiscalYearStart } = await loadPlaces(trx);
  checkPlaces({ outstanding, shortTerm: shortTerm ?? 0, payment: payment ?? 0 }, places);
  if (date < loan.startsOn)
    throw invalidMember('/date', 'out_of_range', `must not be before ${loan.startsOn}, the day of the drawing`);
  if (decimal(outstanding).gt(loan.principal))
    throw invalidMember('/outstanding', 'out_of_range', 'must be at most the principal');
  const next = nextInstalment(loan, date);
  const left = instalmentsLeft ?? loan.instalments - next.before;
  if (left <= 0) throw invalidMember('/date', 'out_of_range', 'must be before the last instalment');
  const owed = decimal(outstanding).toFixed();
  const paid = payment === undefined ? monthlyPayment(loan, owed, left, places) : decimal(payment).toFixed();
  const rest = schedule(loan, { outstanding: owed, instalments: left, payment: paid, nextDueOn: next.date }, places);
  const short = shortTerm === undefined ? dueUntil(rest, yearAfter(date)) : decimal(shortTerm).toFixed();
  if (decimal(short).gt(owed))
    throw invalidMember('/shortTerm', 'out_of_range', `must be at most ${owed}, what is outstanding`);
  const changes = new Changes(ctx);
  const amounts = { shortTerm: short, longTerm: decimal(owed).minus(short).toFixed() };
  recordAct(
    changes,
    loan,
    { date, entryId: null },
    {
      ...{ kind: 'takeover', ...amounts },
      after: {
        ...{ status: 'drawn', payment: paid, instalmentsLeft: rest.length, nextDueOn: next.date },
        reclassifiedOn: yearEnd(daysAfter(date, 1), fiscalYearStart),
      },
    },
  );
  await changes.write(trx);
  return await lockLoan(trx, id, null);
}

/** The first instalment after a day, and how many were due before it. */
function nextInstalment(
  { firstDueOn, dueDay }: Loan,
  date: string,
): { readonly date: string; readonly before: number } {
  if (date < firstDueOn) return { date: firstDueOn, before: 0 };
  const months = monthsWithin({ from: firstDueOn, to: date }).length - 1;
  const inMonth = dayInMonth(date, dueDay);
  if (months > 0 && date < inMonth) return { date: inMonth, before: months };
  return { date: dayInMonth(monthsAfter(date, 1), dueDay), before: months + 1 };
}
