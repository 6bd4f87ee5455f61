/** Consecutive returns of a model, each compensating the credit of the ones before. */
import { type Decimal, decimal, type Exact } from '../../money.ts';
import type { BoxValues, Overrides } from './boxes.ts';
import { contains, type TaxPeriod } from './periods.ts';
import type { TaxTotal } from './totals.ts';

/** A tax in one month. */
export interface MonthTotal extends TaxTotal {
  /** First day of the month. */
  readonly month: string;
}

interface Options {
  /** Whether a refund is requested instead of compensation. */
  readonly refund: boolean;
  /** Whether the return rectifies an earlier one of the period; what that had to pay is stated then. */
  readonly rectifies?: boolean;
  readonly overrides?: Overrides;
}

export interface CreditInput extends Options {
  readonly period: TaxPeriod;
  /** Taxes of the period's days. */
  readonly totals: readonly TaxTotal[];
  /** Credit carried over from earlier periods. */
  readonly carried: Decimal;
}

/** A return that is paid, or leaves a credit to later ones. */
export interface CreditReturn {
  readonly boxes: BoxValues;
  /** I: to pay, C: to compensate later, D: to be refunded, N: nothing. */
  readonly type: 'I' | 'C' | 'D' | 'N';
  readonly result: Decimal;
  /** Credit to compensate in later periods. */
  readonly left: Decimal;
  /** Taxes at rates without a box. */
  readonly unmapped: readonly TaxTotal[];
}

export interface PeriodReturn extends CreditReturn {
  readonly period: TaxPeriod;
}

/** The parts of returns that the summary of their year reads. */
export type Summarized = Pick<CreditReturn, 'boxes' | 'type' | 'result' | 'left'>;

/** Filed returns by period; each takes precedence over the computed one. */
export type FiledReturns = ReadonlyMap<string, Summarized>;

export function periodKey({ year, period }: TaxPeriod): string {
  return `${year} ${period}`;
}

/**
 * Computes the returns of consecutive periods.
 * @param compute of their model
 * @param carried credit before the first period
 * @param last options of the last one; earlier ones compensate
 */
export function computeReturns(
  periods: readonly TaxPeriod[],
  months: readonly MonthTotal[],
  {
    compute,
    carried,
    filed,
    last,
  }: {
    readonly compute: (input: CreditInput) => CreditReturn;
    readonly carried: Decimal;
    readonly filed: FiledReturns;
    readonly last: Options;
  },
): PeriodReturn[] {
  let left = carried;
  return periods.map((period, index) => {
    const totals = months.filter(({ month }) => contains(period, month));
    const own = index === periods.length - 1 ? last : { refund: false };
    const computed = compute({ period, totals, carried: left, ...own });
    const made: PeriodReturn = { ...computed, ...filed.get(periodKey(period)), period };
    left = made.left;
    return made;
  });
}

/**
 * Credit that the year's returns have from before it: what the first one carries over, as computed or stated, and whatever a later one
 * states beyond the credit left by the return before.
 * @param box of what is carried over
 */
export function creditOfEarlierYears(returns: readonly Summarized[], box: string): Exact {
  let found = decimal(0);
  let left = decimal(0);
  for (const { boxes, left: remaining } of returns) {
    found = found.plus(boxes[box] ?? '0').minus(left);
    left = decimal(remaining);
  }
  return found.lt(0) ? decimal(0) : found;
}
