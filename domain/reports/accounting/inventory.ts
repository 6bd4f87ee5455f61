/** The balances with which a company begins a fiscal year, and those that it has at the end (decision 0327). */
import type { AccountType } from '../../ledger/accounting/charts/chart.ts';
import { isOfResult } from '../../ledger/accounting/results.ts';
import { type Decimal, decimal, type Exact, sum } from '../../money.ts';

/** Spans whose sums make up the balances: before the year, the opening entry of its first day, and until its end, before its closing. */
export type InventorySpan = 'before' | 'opening' | 'end';

/** Balances (debit − credit) of an account in the spans. */
export interface InventoryAccount {
  readonly accountId: string;
  readonly code: string;
  readonly name: string;
  readonly type: AccountType;
  readonly sums: Readonly<Record<InventorySpan, { readonly balance: Decimal }>>;
}

/** A balance of an account, of the results of earlier years not closed, or of the result of the year. */
export interface InventoryLine extends Pick<InventoryAccount, 'code' | 'name'> {
  readonly kind: 'account' | 'open_years' | 'result';
  /** null for results, which stand on no account until the year is closed. */
  readonly accountId: string | null;
  /** Debit − credit. */
  readonly balance: Exact;
}

/**
 * Lists the balances on the accounts of the balance sheet by code; they add up to zero. Results come after the account that will have them.
 * @param yearResult code of that account
 */
export function inventory(
  accounts: readonly InventoryAccount[],
  on: 'beginning' | 'end',
  yearResult: string,
): InventoryLine[] {
  const balanceOn = ({ sums: { before, opening, end } }: InventoryAccount): Exact =>
    on === 'end' ? decimal(end.balance) : decimal(before.balance).plus(opening.balance);
  const [ofResult, ofSheet] = [accounts.filter(isOfResult), accounts.filter((account) => !isOfResult(account))];
  const lines = ofSheet.map((account): InventoryLine => {
    const { accountId, code, name } = account;
    return { kind: 'account', accountId, code, name, balance: balanceOn(account) };
  });
  const earlier = sum(ofResult.map(({ sums }) => sums.before.balance));
  const all = sum(ofResult.map((account) => balanceOn(account).toFixed()));
  const results = { accountId: null, code: yearResult, name: '' } as const;
  const place = lines.filter(({ code }) => code <= yearResult).length;
  return [
    ...lines.slice(0, place),
    { ...results, kind: 'open_years', balance: earlier } as const,
    { ...results, kind: 'result', balance: all.minus(earlier) } as const,
    ...lines.slice(place),
  ].filter(({ balance }) => !balance.eq(0));
}
