/**
 * The file of a company: lines of text, compressed. The first is its header, `= table` begins the rows of a table, each of which is a line
 * of JSON as PostgreSQL writes it, and the last line `. n` has the number of rows. Rows are never parsed: numbers keep all their digits.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';

export interface Header {
  readonly format: 1;
  readonly service: string;
  /** Names of the applied migrations: a file fits a database with the same ones. */
  readonly migrations: readonly string[];
  readonly company: { readonly id: string; readonly name: string };
  /** Time whose state it has, ISO 8601. */
  readonly asOf: string;
}

export type Line =
  | { readonly header: Header }
  | { readonly table: string }
  | { readonly row: string }
  | { readonly rows: number };

/** Reads a file line by line. @throws Error if it is no file of a company */
export async function* readLines(path: string): AsyncGenerator<Line> {
  const unpacked = createReadStream(path).pipe(createGunzip());
  let isFirst = true;
  for await (const text of createInterface({ input: unpacked, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (isFirst) yield { header: readHeader(text) };
    else if (text.startsWith('= ')) yield { table: text.slice(2) };
    else if (text.startsWith('. ')) yield { rows: Number(text.slice(2)) };
    else yield { row: text };
    isFirst = false;
  }
}

function readHeader(text: string): Header {
  const header = JSON.parse(text) as Header;
  if (header.format !== 1) throw new Error('The file was made by a newer release: use that release');
  return header;
}
