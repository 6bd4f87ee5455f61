/** Exports a list as a file, streamed from the database to the client. */
import { Readable, type Writable } from 'node:stream';
import type { Context } from '../../db/context.ts';
import type { Database, Reader } from '../../db/database.ts';
import type { ListDefinition, ListQuery } from '../../db/queries/list.ts';
import { firstRows, type ListSource, streamList } from '../../db/queries/run-list.ts';
import { formatsFor, type Language } from '../../domain/locale/formats.ts';
import { wallTime } from '../../domain/records/tables/times.ts';
import type { FormatSettings } from '../../services/platform/settings/definitions.ts';
import { loadSettings } from '../../services/platform/settings/settings.ts';
import type { Column } from '../../services/records/exports/columns.ts';
import { writeCsv } from '../../services/records/exports/csv.ts';
import { writeExcel } from '../../services/records/exports/excel.ts';
import { Lookup, type Reference } from '../../services/records/exports/references.ts';
import type { Table } from '../../services/records/exports/table.ts';
import { type OpenFile, streamedFile, writtenFile } from '../file-stream.ts';
import type { RouteResponse } from '../route.ts';

const FORMATS = {
  csv: { type: 'text/csv', extension: 'csv', write: writeCsv },
  excel: {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extension: 'xlsx',
    write: writeExcel,
  },
} satisfies Record<string, { type: string; extension: string; write(table: Table, output: Writable): Promise<void> }>;

export type ExportFormat = keyof typeof FORMATS;

/** Media types by value of `format`. */
export const EXPORT_TYPES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(FORMATS).map(([format, { type }]) => [format, type]),
);

export function isExportFormat(format: string): format is ExportFormat {
  return Object.hasOwn(FORMATS, format);
}

export interface ExportSource<Row> extends ListSource {
  readonly definition: ListDefinition;
  readonly query: ListQuery;
  /** Columns of the file, with titles; `columns` of the source are those of its SQL. */
  fileColumns(language: Language): readonly Column[];
  /** References to show with code and name. */
  readonly references: readonly Reference[];
  toJson(row: Row): unknown;
}

interface Export<Row> {
  readonly format: ExportFormat;
  /** Plural name of the rows, e.g. partner groups. */
  readonly words: string;
  open(reader: Reader): Promise<ExportSource<Row>>;
}

/**
 * Page size of short exports, like a page of the list: they hold no connection while they are written, and take no slot
 * from long ones.
 */
const ONE_PAGE = 500;

/** Responds with the file. A refusal before its first rows is answered as a problem. */
export async function exportList<Row>(database: Database, ctx: Context, list: Export<Row>): Promise<RouteResponse> {
  const short = await shortTable(database.reader(ctx), ctx, list);
  if (short !== undefined) return writtenFile(exportFile(list, ctx, short));
  return streamedFile(database, ctx, async (db) => {
    const source = await list.open(db);
    const format = await loadSettings(db, 'format');
    const batches = streamList<Row>(db, source.definition, source.query, source);
    const first = await batches.next();
    const rows = presented(first, batches, source.toJson, new Lookup(db, source.references));
    return exportFile(list, ctx, exportTable(list, source, format, rows, ctx.now));
  });
}

/** Reads the whole table if it has few rows. */
async function shortTable<Row>(reader: Reader, ctx: Context, list: Export<Row>): Promise<Table | undefined> {
  const source = await list.open(reader);
  const rows = await firstRows<Row>(reader, source.definition, source.query, source, ONE_PAGE + 1);
  if (rows.length > ONE_PAGE) return undefined;
  const shown = await new Lookup(reader, source.references).complete(rows.map(source.toJson));
  return exportTable(list, source, await loadSettings(reader, 'format'), Readable.from([shown]), ctx.now);
}

function exportTable<Row>(
  { words }: Export<Row>,
  source: ExportSource<Row>,
  format: FormatSettings,
  rows: Table['rows'],
  now: Date,
): Table {
  const title = `${words[0]?.toUpperCase()}${words.slice(1)}`;
  return { title, columns: source.fileColumns(formatsFor(format, null).language), rows, format, now };
}

async function* presented<Row>(
  first: IteratorResult<Row[]>,
  rest: AsyncGenerator<Row[]>,
  toJson: (row: Row) => unknown,
  lookup: Lookup,
): AsyncGenerator<unknown[]> {
  if (first.done) return;
  yield await lookup.complete(first.value.map(toJson));
  for await (const batch of rest) yield await lookup.complete(batch.map(toJson));
}

/** The file name contains the company's date. */
function exportFile<Row>({ format, words }: Export<Row>, ctx: Context, table: Table): OpenFile {
  const { type, extension, write } = FORMATS[format];
  const now = wallTime(ctx.now.toISOString(), table.format.timezone);
  const name = `${words.replaceAll(' ', '-')}-${new Date(now).toISOString().slice(0, 10)}.${extension}`;
  return { name, type, write: (output) => write(table, output) };
}
