/** The consolidated trial balance: balances by account of the parent, a column for each company, the eliminations and their sum. */
import { type Decimal, decimal } from '../../money.ts';
import type { GroupAccount, GroupItem } from './items.ts';

export interface GroupRow extends GroupAccount {
  /** debit − credit of each column, and last their sum. */
  readonly amounts: readonly Decimal[];
}

/** Adds up the items by account, in the order of their codes; lines that only consolidation has are last. */
export function groupTrialBalance(items: readonly GroupItem[], columns: number): GroupRow[] {
  const rows = new Map<string, GroupAccount & { readonly amounts: Decimal[] }>();
  for (const { account, column, amount } of items) {
    const key = `${account.code} ${account.name}`;
    const row = rows.get(key) ?? { ...account, amounts: Array.from({ length: columns + 1 }, (): Decimal => '0') };
    for (const at of [column, columns])
      row.amounts[at] = decimal(row.amounts[at] as Decimal)
        .plus(amount)
        .toFixed();
    rows.set(key, row);
  }
  return [...rows.values()]
    .filter(({ amounts }) => amounts.some((amount) => !decimal(amount).eq(0)))
    .sort((a, b) => (a.code < b.code ? -1 : 1));
}
