/** Positions of a budget: an account, or the beginning of its code, with or without a project and a cost center (decision 0335). */
import { type Decimal, decimal } from '../../money.ts';

export const BUDGET_STATUSES = ['draft', 'approved'] as const;
export type BudgetStatus = (typeof BUDGET_STATUSES)[number];

export const BUDGET_CONTROLS = ['none', 'warning', 'refusal'] as const;
export type BudgetControl = (typeof BUDGET_CONTROLS)[number];

export interface Position {
  readonly account: string;
  readonly projectId: string | null;
  readonly costCenterId: string | null;
}

/** Finds the one position in which something counts: that of the longest beginning of its account, and of most of its dimensions. */
export class Positions<P extends Position> {
  readonly #byKey: ReadonlyMap<string, P>;
  readonly #longest: number;
  readonly #others: Positions<P> | null;

  /** @param others where what is in none of the positions counts */
  constructor(positions: readonly P[], others: readonly P[] = []) {
    this.#others = others.length === 0 ? null : new Positions(others);
    this.#byKey = new Map(positions.map((position) => [positionKey(position), position]));
    this.#longest = positions.reduce((length, { account }) => Math.max(length, account.length), 0);
  }

  /** @param line its account by the whole code */
  find({ account, projectId, costCenterId }: Position): P | undefined {
    const dimensions = [
      { projectId, costCenterId },
      { projectId, costCenterId: null },
      { projectId: null, costCenterId },
      { projectId: null, costCenterId: null },
    ];
    for (let length = Math.min(this.#longest, account.length); length > 0; length--) {
      const beginning = account.slice(0, length);
      for (const each of dimensions) {
        const found = this.#byKey.get(positionKey({ account: beginning, ...each }));
        if (found !== undefined) return found;
      }
    }
    return this.#others?.find({ account, projectId, costCenterId });
  }
}

/** Identifies a position. */
export function positionKey({ account, projectId, costCenterId }: Position): string {
  return `${account} ${projectId ?? ''} ${costCenterId ?? ''}`;
}

/** Income, debts and equity are budgeted as credits, expenses and assets as debits, so that amounts are usually positive. */
export function budgetedAmount(
  type: 'asset' | 'liability' | 'equity' | 'income' | 'expense',
  balance: Decimal,
): Decimal {
  return type === 'expense' || type === 'asset' ? balance : decimal(balance).neg().toFixed();
}

/** The variance of a budget, actual less budget, and its percentage of the budget; null for a percentage of nothing. */
export function budgetVariance(
  budget: Decimal,
  actual: Decimal,
): { readonly variance: Decimal; readonly percent: Decimal | null } {
  const variance = decimal(actual).minus(budget);
  return {
    variance: variance.toFixed(),
    percent: decimal(budget).eq(0) ? null : (variance.times(100).div(decimal(budget).abs()).toFixed(2) as Decimal),
  };
}

/** Whether the whole budget of a month counts in a span of days: it lies in it, or has its first or last day. */
export function countsIn(month: string, { from, to }: { readonly from: string; readonly to: string }): boolean {
  return month.slice(0, 7) >= from.slice(0, 7) && month.slice(0, 7) <= to.slice(0, 7);
}
