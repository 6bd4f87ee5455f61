/** The content of a report's files, read once for every format. */
import type { Writable } from 'node:stream';
import { Type } from 'typebox';
import type { Reader } from '../../../db/database.ts';
import { formatsFor } from '../../../domain/locale/formats.ts';
import type { Chart } from '../../../domain/reports/engine/charts.ts';
import { text } from '../../platform/validation/schemas.ts';
import { writeCsv } from '../../records/exports/csv.ts';
import { writeExcel } from '../../records/exports/excel.ts';
import type { Picture } from '../../records/exports/excel-pictures.ts';
import type { Table } from '../../records/exports/table.ts';
import type { Report, ReportFile, ReportRequest, ReportView, ReportWarning, Values } from './declaration.ts';
import { resultDates } from './read.ts';
import { type ReportOrder, reportRequest } from './request.ts';
import { buildFile, type FileTable, fileTables, ready } from './tables.ts';

/** A report read for a file. */
export interface ReportContent {
  readonly report: Report;
  readonly view: ReportView<Values, Values, Values>;
  readonly dates: { readonly from: string | null; readonly to: string | null };
  readonly warnings: readonly ReportWarning[];
  /** Its structure in files. */
  readonly file: ReportFile;
  readonly charts: readonly Chart[];
  /** The charts as pictures, if they were drawn. */
  readonly pictures?: readonly Picture[];
  /** All its tables, including forms. */
  readonly tables: readonly ContentTable[];
}

export interface ContentTable extends Omit<FileTable, 'rows'> {
  readonly rows: AsyncIterable<readonly object[]>;
}

/**
 * Reads a report for a file. Rows of a paged report are read while the file is written, but the first ones immediately, so that a refusal
 * comes before the file.
 * @param reader a snapshot, if the report streams its rows or must be consistent
 * @throws ServiceError as the report does
 */
export async function openReport(reader: Reader, order: ReportOrder): Promise<ReportContent> {
  const { report, names = false } = order;
  const request = await reportRequest(reader, order, true);
  const result = await report.read(request);
  const { addresseeLanguage = null } = result;
  const { language } = formatsFor(request.settings.format, addresseeLanguage);
  const view = { ...request, language, addresseeLanguage, data: result.data, summary: result.summary };
  const file = buildFile(report, view);
  const [first, ...rest] = fileTables(report, file, language).map((table) => (names ? named(table) : table));
  const tables = [...(first === undefined ? [] : [await withRows(report, request, first)]), ...rest.map(atHand)];
  const { warnings = [] } = result;
  return {
    report,
    view,
    warnings,
    dates: resultDates(request, result),
    file,
    charts: nonZeroCharts(report, view),
    tables,
  };
}

/** Lists the charts that have something to show. */
function nonZeroCharts(report: Report, view: ReportContent['view']): readonly Chart[] {
  return (report.charts?.(view) ?? []).filter(({ series }) =>
    series.some(({ values }) => values.some((value) => value !== 0)),
  );
}

/** Whether a report's file must be read from one snapshot. */
export function needsSnapshot({ stream, consistent }: Report): boolean {
  return stream !== undefined || consistent === true;
}

function named(table: FileTable): FileTable {
  return { ...table, columns: table.columns.map(({ words: _, ...column }) => ({ ...column, title: column.name })) };
}

async function withRows(report: Report, request: ReportRequest, table: FileTable): Promise<ContentTable> {
  if (report.stream === undefined) return atHand(table);
  const batches = report.stream(request)[Symbol.asyncIterator]();
  const first = await batches.next();
  return { ...table, rows: resumed(first, batches) };
}

async function* resumed<T>(first: IteratorResult<T>, rest: AsyncIterator<T>): AsyncGenerator<T> {
  for (let next = first; next.done !== true; next = await rest.next()) yield next.value;
}

function atHand(table: FileTable): ContentTable {
  return { ...table, rows: inBatches(table.rows) };
}

async function* inBatches<T>(rows: readonly T[]): AsyncGenerator<readonly T[]> {
  if (rows.length > 0) yield rows;
}

/** Builds the heading: title, company and period. */
export function contentHeading({ report, view, dates: { from, to }, file, tables }: ReportContent) {
  const { day } = formatsFor(view.settings.format, view.addresseeLanguage ?? null);
  const period = [report.ofDay === true ? null : from, to]
    .flatMap((date) => (date === null ? [] : [day(date)]))
    .join(' – ');
  // A table may name its subject (the ledger of 430); a form names it below the heading.
  const only = file.forms === undefined && tables.length === 1 ? tables[0] : undefined;
  const title = only?.title ?? report.title[view.language];
  return { company: view.settings.company.name, title, period };
}

/** Writes the first table as CSV, and ends the stream. */
export async function writeReportCsv(content: ReportContent, output: Writable): Promise<void> {
  const [first] = contentTables(content);
  await writeCsv(first, output);
}

const CHARTS = { en: 'Charts', es: 'Gráficos' };
const NOTES = { en: 'Notes', es: 'Notas' };
const NOTE = Type.Object({ message: text({ max: 1000 }) });

/** Writes all tables as a workbook, and ends the stream. */
export async function writeReportExcel(content: ReportContent, output: Writable): Promise<void> {
  const { pictures = [], view } = content;
  await writeExcel(contentTables({ ...content, tables: [...content.tables, ...notes(content)] }), output, {
    pictures: { title: CHARTS[view.language], all: pictures },
  });
}

/** The sheet of what the reader must know. */
function notes({ report, warnings, view: { language } }: ReportContent): ContentTable[] {
  if (warnings.length === 0) return [];
  const table = { title: NOTES, row: NOTE, titles: { message: NOTES }, rows: warnings };
  return [atHand(ready(report, table, language))];
}

function contentTables(content: ReportContent): [Table, ...Table[]] {
  const { view, tables } = content;
  const { company, title, period } = contentHeading(content);
  const [first, ...rest] = tables.map((table) => ({
    ...table,
    format: view.settings.format,
    now: view.ctx.now,
    heading: [
      company,
      table.title === title || tables.length === 1 ? title : `${title}: ${table.title}`,
      period,
    ] as const,
  }));
  if (first === undefined) throw new Error(`the file of the report ${content.report.name} has no table`);
  return [first, ...rest];
}
