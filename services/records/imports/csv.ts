/** Reads CSV files in UTF-8. The header determines the separator; fields with separators or line breaks are quoted. */
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
/** Number of characters searched for the separator. */
const HEADER = 1 << 16;
/** Number of characters parsed without a pause. */
const PIECE = 1 << 13;
/** Maximum size of a record in bytes, as for a JSON body. */
const MAX_RECORD = 1 << 20;
/** Maximum number of lines read; spreadsheets leave empty ones below the rows. */
const MAX_LINES = 2 * MAX_ROWS;
const LINE_FEED = 10;

/** Record as returned by csv-parse with the option `info`. */
interface Parsed {
  readonly record: SourceCell[];
  readonly info: { readonly lines: number; readonly records: number };
}

/**
 * Reads the rows of a CSV file.
 * @throws BadTable invalid_encoding, invalid_csv, too_many_columns
 */
export async function* readCsv(content: Uint8Array): SourceRows {
  const text = decode(content);
  const parser = Readable.from(chunks(text)).pipe(
    parse({
      delimiter: detectSeparator(text),
      relax_column_count: true,
      skip_empty_lines: true,
      info: true,
      max_record_size: MAX_RECORD,
      // A quoted empty field is an empty text, an unquoted one is null.
      cast: (value, { quoting, index, lines }) => {
        assertColumn(index, lines);
        return value === '' && !quoting ? null : value;
      },
    }),
  );
  let rows: SourceRow[] = [];
  // Inside quotes, the parser counts a carriage return and its line feed as two.
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
    throw badTable('invalid_csv', `cannot be read as CSV: ${errorReason(error)}`, errorLine(error, text));
  }
  if (rows.length > 0) yield rows;
}

/** Quickly computes an upper bound of the number of rows, including the header. */
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
    throw badTable('invalid_encoding', 'is not UTF-8; save the file as CSV in UTF-8', firstInvalidLine(content));
  }
  throw badTable('invalid_encoding', 'contains zero bytes, so it is not UTF-8 text; save the file as CSV in UTF-8');
}

/** Finds the first line that is not valid UTF-8: a line break is never part of another character. */
function firstInvalidLine(content: Uint8Array): number {
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

/** Finds the most frequent separator in the header. */
function detectSeparator(text: string): string {
  const counts = new Map<string, number>(SEPARATORS.map((separator) => [separator, 0]));
  let quoted = false;
  for (const sign of text.trimStart().slice(0, HEADER)) {
    if (sign === '"') quoted = !quoted;
    else if (!quoted && (sign === '\n' || sign === '\r')) break;
    else if (!quoted && counts.has(sign)) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  }
  return SEPARATORS.reduce((best, other) => ((counts.get(other) ?? 0) > (counts.get(best) ?? 0) ? other : best));
}

/** Pauses between chunks so that the process can serve others, since the parser itself never pauses. */
async function* chunks(text: string): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += PIECE) {
    yield text.slice(from, from + PIECE);
    await turn();
  }
}

function tooManyLines(line: number): BadTable {
  const words = MAX_LINES.toLocaleString('en-US');
  return badTable('too_many_rows', `has more than ${words} lines, many of them empty; delete those`, line);
}

function count(record: readonly SourceCell[], form: RegExp): number {
  let found = 0;
  for (const cell of record) if (typeof cell === 'string') found += cell.match(form)?.length ?? 0;
  return found;
}

/** Extracts the line from the parser's message. For an unclosed quotation mark the parser only knows where the file ends. */
function errorLine({ code, message }: CsvError, text: string): number {
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

function errorReason({ code }: CsvError): string {
  switch (code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'a quotation mark is never closed';
    case 'CSV_MAX_RECORD_SIZE':
      return `a line has more than ${MAX_RECORD.toLocaleString('en-US')} bytes; perhaps a quotation mark is missing`;
    case 'INVALID_OPENING_QUOTE':
    case 'CSV_INVALID_CLOSING_QUOTE':
      return 'a quotation mark occurs inside a field; quote the field and double the quotation marks in it';
    default:
      return 'its lines and fields cannot be parsed';
  }
}
