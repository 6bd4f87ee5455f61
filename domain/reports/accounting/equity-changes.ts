/**
 * The statement of changes in equity of two years (in Spain that of PGC PYMES, RD 1515/2007, part three): a column for each heading of
 * equity in the balance sheet, and rows from one balance to the next (decision 0361).
 */
import type { AccountChart } from '../../ledger/accounting/charts/chart.ts';
import type { Language } from '../../locale/formats.ts';
import { type Decimal, decimal, type Exact, sum } from '../../money.ts';
import { type BalanceSheetInput, balanceSheet, placeOnSheet } from './balance-sheet.ts';
import { type ClassifiedLine, classify } from './equity-entries.ts';
import {
  type EquityAccount,
  type EquityFigures,
  type EquityRow,
  equityRows,
  MOVEMENTS,
  type Movement,
} from './equity-rows.ts';
import { formFor } from './forms/index.ts';
import { type AccountBalance, descendants, headingNamed } from './headings.ts';

/** A normal entry that changes accounts of equity, with all its accounts. */
export interface EquityEntry {
  /** 1 for the first of the two years, 2 for the second. */
  readonly year: 1 | 2;
  /** Balances are debit − credit. */
  readonly lines: readonly (Pick<AccountBalance, 'id' | 'code' | 'name' | 'type'> & { readonly balance: Decimal })[];
}

export interface EquityInput {
  /** The balance sheets at the end of the year before both, and of each. */
  readonly sheets: BalanceSheetInput;
  readonly entries: readonly EquityEntry[];
  /** Names of these three years. */
  readonly years: readonly string[];
}

export interface EquityChanges {
  readonly columns: readonly { readonly code: string; readonly name: string }[];
  readonly rows: readonly EquityRow[];
}

/** Builds the statement: what is not known to be anything else is among other changes, so that the balances follow from each other. */
export function equityChanges(
  { sheets, entries, years }: EquityInput,
  chart: Pick<AccountChart, 'country'>,
  language: Language,
): EquityChanges {
  const form = formFor(chart);
  const { equity } = form;
  const [, liabilities] = balanceSheet(sheets, chart, language);
  const columns = descendants(headingNamed(liabilities, equity.heading)).filter(
    ({ children }) => children.length === 0,
  );
  const codes = columns.map(({ code }) => code);
  const inColumn = (line: EquityEntry['lines'][number]) => {
    const { code } = placeOnSheet(form, line, line.balance).at;
    return codes.includes(code) ? code : null;
  };
  const ends = years.map((_, end) => columns.map(({ amounts }) => amounts[end] as Decimal));
  const changesIn = (year: 1 | 2) => {
    const classified = entries
      .filter((entry) => entry.year === year)
      .flatMap(({ lines }) =>
        classify(
          lines.map((line) => ({ ...line, column: inColumn(line) })),
          equity,
        ),
      );
    return movements(classified, {
      codes,
      result: { column: form.result.code, amount: sheets.result[year] as Decimal },
      begin: ends[year - 1] as Decimal[],
      end: ends[year] as Decimal[],
    });
  };
  const endFigures = (year: number) => ({
    amounts: ends[year] as Decimal[],
    accounts: columns.flatMap(({ code: column, accounts }) =>
      accounts.map(({ id, code, name, amounts }) => ({ id, code, name, column, amount: amounts[year] as Decimal })),
    ),
  });
  return {
    columns: columns.map(({ code, name }) => ({ code, name })),
    rows: equityRows(
      { ends: [endFigures(0), endFigures(1), endFigures(2)], changes: [changesIn(1), changesIn(2)], years },
      language,
    ),
  };
}

/** Sums the changes of a year by what they are. */
function movements(
  lines: readonly ClassifiedLine[],
  year: {
    readonly codes: readonly string[];
    readonly result: { readonly column: string; readonly amount: Decimal };
    readonly begin: readonly Decimal[];
    readonly end: readonly Decimal[];
  },
): ReadonlyMap<Movement, EquityFigures> {
  const { codes, result, begin, end } = year;
  const left = codes.map((_, column): Exact => decimal(end[column] as Decimal).minus(begin[column] as Decimal));
  const found = new Map<Movement, EquityFigures>();
  // The last have the rest: a year that is not closed, or the opening entry of a company.
  for (const movement of MOVEMENTS) {
    const own = lines.filter((line) => line.movement === movement);
    const amounts = codes.map((code, column): Decimal => {
      const entered = sum(own.filter((line) => line.column === code).map(({ amount }) => amount));
      const amount = movement === 'result' && code === result.column ? entered.plus(result.amount) : entered;
      const shown = movement === 'other' ? (left[column] as Exact) : amount;
      left[column] = (left[column] as Exact).minus(shown);
      return shown.toFixed();
    });
    found.set(movement, { amounts, accounts: byAccount(own) });
  }
  return found;
}

function byAccount(lines: readonly ClassifiedLine[]): EquityAccount[] {
  const sums = new Map<string, EquityAccount>();
  for (const { id, code, name, column, amount } of lines) {
    const key = `${column} ${id}`;
    const before = sums.get(key)?.amount ?? '0';
    sums.set(key, { id, code, name, column, amount: decimal(before).plus(amount).toFixed() });
  }
  return [...sums.values()].sort((a, b) => (a.code < b.code ? -1 : 1));
}
