/** Derives figures of reports from amounts. */
import { type Decimal, decimal, round } from '../../money.ts';

/** Decimals of percentages and other ratios. */
export const RATIO_PLACES = 2;

/** A part as a percentage of the whole (0–100), rounded; 0 if the whole is zero. */
export function percentage(part: Decimal, whole: Decimal): Decimal {
  if (decimal(whole).eq(0)) return '0';
  return round(decimal(part).times(100).div(whole), RATIO_PLACES);
}

/** Rounds values so that they add up to their rounded sum; each is within one unit of its own rounding. */
export function footed(values: readonly Decimal[], places: number): Decimal[] {
  let [exact, given] = [decimal(0), decimal(0)];
  return values.map((value) => {
    exact = exact.plus(value);
    const share = decimal(round(exact, places)).minus(given);
    given = given.plus(share);
    return share.toFixed();
  });
}
