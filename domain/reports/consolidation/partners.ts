/** Eliminates what companies of a group owe each other, and what they sell each other (decision 0369). */
import { groupBy } from '../../group-by.ts';
import { isOfResult } from '../../ledger/accounting/results.ts';
import { type Decimal, decimal, sum } from '../../money.ts';
import type { GroupItem } from './items.ts';

/** The part of a company's account that is about another company. */
export interface MutualBalance extends Omit<GroupItem, 'column'> {
  /** Columns of the company and of the other. */
  readonly company: number;
  readonly other: number;
}

/** The rest between two companies, once what each has about the other is eliminated. */
export interface Difference {
  /** Columns, the lower first. */
  readonly companies: readonly [number, number];
  /** debit − credit */
  readonly amount: Decimal;
}

/**
 * Eliminates all that companies have about each other. What both sides have agrees if their books do; otherwise the rest is kept as a
 * difference, so that the eliminations add up to nothing.
 * @param column of the eliminations
 */
export function eliminateMutual(
  balances: readonly MutualBalance[],
  column: number,
): { readonly items: GroupItem[]; readonly differences: Difference[] } {
  const items = balances.map(({ account, amount, placedBy }) => ({
    ...{ account, column, placedBy },
    amount: decimal(amount).neg().toFixed(),
  }));
  const pairs = groupBy(balances, ({ account, company, other }) =>
    [Math.min(company, other), Math.max(company, other), isOfResult(account)].join(),
  );
  const differences = [...pairs.values()].flatMap((both): Difference[] => {
    const [{ company, other }] = both as [MutualBalance];
    const amount = sum(both.map((each) => each.amount));
    if (amount.eq(0)) return [];
    const companies = [Math.min(company, other), Math.max(company, other)] as const;
    return [{ companies, amount: amount.toFixed() }];
  });
  return { items, differences };
}
