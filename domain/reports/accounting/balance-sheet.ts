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

/** Income less expense, as of both days. */
export interface Results {
  readonly amount: Decimal;
  readonly previous: Decimal;
}

export interface BalanceSheetInput {
  /** Excludes income and expense accounts. */
  readonly accounts: readonly AccountBalance[];
  /** Result of each day's fiscal year up to that day. */
  readonly result: Results;
  /** Result of earlier years not closed before that day. */
  readonly earlier: Results;
}

/**
 * Builds both sides, whose totals are equal. Customers with a credit balance and suppliers with a debit balance stay under their headings,
 * as the form nets them; current accounts (550 to 554) go to the side of their own balance.
 */
export function balanceSheet(
  { accounts, result, earlier }: BalanceSheetInput,
  language: Language,
): readonly [FilledHeading, FilledHeading] {
  const standings = new Standings();
  for (const account of accounts) {
    standings.add(account, (balance) => {
      const asset = ON_ASSETS.find(account.code, balance);
      if (asset !== undefined) return { at: asset, sign: 1 };
      const liability = ON_LIABILITIES.find(account.code, balance);
      if (liability !== undefined) return { at: liability, sign: -1 };
      return account.type === 'asset' ? { at: OTHER_ASSETS, sign: 1 } : { at: OTHER_LIABILITIES, sign: -1 };
    });
  }
  for (const column of ['amount', 'previous'] as const) {
    standings.addAmount(RESULT, column, result[column]);
    standings.addAmount(EARLIER_RESULTS, column, earlier[column]);
  }
  const side = (declared: Heading, other: Heading): FilledHeading => {
    const unmapped = isEmpty(standings.fill(other, language)) ? [] : [other];
    return standings.fill({ ...declared, children: [...(declared.children ?? []), ...unmapped] }, language);
  };
  return [side(ASSETS, OTHER_ASSETS), side(EQUITY_AND_LIABILITIES, OTHER_LIABILITIES)];
}
