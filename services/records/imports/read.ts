/** Reads table files of all formats. */
import { countCsvLines, readCsv } from './csv.ts';
import { countExcelRows, readExcel } from './excel/read.ts';
import { badTable, CSV, MAX_ROWS, type SourceRow, type SourceRows, type TableFile } from './source.ts';

export interface OpenTable {
  readonly header: SourceRow;
  /** The rows below the header, up to `size` at a time. */
  readonly batches: AsyncIterable<readonly SourceRow[]>;
}

/**
 * Reads the header, and the rows on demand.
 * @throws BadTable, also later while rows are read: too_many_rows, invalid_csv, …
 */
export async function openTable({ type, content }: TableFile, size: number): Promise<OpenTable> {
  const rows = singly(type === CSV ? readCsv(content) : readExcel(content));
  const first = await rows.next();
  if (first.done) throw badTable('missing_header', 'is empty; the first line must name the columns');
  return { header: first.value, batches: inBatches(rows, size) };
}

/**
 * Counts the rows below the header, as far as needed.
 * @returns exact up to `exactTo`; beyond it, any greater number
 * @throws BadTable too_many_rows, or if the file is unreadable
 */
export async function countRows(file: TableFile, exactTo: number): Promise<number> {
  const atMost = (file.type === CSV ? countCsvLines(file.content) : await countExcelRows(file.content)) - 1;
  if (atMost > exactTo && atMost <= MAX_ROWS) {
    let found = 0;
    for await (const batch of (await openTable(file, exactTo + 1)).batches) {
      found += batch.length;
      if (found > exactTo) break;
    }
    return found;
  }
  let rows = 0;
  for await (const batch of (await openTable(file, 1000)).batches) rows += batch.length;
  return rows;
}

async function* singly(source: SourceRows): AsyncGenerator<SourceRow, void> {
  for await (const rows of source) yield* rows;
}

async function* inBatches(rows: AsyncGenerator<SourceRow, void>, size: number): AsyncGenerator<SourceRow[]> {
  let batch: SourceRow[] = [];
  let count = 0;
  for await (const row of rows) {
    if (++count > MAX_ROWS) {
      const words = MAX_ROWS.toLocaleString('en-US');
      throw badTable('too_many_rows', `has more than ${words} rows; send it in several files`, row.line);
    }
    batch.push(row);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
