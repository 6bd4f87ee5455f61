/** The first month in which the books have something for a return, which is the first one to file. */
import type { Reader } from '../../../db/database.ts';
import { readBalances, type Span } from '../accounting/balances/read.ts';
import { readMonthTotals } from './taxes.ts';

/** Income or expenses. @returns null if there are none */
export async function firstResult(reader: Reader, tenantId: string, days: Span): Promise<string | null> {
  const spans = { found: { ...days, kinds: 'normal' } } as const;
  return earliestMonth(await readBalances(reader, { tenantId, spans, by: ['month'], types: ['income', 'expense'] }));
}

/** VAT, or the indirect tax in its place. @returns null if there is none */
export async function firstTax(reader: Reader, tenantId: string, days: Span): Promise<string | null> {
  const taxes = await readMonthTotals(reader, tenantId, days);
  return earliestMonth(taxes.filter(({ kind }) => kind !== 'withholding'));
}

function earliestMonth(months: readonly { readonly month: string }[]): string | null {
  return months.map(({ month }) => month).sort()[0] ?? null;
}
