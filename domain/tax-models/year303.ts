/** The returns 303 of periods that follow one another, each compensating what those before have left. */
import type { Decimal } from '../money.ts';
import { type Input303, model303, type Return303 } from './model303.ts';
import { contains, type TaxPeriod } from './periods.ts';
import type { TaxTotal } from './totals.ts';

/** Taxes of a month. */
export interface MonthTotal extends TaxTotal {
  /** Its first day. */
  readonly month: string;
}

export interface PeriodReturn extends Return303 {
  readonly period: TaxPeriod;
}

/** What was filed of a period stands in place of what the books say. */
export type FiledReturns = ReadonlyMap<string, Pick<Return303, 'boxes' | 'type' | 'result' | 'left'>>;

export function periodKey({ year, period }: TaxPeriod): string {
  return `${year} ${period}`;
}

/**
 * The returns of periods without a gap.
 * @param carried what is left to compensate before the first
 * @param last what the last one is asked for; earlier ones compensate
 */
export function returnsOf(
  periods: readonly TaxPeriod[],
  months: readonly MonthTotal[],
  {
    carried,
    filed,
    stateShare,
    last,
  }: {
    readonly carried: Decimal;
    readonly filed: FiledReturns;
    readonly stateShare: Decimal;
    readonly last: Pick<Input303, 'refund' | 'overrides'>;
  },
): PeriodReturn[] {
  let left = carried;
  return periods.map((period, index) => {
    const totals = months.filter(({ month }) => contains(period, month));
    const own = index === periods.length - 1 ? last : { refund: false };
    const computed = model303({ period, totals, carried: left, stateShare, ...own });
    const made: PeriodReturn = { ...computed, ...filed.get(periodKey(period)), period };
    left = made.left;
    return made;
  });
}
