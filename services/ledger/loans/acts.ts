/** Acts on loans: drawing them, paying them back in instalments or early, and moving principal to the short-term account. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { type Loan, LoanMovement } from '../../../db/models/ledger/loans.ts';
import { daysAfter, yearAfter } from '../../../domain/days.ts';
import { invalidMember, refused } from '../../../domain/errors.ts';
import { dueUntil, type Instalment, monthlyPayment, schedule } from '../../../domain/ledger/loans/schedule.ts';
import { type Decimal, decimal, decimalPlaces } from '../../../domain/money.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { enterAct } from './enter.ts';
import type { DrawInput, RepaymentInput } from './schemas.ts';
import { instalmentsLeft, lockLoan, yearEnd } from './state.ts';

/** Members that nothing follows from any more. */
const REPAID = { status: 'repaid', instalmentsLeft: 0, nextDueOn: null, reclassifiedOn: null } as const;

/**
 * Draws a loan on its first day: the bank gets the principal less the fee.
 * @throws ServiceError not_found, stale_version, period_closed, validation_failed; invalid_transition when it is drawn already
 */
export async function drawLoan(
  trx: Db,
  ctx: Context,
  id: string,
  { fee = 0 }: DrawInput,
  ifMatch: number | null,
): Promise<Loan> {
  const loan = await lockLoan(trx, id, ifMatch);
  if (loan.status !== 'planned') throw refused(`${loan.code} cannot be drawn because it is ${loan.status}`);
  const { places, fiscalYearStart } = await loadPlaces(trx);
  checkPlaces({ fee }, places);
  if (decimal(fee).gt(loan.principal)) throw invalidMember('/fee', 'out_of_range', 'must be at most the principal');
  const { principal, startsOn: date, instalments, firstDueOn } = loan;
  const shortTerm = dueUntil(instalmentsLeft(loan, places), yearAfter(date));
  return await enterAct(trx, ctx, loan, {
    ...{ kind: 'drawing', date, description: 'disposición del préstamo', fee: decimal(fee).toFixed() },
    ...{ shortTerm, longTerm: decimal(principal).minus(shortTerm).toFixed() },
    after: {
      ...{
        status: 'drawn',
        payment: monthlyPayment(loan, principal, instalments, places),
        instalmentsLeft: instalments,
      },
      ...{ nextDueOn: firstDueOn, reclassifiedOn: yearEnd(date, fiscalYearStart) },
    },
  });
}

/**
 * Enters what is due of a loan first: an instalment, or what becomes short-term at the end of a fiscal year.
 * @param loan locked, with something due
 * @throws ServiceError period_closed, period_locked, validation_failed
 */
export async function enterNext(trx: Db, ctx: Context, loan: Loan): Promise<Loan> {
  const { places, fiscalYearStart } = await loadPlaces(trx);
  const [next, ...rest] = instalmentsLeft(loan, places);
  const { reclassifiedOn } = loan;
  if (next !== undefined && (reclassifiedOn === null || next.date <= reclassifiedOn))
    return await payInstalment(trx, ctx, loan, next, rest);
  if (reclassifiedOn === null) throw new Error(`nothing is due of the loan ${loan.id}`);
  const target = dueUntil([...(next === undefined ? [] : [next]), ...rest], yearAfter(reclassifiedOn));
  const moved = decimal(target).minus(loan.shortTerm);
  return await enterAct(trx, ctx, loan, {
    ...{ kind: 'reclassification', date: reclassifiedOn, description: 'reclasificación a corto plazo' },
    ...{ shortTerm: moved.toFixed(), longTerm: moved.neg().toFixed() },
    after: { reclassifiedOn: yearEnd(daysAfter(reclassifiedOn, 1), fiscalYearStart) },
  });
}

async function payInstalment(
  trx: Db,
  ctx: Context,
  loan: Loan,
  paid: Instalment,
  rest: readonly Instalment[],
): Promise<Loan> {
  const { date, principal, interest } = paid;
  const left = rest[0];
  const state = { instalmentsLeft: loan.instalmentsLeft - 1, nextDueOn: left?.date ?? null };
  return await enterAct(trx, ctx, loan, {
    ...{ kind: 'instalment', date, description: `cuota de ${date}`, interest, ...taken(loan.shortTerm, principal) },
    after: left === undefined ? REPAID : state,
  });
}

/**
 * Repays a part of a loan, or all of it, between two instalments. Either the instalments stay and are fewer, or they are lowered.
 * @throws ServiceError not_found, stale_version, period_closed, validation_failed; invalid_transition when it is not drawn
 */
export async function repayLoan(
  trx: Db,
  ctx: Context,
  id: string,
  { date, amount, interest = 0, fee = 0, keeps = 'payment' }: RepaymentInput,
  ifMatch: number | null,
): Promise<Loan> {
  const loan = await lockLoan(trx, id, ifMatch);
  const { nextDueOn, code } = loan;
  if (nextDueOn === null) throw refused(`Nothing of ${code} can be repaid because it is ${loan.status}`);
  const { places } = await loadPlaces(trx);
  checkPlaces({ amount, interest, fee }, places);
  const outstanding = decimal(loan.outstanding).minus(amount);
  if (outstanding.lt(0))
    throw invalidMember(
      '/amount',
      'out_of_range',
      `must be at most ${decimal(loan.outstanding).toFixed()}, what is outstanding`,
    );
  await checkDate(trx, loan, date, nextDueOn);
  // An early repayment takes what would have been due last.
  const { shortTerm: longTerm, longTerm: shortTerm } = taken(loan.longTerm, decimal(amount).toFixed());
  const [owed, left] = [outstanding.toFixed(), loan.instalmentsLeft];
  const payment = keeps === 'term' ? monthlyPayment(loan, owed, left, places) : loan.payment;
  const rest = schedule(loan, { outstanding: owed, instalments: left, payment, nextDueOn }, places);
  return await enterAct(trx, ctx, loan, {
    ...{ kind: 'repayment', date, description: 'amortización anticipada', shortTerm, longTerm },
    ...{ interest: decimal(interest).toFixed(), fee: decimal(fee).toFixed() },
    after: outstanding.eq(0) ? REPAID : { payment, instalmentsLeft: rest.length },
  });
}

/** @throws ServiceError validation_failed */
async function checkDate(trx: Db, { id, reclassifiedOn }: Loan, date: string, nextDueOn: string): Promise<void> {
  const last = (await LoanMovement.query(trx).where({ loan_id: id, standing: true }).orderBy('id', 'desc').first()) as
    | LoanMovement
    | undefined;
  if (last !== undefined && date < last.date)
    throw invalidMember('/date', 'out_of_range', `must not be before ${last.date}, the day of what was entered last`);
  const next = reclassifiedOn !== null && reclassifiedOn < nextDueOn ? reclassifiedOn : nextDueOn;
  if (date > next)
    throw invalidMember('/date', 'out_of_range', `must not be after ${next}, on which the loan has its next entry`);
}

/** Principal that is paid from one account as far as it goes, and from the other. */
function taken(first: Decimal, principal: Decimal): { readonly shortTerm: Decimal; readonly longTerm: Decimal } {
  const part = decimal(first).lt(principal) ? decimal(first) : decimal(principal);
  return { shortTerm: part.neg().toFixed(), longTerm: decimal(part).minus(principal).toFixed() };
}

/** @throws ServiceError validation_failed for more decimals than the company has */
export function checkPlaces(amounts: Readonly<Record<string, number>>, places: number): void {
  for (const [member, value] of Object.entries(amounts))
    if (decimalPlaces(value) > places)
      throw invalidMember(`/${member}`, 'too_many_decimals', `must have at most ${places} decimals`);
}

/** Decimals of amounts, and the beginning of fiscal years. */
export async function loadPlaces(trx: Db) {
  const { decimalPrecision: places } = await loadSettings(trx, 'format');
  const { fiscalYearStart } = await loadSettings(trx, 'company');
  return { places, fiscalYearStart };
}
