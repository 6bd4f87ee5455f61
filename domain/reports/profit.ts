/** Profit: what was earned with customers, items, projects or cost centers, and their shares of the revenue. */
import { type Decimal, decimal, sum } from '../money.ts';
import { percentOf } from './figures.ts';

/** Net revenue, and what the goods cost. */
export interface Earned {
  readonly revenue: Decimal;
  readonly cost: Decimal;
}

export interface Profit extends Earned {
  readonly margin: Decimal;
  /** Of the revenue, 0–100. */
  readonly marginPercent: Decimal;
}

/** Revenue less cost. */
export function profitOf({ revenue, cost }: Earned): Profit {
  const margin = decimal(revenue).minus(cost).toFixed();
  return { revenue, cost, margin, marginPercent: percentOf(margin, revenue) };
}

/** The profit of each row with its share of the whole revenue (0–100), and that of all. */
export function profits<Row extends Earned>(
  rows: readonly Row[],
): { readonly rows: readonly (Row & Profit & { readonly share: Decimal })[]; readonly total: Profit } {
  const of = (figure: keyof Earned) => sum(rows.map((row) => row[figure])).toFixed();
  const total = profitOf({ revenue: of('revenue'), cost: of('cost') });
  return {
    rows: rows.map((row) => ({ ...row, ...profitOf(row), share: percentOf(row.revenue, total.revenue) })),
    total,
  };
}
