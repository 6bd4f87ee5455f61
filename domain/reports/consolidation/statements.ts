/** Consolidated statements: a column for each company, the eliminations, and their sum. */
import type { AccountChart } from '../../ledger/accounting/charts/chart.ts';
import type { Language } from '../../locale/formats.ts';
import { type Decimal, sum } from '../../money.ts';
import { fillSides, placeOnSheet } from '../accounting/balance-sheet.ts';

import { formFor } from '../accounting/forms/index.ts';
import { type FilledHeading, type Heading, Standings } from '../accounting/headings.ts';
import { fillResult } from '../accounting/profit-and-loss.ts';
import { consolidatedForm } from './form.ts';
import type { GroupItem } from './items.ts';

type Chart = Pick<AccountChart, 'country'>;

export interface GroupSheet {
  /** Excludes income and expense. */
  readonly items: readonly GroupItem[];
  /** Result of the year of each company, and its elimination; profits are positive. */
  readonly result: readonly Decimal[];
  /** The same of earlier years not closed. */
  readonly earlier: readonly Decimal[];
}

/** Builds the balance sheet. Each amount of the last column is the sum of those before it: nothing is placed anew. */
export function groupSheet(
  { items, result, earlier }: GroupSheet,
  chart: Chart,
  language: Language,
): readonly [FilledHeading, FilledHeading] {
  const form = consolidatedForm(formFor(chart));
  const standings = new Standings(result.length + 1);
  for (const item of items) add(standings, item, result.length, placeOnSheet(form, item.account, item.placedBy));
  for (const [place, amounts] of [
    [form.result, result],
    [form.earlierResults, earlier],
  ] as const) {
    for (const [column, amount] of [...amounts, sum(amounts).toFixed()].entries()) {
      standings.addAmount(place, column, amount);
    }
  }
  return fillSides(standings, form, language);
}

/** Builds the profit and loss account. @param columns those of companies, and that of the eliminations */
export function groupResult(
  items: readonly GroupItem[],
  columns: number,
  chart: Chart,
  language: Language,
): readonly FilledHeading[] {
  const form = consolidatedForm(formFor(chart));
  const standings = new Standings(columns + 1);
  for (const item of items) {
    const { code, type } = item.account;
    const at = form.inResult.find(code, item.placedBy) ?? form.others[type];
    add(standings, item, columns, { at, sign: -1 });
  }
  return fillResult(standings, form, columns + 1, language);
}

/** Adds an amount to its column and to the last one. */
function add(
  standings: Standings,
  { account, column, amount }: GroupItem,
  last: number,
  place: { readonly at: Heading; readonly sign: 1 | -1 },
): void {
  const amounts = Array.from(
    { length: last + 1 },
    (_, index): Decimal => (index === column || index === last ? amount : '0'),
  );
  // By code, because each company has ids of its own; by name, because lines that only consolidation has share a code.
  standings.add({ ...account, id: `${account.code} ${account.name}`, amounts }, () => place);
}
