/** The balance sheet: assets, equity and liabilities by the headings of the annual accounts. */
import type { Language } from '../../locale/formats.ts';
import type { Decimal } from '../../money.ts';
import {
  ASSETS,
  EARLIER_RESULTS,
  EQUITY_AND_LIABILITIES,
  OTHER_ASSETS,
  OTHER_LIABILITIES,
  RESULT,
} from './balance-sheet-headings.ts';
import { type AccountBalance, type FilledHeading, type Heading, HeadingIndex, isEmpty, Standings } from './headings.ts';

const ON_ASSETS = new HeadingIndex([ASSETS]);
const ON_LIABILITIES = new HeadingIndex([EQUITY_AND_LIABILITIES]);

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
 * Builds both sides, whose totals are equal. Customers with a credit balance and suppliers with a debit balance stay under their headings,
 * as the form nets them; current accounts (550 to 554) go to the side of their own balance.
 */
export function balanceSheet(
  { accounts, result, earlier }: BalanceSheetInput,
  language: Language,
): readonly [FilledHeading, FilledHeading] {
  const standings = new Standings(result.length);
  for (const account of accounts) {
    standings.add(account, (balance) => {
      const asset = ON_ASSETS.find(account.code, balance);
      if (asset !== undefined) return { at: asset, sign: 1 };
      const liability = ON_LIABILITIES.find(account.code, balance);
      if (liability !== undefined) return { at: liability, sign: -1 };
      return account.type === 'asset' ? { at: OTHER_ASSETS, sign: 1 } : { at: OTHER_LIABILITIES, sign: -1 };
    });
  }
  for (const [column, amount] of result.entries()) standings.addAmount(RESULT, column, amount);
  for (const [column, amount] of earlier.entries()) standings.addAmount(EARLIER_RESULTS, column, amount);
  const side = (declared: Heading, other: Heading): FilledHeading => {
    const unmapped = isEmpty(standings.fill(other, language)) ? [] : [other];
    return standings.fill({ ...declared, children: [...(declared.children ?? []), ...unmapped] }, language);
  };
  return [side(ASSETS, OTHER_ASSETS), side(EQUITY_AND_LIABILITIES, OTHER_LIABILITIES)];
}
