/** The lines of the VAT books in the tax agency's format. */
import { type BookDesign, DAY, type DesignColumn, YEAR } from './vat-book-designs.ts';

/** A cell of a file; empty: null. */
export type Cell = string | number | null;

/** The cells of a line, in the order of the design. Days are dd/mm/yyyy, flags S or N, and texts cut to their length. */
export function designCells({ columns }: BookDesign, line: Readonly<Record<string, unknown>>): Cell[] {
  return columns.map(({ member, type }) => (member === null ? null : cell(type, line[member])));
}

/** Whether a column has numbers with two decimals. */
export function isDecimal({ type }: DesignColumn): boolean {
  return type.startsWith('Decimal') && type !== YEAR;
}

function cell(type: string, value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? 'S' : 'N';
  if (typeof value === 'number') return value;
  const shown = String(value);
  if (type === DAY) return shown.split('-').reverse().join('/');
  const [length] = /\d+/.exec(type) ?? [];
  return shown.slice(0, Number(length));
}

/** The name that the agency asks for: year, tax id, letter of the book, and name of the company without accents and other signs. */
export function bookFileName(
  { letter }: BookDesign,
  { year, taxId, name }: { readonly year: number; readonly taxId: string; readonly name: string },
): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/[^\w .-]/g, '')
    .trim();
  return `${year}${taxId}${letter}${plain}`;
}
