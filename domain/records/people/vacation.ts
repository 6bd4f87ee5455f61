/** Days of vacation: what a contract gives for the days that it holds in a year (ET, art. 38), and what was taken of them. */
import { type Decimal, decimal, round, sum } from '../../money.ts';
import { type ClosedSpan, overlap, type Span, spanLength } from './spans.ts';

export interface VacationBalance {
  /** What the contracts of the year give, by the days on which they hold. */
  readonly entitled: Decimal;
  /** Up to and including today. */
  readonly taken: Decimal;
  /** After today. */
  readonly planned: Decimal;
  /** Below zero where more was taken. */
  readonly remaining: Decimal;
}

const PLACES = 1;

/**
 * The vacation of a calendar year.
 * @param contracts with the days a year that each gives
 * @param vacations absences, with the days that each counts as; those that reach into another year are divided by days of the calendar
 */
export function vacationBalance(
  year: number,
  today: string,
  contracts: readonly (Span & { readonly vacationDays: number })[],
  vacations: readonly (ClosedSpan & { readonly days: Decimal })[],
): VacationBalance {
  const whole = { from: `${year}-01-01`, to: `${year}-12-31` };
  const length = spanLength(whole);
  const shares = contracts.map((contract) =>
    decimal(contract.vacationDays).times(overlap(contract, whole)).div(length),
  );
  const entitled = round(sum(shares), PLACES);
  const used = (within: Span) => {
    const parts = vacations.map(({ days, ...span }) =>
      decimal(days).times(overlap(span, within)).div(spanLength(span)),
    );
    return round(sum(parts), PLACES);
  };
  const past = { from: whole.from, to: today < whole.to ? today : whole.to };
  const taken = used(past);
  const planned = decimal(used(whole)).minus(taken).toFixed();
  return { entitled, taken, planned, remaining: decimal(entitled).minus(taken).minus(planned).toFixed() };
}
