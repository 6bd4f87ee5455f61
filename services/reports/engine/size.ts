/**
 * Limits reports by size: one that is too large is refused before it begins, and one that takes long is left to a worker (decision 0182).
 */
import type { Reader } from '../../../db/database.ts';
import { type Bindings, query } from '../../../db/sql.ts';
import { refusedParameter } from '../../../domain/errors.ts';
import type { Report, ReportRequest, Values } from './declaration.ts';
import { type ReportOrder, reportRequest } from './request.ts';

/** Maximum rows in a PDF: about 100 pages, which a browser lays out in seconds, within two gigabytes (decision 0194). */
export const MAX_PDF_ROWS = 5_000;
/** Maximum rows of a workbook that an API process writes itself, so that it stays responsive. */
const MAX_EXCEL_ROWS = 10_000;

/**
 * Checks whether the file can be made, without reading the report, and whether it needs a worker: all PDFs and file sets do, and
 * workbooks with charts.
 * @throws ServiceError invalid_parameter, and what the report's `check` and `size` throw
 */
export async function isForWorker(reader: Reader, order: ReportOrder): Promise<boolean> {
  const { report, format } = order;
  const request = await reportRequest(reader, order, false);
  const size = (await report.size?.(request, Math.max(MAX_PDF_ROWS, MAX_EXCEL_ROWS))) ?? 0;
  if (format === 'zip' || (format === 'excel' && report.charts !== undefined)) return true;
  if (format !== 'pdf') return isWorkbook(report, format) && size > MAX_EXCEL_ROWS;
  if (size > MAX_PDF_ROWS) {
    assertPrintable(report, report.paged === true ? size : countRows((await report.read(request)).data));
  }
  return true;
}

/** Whether a worker may have to make files in a format; the others are written by the API however long they are. */
export function mayNeedWorker(report: Report, format: string): boolean {
  return format === 'pdf' || format === 'zip' || isWorkbook(report, format);
}

/** Whether a format of a report is a workbook. */
function isWorkbook({ formats = {} }: Report, format = 'json'): boolean {
  return format === 'excel' || formats[format]?.workbook === true;
}

/** @throws ServiceError invalid_parameter if a PDF cannot have so many rows */
export function assertPrintable(report: Report, rows: number): void {
  if (rows <= MAX_PDF_ROWS) return;
  const instead = insteadOfPaper(report);
  throw refusedParameter('format', `cannot be pdf because there are more than ${MAX_PDF_ROWS} rows; ${instead}`);
}

/** Advice for those who cannot have a PDF. */
function insteadOfPaper(report: Report): string {
  if (report.inParts !== undefined) {
    return hasPeriod(report)
      ? `choose a shorter period, csv, excel or the zip of ${report.inParts}, which has it in parts`
      : `choose excel or the zip of ${report.inParts}, which has it in parts`;
  }
  return hasPeriod(report) ? 'choose a shorter period, csv or excel' : 'choose csv or excel';
}

/** Whether a report can be asked for a shorter period. */
export function hasPeriod({ parameters, ofDay }: Pick<Report, 'parameters' | 'ofDay'>): boolean {
  return Object.hasOwn(parameters, 'from') && ofDay !== true;
}

/** Counts the rows of the longest list. */
function countRows(data: Values): number {
  return Math.max(0, ...Object.values(data).map((member) => (Array.isArray(member) ? member.length : 0)));
}

/** Counts the rows of a statement, stopping just above `most`. */
export async function countUpTo(reader: Reader, most: number, sql: string, bindings: Bindings = {}): Promise<number> {
  const counted = `select count(*)::integer as rows from (${sql} limit :most::bigint + 1) counted`;
  const [found] = await query<{ rows: number }>(reader, counted, { ...bindings, most });
  return found?.rows ?? 0;
}

/** A table with at most one row of a report for each of its own. */
export type Listed =
  | 'assets'
  | 'categories'
  | 'cost_centers'
  | 'items'
  | 'loans'
  | 'partner_groups'
  | 'partners'
  | 'projects'
  | 'salespeople'
  | 'stock_levels';

/** Estimates the size of a report with at most one row for each record of a table, and one for rows without a record. */
export const estimateOneRow =
  (table: Listed) =>
  async ({ reader }: Pick<ReportRequest, 'reader'>, most: number): Promise<number> =>
    1 + (await countUpTo(reader, most, `select from ${table}`));
