/** Accounts and headings of the annual accounts, for tests. */
import type { AccountType } from '../../domain/ledger/accounting/charts/chart.ts';
import type { AccountBalance, FilledHeading } from '../../domain/reports/accounting/headings.ts';

/** An account with debit − credit. */
export function account(code: string, amount: number, type: AccountType = 'asset', previous = 0): AccountBalance {
  return { id: code, code, name: code, type, amounts: [`${amount}`, `${previous}`] };
}

/** Amounts of the first column that are not zero, by heading. */
export function amounts(sections: readonly FilledHeading[]): Record<string, number> {
  const of = ({ code, amounts: [amount], children }: FilledHeading): [string, number][] => [
    ...(Number(amount) === 0 ? [] : [[code, Number(amount)] as [string, number]]),
    ...children.flatMap(of),
  ];
  return Object.fromEntries(sections.flatMap(of));
}
