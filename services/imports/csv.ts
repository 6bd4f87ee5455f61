/** CSV files: UTF-8, fields separated by what the header uses, quoted where they hold separators or line breaks. */
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import {
  assertColumn,
  type BadTable,
  badTable,
  MAX_ROWS,
  type SourceCell,
  type SourceRow,
  type SourceRows,
} from './source.ts';

const SEPARATORS = [';', ',', '\t'] as const;
/** Characters in which the separator is looked for. */
const HEADER = 1 << 16;
/** Characters that are parsed without a pause. */
const PIECE = 1 << 13;
/** Bytes of a record, the most that a body in JSON may have too. */
const MAX_RECORD = 1 << 20;
/** Spreadsheets leave lines without values below the rows; so many of both are read. */
const MAX_LINES = 2 * MAX_ROWS;
const LINE_FEED = 10;

/** What csv-parse gives with `info`. */
interface Parsed {
  readonly record: SourceCell[];
  readonly info: { readonly lines: number; readonly records: number };
}

/**
 * The rows of a CSV file.
 * @throws BadTable invalid_encoding, invalid_csv, too_many_columns
 */
export async function* readCsv(content: Uint8Array): SourceRows {
  const text = decode(content);
  const parser = Readable.from(pieces(text)).pipe(
    parse({
      delimiter: separatorOf(text),
      relax_column_count: true,
      skip_empty_lines: true,
      info: true,
      max_record_size: MAX_RECORD,
      // An empty text is one in quotes; nothing between separators is nothing.
      cast: (value, { quoting, index, lines }) => {
        assertColumn(index, lines);
        return value === '' && !quoting ? null : value;
      },
    }),
  );
  let rows: SourceRow[] = [];
  // In quotes, the parser counts a carriage return and its line feed as two.
  let excess = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      const line = info.lines - excess - count(record, /[\r\n]/g);
      excess += count(record, /\r\n/g);
      if (info.records > MAX_LINES) throw tooManyLines(line);
      if (record.every((cell) => cell === null || cell === '')) continue;
      rows.push({ line, cells: record });
      if (rows.length < 100) continue;
      yield rows;
      rows = [];
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw badTable('invalid_csv', `cannot be read as CSV: ${reasonOf(error)}`, lineOf(error, text));
  }
  if (rows.length > 0) yield rows;
}

/** At least as many as there are rows with the header; quick. */
export function countCsvLines(content: Uint8Array): number {
  let lines = 1;
  for (let at = content.indexOf(LINE_FEED); at >= 0; at = content.indexOf(LINE_FEED, at + 1)) lines++;
  for (let at = content.indexOf(13); at >= 0; at = content.indexOf(13, at + 1)) {
    if (content[at + 1] !== LINE_FEED) lines++;
  }
  return lines;
}

function decode(content: Uint8Array): string {
  const [first, second] = content;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw badTable('invalid_encoding', 'is UTF-16; save the file as CSV in UTF-8');
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(content);
    if (!text.slice(0, HEADER).includes('\u0000')) return text;
  } catch {
    throw badTable('invalid_encoding', 'is not UTF-8; save the file as CSV in UTF-8', brokenLine(content));
  }
  throw badTable('invalid_encoding', 'holds zero bytes: it is no text in UTF-8; save the file as CSV in UTF-8');
}

/** The first line that is no UTF-8: a line break never is a part of another character. */
function brokenLine(content: Uint8Array): number {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  for (let from = 0; from < content.length; line++) {
    const end = content.indexOf(LINE_FEED, from);
    const to = end < 0 ? content.length : end + 1;
    try {
      decoder.decode(content.subarray(from, to));
    } catch {
      return line;
    }
    from = to;
  }
  return line;
}

/** What stands most often between the fields of the header. */
function separatorOf(text: string): string {
  const counts = new Map<string, number>(SEPARATORS.map((separator) => [separator, 0]));
  let quoted = false;
  for (const sign of text.trimStart().slice(0, HEADER)) {
    if (sign === '"') quoted = !quoted;
    else if (!quoted && (sign === '\n' || sign === '\r')) break;
    else if (!quoted && counts.has(sign)) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  }
  return SEPARATORS.reduce((best, other) => ((counts.get(other) ?? 0) > (counts.get(best) ?? 0) ? other : best));
}

/** With pauses in which the process serves others: the parser makes none itself, however long the text. */
async function* pieces(text: string): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += PIECE) {
    yield text.slice(from, from + PIECE);
    await turn();
  }
}

function tooManyLines(line: number): BadTable {
  const words = MAX_LINES.toLocaleString('en-US');
  return badTable('too_many_rows', `has more than ${words} lines, many of them without values; delete those`, line);
}

function count(record: readonly SourceCell[], form: RegExp): number {
  let found = 0;
  for (const cell of record) if (typeof cell === 'string') found += cell.match(form)?.length ?? 0;
  return found;
}

/** The parser tells in its words where the trouble is; of a mark that is never closed, only where the file ends. */
function lineOf({ code, message }: CsvError, text: string): number {
  if (code !== 'CSV_QUOTE_NOT_CLOSED') return Number(/ at line (\d+)/.exec(message)?.[1] ?? 1);
  let line = 1;
  let opened = 1;
  let quoted = false;
  for (const [sign] of text.matchAll(/["\n]/g)) {
    if (sign === '\n') line++;
    else {
      quoted = !quoted;
      if (quoted) opened = line;
    }
  }
  return opened;
}

function reasonOf({ code }: CsvError): string {
  switch (code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'a quotation mark is never closed';
    case 'CSV_MAX_RECORD_SIZE':
      return `a line has more than ${MAX_RECORD.toLocaleString('en-US')} bytes; perhaps a quotation mark is missing`;
    case 'INVALID_OPENING_QUOTE':
    case 'CSV_INVALID_CLOSING_QUOTE':
      return 'a quotation mark stands inside of a field; put the field in quotation marks and double those in it';
    default:
      return 'its lines and fields cannot be told apart';
  }
}
