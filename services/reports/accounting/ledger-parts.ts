/** Parts shared by reports of the ledger. */
import { Type } from 'typebox';
import type { MonthOfLines, PageSpan } from '../../../domain/reports/engine/month-pages.ts';
import type { MonthBalance } from '../../ledger/accounting/balances/read.ts';
import { flag, text } from '../../platform/validation/schemas.ts';

/** Titles of columns that have other names elsewhere. */
export const LEDGER_TITLES = {
  debit: { en: 'Debit', es: 'Debe' },
  credit: { en: 'Credit', es: 'Haber' },
  balance: { en: 'Balance', es: 'Saldo' },
} as const;

/** Titles of a balance that stands on one of two sides. */
export const BALANCE_TITLES = {
  balance_debit: { en: 'Balance, debit', es: 'Saldo deudor' },
  balance_credit: { en: 'Balance, credit', es: 'Saldo acreedor' },
} as const;

/** Whether to include closing entries: by default, reports show a closed year as it was before closing. */
export const CLOSING_ENTRIES = {
  closing_entries: Type.Optional(
    flag({ default: false, description: 'Whether the entries count that have closed the fiscal year of `to`' }),
  ),
};

/** The parameter of reports that can be limited to some accounts. */
export const ACCOUNTS = {
  accounts: Type.Optional(text({ max: 20, description: 'First digits of the accounts shown: 43' })),
};

/** Chooses the accounts that a request has asked for. */
export function beginningWith<T extends { readonly code: string }>(accounts: readonly T[], digits: string | undefined) {
  return digits === undefined ? accounts : accounts.filter(({ code }) => code.startsWith(digits));
}

/** Picks the conditions whose parameters a request has. */
export function askedConditions<Name extends string>(
  conditions: Readonly<Record<Name, string>>,
  params: Readonly<Partial<Record<NoInfer<Name>, unknown>>>,
): string[] {
  return Object.entries<string>(conditions).flatMap(([name, condition]) =>
    params[name as Name] === undefined ? [] : [condition],
  );
}

/** Order of entries within a day, as in the book of a closed year. `l` has their kind. */
export const KIND_ORDER = `array_position(array['opening', 'normal', 'regularisation', 'closing'], l.kind)`;

/** Converts a month's balances for paging. */
export function monthOfLines({ month, sums: { period } }: MonthBalance<'period'>): MonthOfLines {
  return { month, debit: period.debit, credit: period.credit, lines: Number(period.lines) };
}

export function countLines(months: readonly MonthOfLines[]): number {
  return months.reduce((count, { lines }) => count + lines, 0);
}

/** Limits the days of a page to those of the report. */
export function within(range: { readonly from: string; readonly to: string }, { from, to }: PageSpan) {
  return { from: from > range.from ? from : range.from, to: to < range.to ? to : range.to };
}
