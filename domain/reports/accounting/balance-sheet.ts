/** The balance sheet: assets, equity and liabilities by the headings of the annual accounts. */
import type { AccountChart } from '../../ledger/accounting/charts/chart.ts';
import type { Language } from '../../locale/formats.ts';
import type { Decimal } from '../../money.ts';
import { formFor } from './forms/index.ts';
import { type AccountBalance, contains, type FilledHeading, type Heading, isEmpty, Standings } from './headings.ts';

/** All amounts have one value for each day of the report. */
export interface BalanceSheetInput {
  /** Excludes income and expense accounts. */
  readonly accounts: readonly AccountBalance[];
  /** Income less expense of each day's fiscal year up to that day. */
  readonly result: readonly Decimal[];
  /** The same of earlier years not closed before that day. */
  readonly earlier: readonly Decimal[];
}

/**
 * Builds both sides by the form of the chart; their totals are equal. Customers with a credit balance and suppliers with a debit balance
 * stay under their headings, as the form nets them; current accounts (in Spain 550 to 554) go to the side of their own balance.
 */
export function balanceSheet(
  { accounts, result, earlier }: BalanceSheetInput,
  chart: Pick<AccountChart, 'country'>,
  language: Language,
): readonly [FilledHeading, FilledHeading] {
  const form = formFor(chart);
  const standings = new Standings(result.length);
  for (const account of accounts) {
    const [isAsset, typed] = [account.type === 'asset', form.typed === true];
    standings.add(account, (balance) => {
      const asset = typed && !isAsset ? undefined : form.onAssets.find(account.code, balance);
      if (asset !== undefined) return { at: asset, sign: 1 };
      const liability = typed && isAsset ? undefined : form.onLiabilities.find(account.code, balance);
      if (liability !== undefined) return { at: liability, sign: -1 };
      return { at: form.others[account.type], sign: isAsset ? 1 : -1 };
    });
  }
  for (const [column, amount] of result.entries()) standings.addAmount(form.result, column, amount);
  for (const [column, amount] of earlier.entries()) standings.addAmount(form.earlierResults, column, amount);
  const side = (declared: Heading, other: Heading): FilledHeading => {
    const apart = contains(declared, other) || isEmpty(standings.fill(other, language)) ? [] : [other];
    return standings.fill(declared, language, apart);
  };
  return [side(form.assets, form.others.asset), side(form.equityAndLiabilities, form.others.liability)];
}
