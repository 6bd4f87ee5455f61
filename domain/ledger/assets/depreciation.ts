/** Depreciation of an asset between two days: linear, by a constant percentage, or by the sum of digits (RIS, articles 4 to 6). */
import { type Decimal, decimal, type Exact, round } from '../../money.ts';
import { elapsedMonths, type Life } from './life.ts';
import type { DepreciationMethod } from './types.ts';

/** How an asset is depreciated. */
export interface Terms extends Life {
  readonly method: DepreciationMethod;
  /** Declining: the percentage of a year, of the value at its beginning; null for the usual one. */
  readonly percent: Decimal | null;
  /** Declining: the part of the cost that is not depreciated, from 0 to 1. */
  readonly residualShare: Decimal;
}

/** The least constant percentage (RIS, article 5.1). */
const LEAST_PERCENT = 11;

/**
 * The constant percentage of a useful life: the linear one, weighted 1.5 below 5 years, 2 below 8 and 2.5 from there on, at least 11
 * (RIS, article 5.1).
 */
export function constantPercent(months: number): Decimal {
  const weight = months < 60 ? 1.5 : months < 96 ? 2 : 2.5;
  const percent = decimal(1200).div(months).times(weight);
  return round(percent.lt(LEAST_PERCENT) ? LEAST_PERCENT : percent.gt(100) ? 100 : percent, 4);
}

/**
 * Depreciation of the days after `after` up to `to`: the part of what is left that the method gives to them. So improvements and
 * impairments are spread over what is left of the life, and the last month takes the rest.
 * @param left value less residual value, at the beginning
 * @param span after: the last day depreciated, null for none; to: the last day now
 * @param places decimals of amounts
 */
export function depreciate(
  terms: Terms,
  left: Exact,
  { after, to }: { readonly after: string | null; readonly to: string },
  places: number,
): Decimal {
  if (terms.method === 'none' || left.lte(0)) return '0';
  const end = elapsedMonths(terms, to);
  if (end.gte(terms.months)) return left.toFixed();
  const done = spreadBy(terms, after === null ? decimal(0) : elapsedMonths(terms, after));
  const rest = decimal(1).minus(done);
  return rest.lte(0) ? left.toFixed() : round(left.times(spreadBy(terms, end).minus(done)).div(rest), places);
}

/** The part of the depreciation of a whole life, 0 to 1, that falls into its first months. */
function spreadBy(terms: Terms, elapsed: Exact): Exact {
  const { method, months } = terms;
  if (elapsed.lte(0)) return decimal(0);
  if (elapsed.gte(months)) return decimal(1);
  if (method === 'declining') return spreadConstant(terms, elapsed);
  return method === 'digits' ? spreadDigits(months, elapsed) : elapsed.div(months);
}

/** Each year has its percentage of the value at its beginning, month by month; the last one has the rest. */
function spreadConstant({ months, percent, residualShare }: Terms, elapsed: Exact): Exact {
  const year = Math.floor(Number(elapsed.div(12).toFixed()));
  const kept = decimal(1).minus(decimal(percent ?? constantPercent(months)).div(100));
  const depreciable = decimal(1).minus(residualShare);
  const atYear = (number: number): Exact => {
    if (number * 12 >= months) return decimal(1);
    const spread = decimal(1).minus(kept.pow(number)).div(depreciable);
    return spread.gt(1) ? decimal(1) : spread;
  };
  const before = atYear(year);
  const length = Math.min(12, months - year * 12);
  return before.plus(
    atYear(year + 1)
      .minus(before)
      .times(elapsed.minus(year * 12))
      .div(length),
  );
}

/** Years have descending digits; a year cut short counts by its months. */
function spreadDigits(months: number, elapsed: Exact): Exact {
  const years = Math.ceil(months / 12);
  const until = (passed: Exact): Exact => {
    const year = Math.min(Math.floor(Number(passed.div(12).toFixed())), years);
    // Whole years: n + (n - 1) + … for each of their months.
    const whole = decimal(year * 12)
      .times(2 * years - year + 1)
      .div(2);
    return whole.plus(passed.minus(year * 12).times(years - year));
  };
  return until(elapsed).div(until(decimal(months)));
}
