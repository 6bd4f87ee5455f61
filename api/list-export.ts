/** A list as a file, streamed from the database to the client. */
import { PassThrough, type Writable } from 'node:stream';
import type { Context } from '../db/context.ts';
import type { Database, Db } from '../db/database.ts';
import type { ListDefinition, ListQuery } from '../db/queries/list.ts';
import { type ListSource, streamList } from '../db/queries/run-list.ts';
import { wallTime } from '../domain/tables/times.ts';
import type { Column } from '../services/exports/columns.ts';
import { writeCsv } from '../services/exports/csv.ts';
import { writeExcel } from '../services/exports/excel.ts';
import type { Table } from '../services/exports/table.ts';
import { loadSettings } from '../services/settings/settings.ts';
import type { RouteResponse } from './route.ts';

const FORMATS = {
  csv: { type: 'text/csv', extension: 'csv', write: writeCsv },
  excel: {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extension: 'xlsx',
    write: writeExcel,
  },
} satisfies Record<string, { type: string; extension: string; write(table: Table, output: Writable): Promise<void> }>;

export type ExportFormat = keyof typeof FORMATS;

/** The media type of each value of `format`. */
export const EXPORT_TYPES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(FORMATS).map(([format, { type }]) => [format, type]),
);

export function isExportFormat(format: string): format is ExportFormat {
  return Object.hasOwn(FORMATS, format);
}

export interface ExportSource<Row> extends ListSource {
  readonly definition: ListDefinition;
  readonly query: ListQuery;
  /** Of the file; `columns` of the source are those of its SQL. */
  readonly fileColumns: readonly Column[];
  present(row: Row): unknown;
}

interface Export<Row> {
  readonly format: ExportFormat;
  /** What the rows are, in words: partner groups. */
  readonly words: string;
  open(db: Db): Promise<ExportSource<Row>>;
}

/**
 * The answer with the file. It comes when the first rows are read, so that whatever refuses them is a problem answer; what
 * goes wrong later breaks the stream off. All rows are of one moment. The connection is free again when the last row is
 * written, or the client has gone.
 */
export function exportList<Row>(database: Database, ctx: Context, list: Export<Row>): Promise<RouteResponse> {
  const output = new PassThrough();
  return new Promise((answer, refuse) => {
    let started = false;
    database
      .snapshot(ctx, async (db) => {
        const source = await list.open(db);
        const format = await loadSettings(db, 'format');
        const batches = streamList<Row>(db, source.definition, source.query, source);
        const first = await batches.next();
        started = true;
        answer(fileAnswer(list, output, wallTime(ctx.now.toISOString(), format.timezone)));
        const rows = presented(first, batches, source.present);
        const title = `${list.words[0]?.toUpperCase()}${list.words.slice(1)}`;
        await FORMATS[list.format].write({ title, columns: source.fileColumns, rows, format, now: ctx.now }, output);
      })
      .catch((error: Error) => {
        if (started) output.destroy(error);
        else refuse(error);
      });
  });
}

async function* presented<Row>(
  first: IteratorResult<Row[]>,
  rest: AsyncGenerator<Row[]>,
  present: (row: Row) => unknown,
): AsyncGenerator<unknown[]> {
  if (first.done) return;
  yield first.value.map(present);
  for await (const batch of rest) yield batch.map(present);
}

/** @param now wall time of the company, whose day the file is named after */
function fileAnswer({ format, words }: Export<unknown>, body: PassThrough, now: number): RouteResponse {
  const { type, extension } = FORMATS[format];
  const name = `${words.replaceAll(' ', '-')}-${new Date(now).toISOString().slice(0, 10)}.${extension}`;
  return {
    status: 200,
    body,
    headers: {
      'Content-Type': type === 'text/csv' ? `${type}; charset=utf-8` : type,
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'no-store',
    },
  };
}
