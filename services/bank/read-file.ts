/** Parses a bank file in chunks, yielding to other work in between. */
import { setImmediate as turn } from 'node:timers/promises';
import { Camt053Reader } from '../../domain/bank/camt053.ts';
import { formatOf, type StatementFormat, textOf } from '../../domain/bank/format.ts';
import { Norma43Reader } from '../../domain/bank/norma43.ts';
import { OfxReader } from '../../domain/bank/ofx.ts';
import { assertLineLimit, BadStatement, badStatement, type ReadFile } from '../../domain/bank/statement.ts';
import { readTable } from '../../domain/bank/table.ts';
import type { ColumnMapping, TableRow } from '../../domain/bank/table-header.ts';
import type { TableHints } from '../../domain/bank/table-values.ts';
import { readCsv } from '../imports/csv.ts';
import { readExcel } from '../imports/excel/read.ts';
import { BadTable, type SourceRow, type SourceRows } from '../imports/source.ts';

/** How many characters are parsed at once. */
const PIECE = 1 << 16;
/** The most columns of a table: all of its rows are kept in memory. */
const MAX_COLUMNS = 100;

export interface ReadBankFile extends ReadFile {
  readonly format: StatementFormat;
}

interface ReadOptions {
  /** The format, if the client names it; else it is detected. */
  readonly format?: StatementFormat | undefined;
  /** What the columns of a table mean. */
  readonly columns?: ColumnMapping | undefined;
}

/** @throws BadStatement when the file is invalid, with what is wrong and where */
export async function readBankFile(
  content: Uint8Array,
  hints: TableHints,
  { format = formatOf(content), columns }: ReadOptions = {},
): Promise<ReadBankFile> {
  if (format === 'excel') return { format, ...(await readWorkbook(content, hints, columns)) };
  const text = textOf(format, content);
  if (format === 'csv') {
    const rows = await rowsOf(readCsv(new TextEncoder().encode(text)));
    return { format, ...(await inTurns(readTable(rows, hints, columns))) };
  }
  const reader = new READERS[format]();
  for (let at = 0; at < text.length; at += PIECE) {
    reader.push(text.slice(at, at + PIECE));
    await turn();
  }
  return { format, ...reader.end() };
}

const READERS = { camt053: Camt053Reader, norma43: Norma43Reader, ofx: OfxReader };

async function readWorkbook(content: Uint8Array, hints: TableHints, columns?: ColumnMapping): Promise<ReadFile> {
  let sheets = 1;
  const opened = (count: number) => {
    sheets = count;
  };
  const rows = await rowsOf(readExcel(content, opened));
  const { statements, warnings } = await inTurns(readTable(rows, hints, columns));
  if (sheets === 1) return { statements, warnings };
  const message = `has ${sheets} sheets, of which only the first was read`;
  return { statements, warnings: [{ line: 1, column: null, code: 'other_sheets', message }, ...warnings] };
}

/** @throws BadStatement too_many_columns, too_many_lines, and for whatever makes the file no table */
async function rowsOf(source: SourceRows): Promise<TableRow[]> {
  const rows: TableRow[] = [];
  try {
    for await (const some of source) {
      for (const row of some) rows.push(narrow(row));
      assertLineLimit(rows.length, some[0]?.line ?? 1);
    }
  } catch (error) {
    throw error instanceof BadTable ? new BadStatement(error.errors) : error;
  }
  return rows;
}

/** A row without the empty cells at its end. */
function narrow({ line, cells }: SourceRow): TableRow {
  const width = cells.findLastIndex((cell) => cell !== null && cell !== '') + 1;
  if (width <= MAX_COLUMNS) return { line, cells: width === cells.length ? cells : cells.slice(0, width) };
  throw badStatement('too_many_columns', `has more than ${MAX_COLUMNS} columns`, line);
}

async function inTurns(steps: Generator<void, ReadFile>): Promise<ReadFile> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await turn();
  }
}
