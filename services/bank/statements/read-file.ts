/** Parses a bank file in chunks, yielding to other work in between. */
import { setImmediate as turn } from 'node:timers/promises';
import { Camt053Reader } from '../../../domain/bank/statements/camt053.ts';
import { decodeText, detectFormat, type StatementFormat } from '../../../domain/bank/statements/format.ts';
import { Norma43Reader } from '../../../domain/bank/statements/norma43.ts';
import { OfxReader } from '../../../domain/bank/statements/ofx.ts';
import {
  assertLineLimit,
  BadStatement,
  badStatement,
  type ReadFile,
} from '../../../domain/bank/statements/statement.ts';
import { readTable } from '../../../domain/bank/statements/table.ts';
import type { ColumnMapping, TableRow } from '../../../domain/bank/statements/table-header.ts';
import type { TableHints } from '../../../domain/bank/statements/table-values.ts';
import { readCsv } from '../../records/imports/csv.ts';
import { readExcel } from '../../records/imports/excel/read.ts';
import { BadTable, type SourceRow, type SourceRows } from '../../records/imports/source.ts';

/** Characters parsed without a pause. */
const CHUNK_SIZE = 1 << 16;
/** Maximum number of columns of a table, whose rows are all kept in memory. */
const MAX_COLUMNS = 100;

export interface ReadBankFile extends ReadFile {
  readonly format: StatementFormat;
}

interface ReadOptions {
  /** The format, if named by the client; otherwise it is detected. */
  readonly format?: StatementFormat | undefined;
  /** Meanings of a table's columns. */
  readonly columns?: ColumnMapping | undefined;
}

/** Parses a file. @throws BadStatement with each fault and its place */
export async function readBankFile(
  content: Uint8Array,
  hints: TableHints,
  { format = detectFormat(content), columns }: ReadOptions = {},
): Promise<ReadBankFile> {
  if (format === 'excel') return { format, ...(await readWorkbook(content, hints, columns)) };
  const text = decodeText(format, content);
  if (format === 'csv') {
    const rows = await readRows(readCsv(new TextEncoder().encode(text)));
    return { format, ...(await runWithPauses(readTable(rows, hints, columns))) };
  }
  const reader = new READERS[format]();
  for (let at = 0; at < text.length; at += CHUNK_SIZE) {
    reader.push(text.slice(at, at + CHUNK_SIZE));
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
  const rows = await readRows(readExcel(content, opened));
  const { statements, warnings } = await runWithPauses(readTable(rows, hints, columns));
  if (sheets === 1) return { statements, warnings };
  const message = `has ${sheets} sheets, of which only the first was read`;
  return { statements, warnings: [{ line: 1, column: null, code: 'other_sheets', message }, ...warnings] };
}

/**
 * Reads the rows of a table.
 * @throws BadStatement too_many_columns, too_many_lines, or another reason why it is not a table
 */
async function readRows(source: SourceRows): Promise<TableRow[]> {
  const rows: TableRow[] = [];
  try {
    for await (const some of source) {
      for (const row of some) rows.push(trimRow(row));
      assertLineLimit(rows.length, some[0]?.line ?? 1);
    }
  } catch (error) {
    throw error instanceof BadTable ? new BadStatement(error.errors) : error;
  }
  return rows;
}

/** Drops empty cells at the end of a row. */
function trimRow({ line, cells }: SourceRow): TableRow {
  const width = cells.findLastIndex((cell) => cell !== null && cell !== '') + 1;
  if (width <= MAX_COLUMNS) return { line, cells: width === cells.length ? cells : cells.slice(0, width) };
  throw badStatement('too_many_columns', `has more than ${MAX_COLUMNS} columns`, line);
}

async function runWithPauses(steps: Generator<void, ReadFile>): Promise<ReadFile> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await turn();
  }
}
