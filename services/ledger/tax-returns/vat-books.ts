/** Reads pages of the VAT books, with the sums of all their lines. */
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import type { Decimal } from '../../../domain/money.ts';
import type { Days } from './taxes.ts';
import type { BookStatements } from './vat-book-lines.ts';

/** Sums of the lines of a book. */
export interface BookSums {
  /** Sums of invoices, whether their tax is due already or not. */
  readonly base: Decimal;
  readonly amount: Decimal;
  readonly total: Decimal;
  /** Sales only. */
  readonly surcharge?: Decimal;
  /** Purchases only. */
  readonly deductible?: Decimal;
  /** Tax that the return of the period declares or deducts. */
  readonly returned: Decimal;
}

/** Reads the lines of a book from `skip` on. @param limit 0: only the sums */
export async function readBook<Line extends { readonly entryId: string }>(
  reader: Reader,
  book: BookStatements,
  days: Days,
  { skip, limit }: { readonly skip: number; readonly limit: number },
): Promise<{ readonly total: number; readonly sums: BookSums; readonly lines: readonly Line[] }> {
  type Found = Line & { readonly total: number; readonly sums: BookSums };
  const found = await query<Found>(reader, book.page, { ...days, skip, limit });
  const [{ total, sums }] = found as [Found];
  return { total, sums, lines: found.filter(({ entryId }) => entryId !== null) };
}
