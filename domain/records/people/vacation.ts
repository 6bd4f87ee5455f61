/** Vacation days: the entitlement from contracts in a year (ET, art. 38), and the days taken. */
import { type Decimal, decimal, round, sum } from '../../money.ts';
import { type Absent, absentWithin, overlap, type Span, spanLength } from './spans.ts';

export interface VacationBalance {
  /** Entitlement from the year's contracts, in proportion to the days for which they apply. */
  readonly entitled: Decimal;
  /** Days up to and including today. */
  readonly taken: Decimal;
  /** Days after today. */
  readonly planned: Decimal;
  /** Negative if more days were taken than the employee is entitled to. */
  readonly remaining: Decimal;
}

const PLACES = 1;

/**
 * Computes the vacation balance of a calendar year.
 * @param contracts with the yearly days that each grants
 * @param vacations absences; those that extend into another year count in both
 */
export function vacationBalance(
  year: number,
  today: string,
  contracts: readonly (Span & { readonly vacationDays: number })[],
  vacations: readonly Absent[],
): VacationBalance {
  const whole = { from: `${year}-01-01`, to: `${year}-12-31` };
  const length = spanLength(whole);
  const shares = contracts.map((contract) =>
    decimal(contract.vacationDays).times(overlap(contract, whole)).div(length),
  );
  const entitled = round(sum(shares), PLACES);
  const used = (within: Span) => round(sum(vacations.map((vacation) => absentWithin(vacation, within))), PLACES);
  const past = { from: whole.from, to: today < whole.to ? today : whole.to };
  const taken = used(past);
  const planned = decimal(used(whole)).minus(taken).toFixed();
  return { entitled, taken, planned, remaining: decimal(entitled).minus(taken).minus(planned).toFixed() };
}
