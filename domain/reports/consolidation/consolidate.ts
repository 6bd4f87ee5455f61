/** Puts the books of the companies of a group together: their balances, and what is eliminated (decisions 0367, 0369 and 0410). */
import { isOfResult } from '../../ledger/accounting/results.ts';
import type { Language } from '../../locale/formats.ts';
import { type Decimal, sum } from '../../money.ts';
import type { GroupSpan, PlacedAccount, PlacedCompany } from './companies.ts';
import { shareOfOthers } from './equity.ts';
import { investmentItems, minus, resultIn } from './investment.ts';
import type { GroupItem } from './items.ts';
import { OwnLines } from './own-accounts.ts';
import { type Difference, eliminateMutual } from './partners.ts';
import type { GroupSheet } from './statements.ts';

export interface GroupBooks {
  /** The parent first. */
  readonly companies: readonly PlacedCompany[];
  /** Adjustments that the parent has entered for the group alone; they are part of the eliminations. */
  readonly adjustments: readonly PlacedAccount[];
}

export interface Consolidated {
  readonly sheet: GroupSheet;
  /** Items of the profit and loss account. */
  readonly result: readonly GroupItem[];
  /** The minorities' share of the result of the period, by column. */
  readonly minorityResult: readonly Decimal[];
  readonly trialBalance: readonly GroupItem[];
  readonly differences: Readonly<Record<GroupSpan, readonly Difference[]>>;
}

/** A column of balances: a company, or what was entered among the eliminations. */
type Column = Pick<PlacedCompany, 'accounts'>;

/** @param places decimals of amounts */
export function consolidate({ companies, adjustments }: GroupBooks, places: number, language: Language): Consolidated {
  const lines = new OwnLines(language);
  const column = companies.length;
  const entered: Column = { accounts: adjustments };
  const columns = [...companies, entered];
  const setOffs = companies
    .slice(1)
    .map((company) => investmentItems(company, companies[0] as PlacedCompany, { column, places, lines }));
  const ended = mutualIn(companies, 'end', lines);
  const [year, period] = [mutualIn(companies, 'year', lines), mutualIn(companies, 'period', lines)];
  const balances = [
    ...itemsIn(columns, 'end'),
    ...ended.items,
    ...setOffs.flatMap(({ items }) => items),
    // Nobody closes the years of what is entered for the group alone.
    lines.item('reserves', minus('0', earlierIn(entered)), column),
  ];
  const minorities = sum(setOffs.map(({ minorityResult }) => minorityResult)).toFixed();
  const earlier = companies.map(earlierIn);
  const earlierGone = minus('0', sum(earlier.slice(1)).toFixed());
  const openYears = [...earlier, earlierGone].map((amount, at) => lines.item('openYears', minus('0', amount), at));
  return {
    sheet: {
      items: balances,
      result: [...companies.map((company) => resultIn(company, 'year')), minus(resultIn(entered, 'year'), minorities)],
      earlier: [...earlier, earlierGone],
    },
    result: [...itemsIn(columns, 'period'), ...period.items],
    minorityResult: companies.map((company) =>
      shareOfOthers(company.ownershipPercent, resultIn(company, 'period'), places),
    ),
    trialBalance: [
      ...balances,
      ...itemsIn(columns, 'year'),
      ...year.items,
      ...openYears,
      lines.item('minorityResult', minorities, column),
    ],
    differences: { end: ended.differences, year: year.differences, period: period.differences },
  };
}

/** Income less expense of earlier years that are not closed. */
function earlierIn(column: Column): Decimal {
  return minus(resultIn(column, 'end'), resultIn(column, 'year'));
}

/** The balances of the balance sheet (`end`), or those of income and expense. */
function itemsIn(columns: readonly Column[], span: GroupSpan): GroupItem[] {
  return columns.flatMap(({ accounts }, column) =>
    accounts
      .filter(({ account }) => isOfResult(account) === (span !== 'end'))
      .map(({ account, [span]: amount }) => ({ account, column, amount, placedBy: amount })),
  );
}

function mutualIn(companies: readonly PlacedCompany[], span: GroupSpan, lines: OwnLines) {
  const balances = companies.flatMap(({ mutual }, company) =>
    mutual
      .filter(({ account }) => isOfResult(account) === (span !== 'end'))
      .map(({ account, other, own, [span]: amount }) => ({ account, company, other, amount, placedBy: own[span] })),
  );
  const { items, differences } = eliminateMutual(balances, companies.length);
  const line = span === 'end' ? 'differences' : 'resultDifferences';
  return {
    items: [...items, ...differences.map(({ amount }) => lines.item(line, amount, companies.length))],
    differences,
  };
}
