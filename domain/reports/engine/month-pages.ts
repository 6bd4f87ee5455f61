/** Pages lines by their monthly counts: only the lines of a page's own months need to be read. */
import { endOfMonth } from '../../days.ts';
import { type Decimal, sum } from '../../money.ts';

/** Totals and line count of a month in a report. */
export interface MonthOfLines {
  /** Its first day. */
  readonly month: string;
  readonly debit: Decimal;
  readonly credit: Decimal;
  readonly lines: number;
}

/** Position of a page's lines. */
export interface PageSpan {
  /** The days of its months. */
  readonly from: string;
  readonly to: string;
  /** Number of lines in these months that precede the page. */
  readonly skip: number;
  /** Debit less credit of earlier months. */
  readonly before: Decimal;
}

/** @param months in order @returns null for a page after the last line */
export function pageSpan(
  months: readonly MonthOfLines[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): PageSpan | null {
  let lines = 0;
  let first: { readonly index: number; readonly lines: number } | null = null;
  for (const [index, month] of months.entries()) {
    if (first === null && lines + month.lines > offset) first = { index, lines };
    lines += month.lines;
    if (first !== null && (lines >= offset + limit || index === months.length - 1)) {
      const past = months.slice(0, first.index);
      const before = sum(past.map(({ debit }) => debit)).minus(sum(past.map(({ credit }) => credit)));
      const from = (months[first.index] as MonthOfLines).month;
      return { from, to: endOfMonth(month.month), skip: offset - first.lines, before: before.toFixed() };
    }
  }
  return null;
}
