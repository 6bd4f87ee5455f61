/** Finds the header of a bank's table and the meanings of its columns: as mapped by the caller, or by their titles. */
import type { TableCell } from '../../records/tables/cells.ts';
import { badStatement } from './statement.ts';
import { COLUMN_NAMES, type ColumnName, columnMeaning, normalTitle } from './table-columns.ts';

export interface TableRow {
  /** Line in the file where the row begins. */
  readonly line: number;
  readonly cells: readonly TableCell[];
}

/** Column titles by meaning; several text columns are joined. `ignore` names columns to skip. */
export type ColumnMapping = Readonly<Partial<Record<ColumnName | 'ignore', readonly string[]>>>;

export interface Header {
  readonly line: number;
  readonly titles: readonly string[];
  /** Positions of each column. */
  readonly columns: ReadonlyMap<ColumnName, readonly number[]>;
  /** Positions mapped by the caller. */
  readonly chosen: ReadonlySet<number>;
  /** Titled columns that are not read. */
  readonly unread: readonly { readonly at: number; readonly title: string; readonly meaning: ColumnName | undefined }[];
  /** The first title with the same meaning as another. */
  readonly repeated: string | undefined;
  /** Mapped titles that are missing in the row. */
  readonly missing: readonly string[];
}

/** Maximum rows above the header, where banks print data of the account. */
const MAX_ROWS_ABOVE = 30;
const AMOUNTS = ['amount', 'credit', 'debit'] as const;

/**
 * Finds the header and its place among the rows.
 * @throws BadStatement missing_header, missing_column, ambiguous_column
 */
export function findHeader(rows: readonly TableRow[], mapping: ColumnMapping): { header: Header; at: number } {
  let nearest: Header | undefined;
  for (const [at, row] of rows.slice(0, MAX_ROWS_ABOVE).entries()) {
    const header = buildHeader(row, mapping);
    const { columns, missing, repeated } = header;
    if (!columns.has('date') || !AMOUNTS.some((name) => columns.has(name))) continue;
    nearest ??= header;
    if (missing.length > 0) continue;
    if (repeated === undefined) return { header, at };
    const words = 'means the same as another column; remove one of them, or name the right one in columns';
    throw badStatement('ambiguous_column', words, row.line, repeated);
  }
  const named = Object.values(mapping).flat().length > 0;
  if (nearest === undefined) {
    const words = 'no line names the columns: one for the date (Fecha, Date) and one for the amount (Importe, Amount)';
    throw badStatement(
      'missing_header',
      `${words}${named ? '' : '; send columns with their titles'}`,
      rows[0]?.line ?? 1,
    );
  }
  const [title = ''] = nearest.missing;
  const words = 'is named in columns, now or for an earlier file of the account, but the header does not have it';
  throw badStatement('missing_column', words, nearest.line, title);
}

function buildHeader({ line, cells }: TableRow, mapping: ColumnMapping): Header {
  const titles = cells.map((cell) => (typeof cell === 'string' ? cell.trim() : ''));
  const columns = new Map<ColumnName, number[]>();
  const chosen = new Set<number>();
  const missing: string[] = [];
  for (const name of COLUMN_NAMES) {
    for (const wanted of mapping[name] ?? []) {
      const [at] = findPositions(titles, wanted);
      if (at === undefined) missing.push(wanted.slice(0, 60));
      else {
        chosen.add(at);
        columns.set(name, [...(columns.get(name) ?? []), at]);
      }
    }
  }
  for (const ignored of mapping.ignore ?? []) for (const at of findPositions(titles, ignored)) chosen.add(at);
  const unread: { at: number; title: string; meaning: ColumnName | undefined }[] = [];
  let repeated: string | undefined;
  for (const [at, whole] of titles.entries()) {
    if (whole === '' || chosen.has(at)) continue;
    const [title, meaning] = [whole.slice(0, 60), columnMeaning(whole)];
    if (meaning !== undefined && !columns.has(meaning)) columns.set(meaning, [at]);
    else {
      unread.push({ at, title, meaning });
      // Two text columns do not conflict (the first is used), nor do columns that the caller has mapped.
      if (meaning !== undefined && meaning !== 'text' && mapping[meaning] === undefined) repeated ??= title;
    }
  }
  return { line, titles, columns, chosen, unread, repeated, missing };
}

/**
 * Finds the columns with a title; exact matches take precedence over those that differ in accents, case or punctuation.
 */
function findPositions(titles: readonly string[], wanted: string): number[] {
  const all = [...titles.keys()];
  const exact = all.filter((at) => titles[at] === wanted.trim());
  const normal = normalTitle(wanted);
  if (exact.length > 0 || normal === '') return exact;
  return all.filter((at) => normalTitle(titles[at] ?? '') === normal);
}
