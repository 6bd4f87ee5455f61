/** Computes profit by customer, item, project or cost center, and their shares of the revenue. */
import { type Decimal, decimal, sum } from '../../money.ts';
import { percentage } from '../engine/figures.ts';

/** Net revenue, the cost of the goods, and other expenses of a project or cost center. */
export interface Earned {
  readonly revenue: Decimal;
  readonly cost: Decimal;
  readonly expenses?: Decimal;
}

export interface Profit extends Required<Earned> {
  readonly margin: Decimal;
  /** Margin as a percentage of revenue. */
  readonly marginPercent: Decimal;
}

/** Revenue less cost and expenses. */
export function computeProfit({ revenue, cost, expenses = '0' }: Earned): Profit {
  const margin = decimal(revenue).minus(cost).minus(expenses).toFixed();
  return { revenue, cost, expenses, margin, marginPercent: percentage(margin, revenue) };
}

/** Computes the profit of each row, with its share of the total revenue (0–100), and the total profit. */
export function profits<Row extends Earned>(
  rows: readonly Row[],
): { readonly rows: readonly (Row & Profit & { readonly share: Decimal })[]; readonly total: Profit } {
  const of = (figure: keyof Earned) => sum(rows.map((row) => row[figure] ?? '0')).toFixed();
  const total = computeProfit({ revenue: of('revenue'), cost: of('cost'), expenses: of('expenses') });
  return {
    rows: rows.map((row) => ({ ...row, ...computeProfit(row), share: percentage(row.revenue, total.revenue) })),
    total,
  };
}
