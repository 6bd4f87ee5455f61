/** Computes consecutive 303 returns, each compensating the credit of the ones before. */
import type { Decimal } from '../../money.ts';
import { type Input303, model303, type Return303 } from './model303.ts';
import { contains, type TaxPeriod } from './periods.ts';
import type { TaxTotal } from './totals.ts';

/** A tax in one month. */
export interface MonthTotal extends TaxTotal {
  /** First day of the month. */
  readonly month: string;
}

export interface PeriodReturn extends Return303 {
  readonly period: TaxPeriod;
}

/** Filed returns by period; each takes precedence over the computed one. */
export type FiledReturns = ReadonlyMap<string, Pick<Return303, 'boxes' | 'type' | 'result' | 'left'>>;

export function periodKey({ year, period }: TaxPeriod): string {
  return `${year} ${period}`;
}

/**
 * Computes the returns of consecutive periods.
 * @param carried credit before the first period
 * @param last options of the last one; earlier ones compensate
 */
export function computeReturns(
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
    readonly last: Pick<Input303, 'refund' | 'rectifies' | 'overrides'>;
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
