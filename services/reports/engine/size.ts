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
 * Checks whether the file can be made, without reading the report, and whether it needs a worker: all PDFs do, and workbooks with charts.
 * @throws ServiceError invalid_parameter, and what the report's `check` and `size` throw
 */
export async function isForWorker(reader: Reader, order: ReportOrder): Promise<boolean> {
  const { report, format } = order;
  const request = await reportRequest(reader, order, false);
  const size = (await report.size?.(request, Math.max(MAX_PDF_ROWS, MAX_EXCEL_ROWS))) ?? 0;
  if (format === 'excel' && report.charts !== undefined) return true;
  if (format !== 'pdf') return isWorkbook(report, format) && size > MAX_EXCEL_ROWS;
  if (size > MAX_PDF_ROWS) {
    assertPrintable(report.paged === true ? size : countRows((await report.read(request)).data));
  }
  return true;
}

/** Whether a format of a report is a workbook. */
export function isWorkbook({ formats = {} }: Report, format = 'json'): boolean {
  return format === 'excel' || formats[format]?.workbook === true;
}

/** @throws ServiceError invalid_parameter if a PDF cannot have so many rows */
export function assertPrintable(rows: number): void {
  if (rows <= MAX_PDF_ROWS) return;
  const instead = 'choose a shorter period, csv or excel';
  throw refusedParameter('format', `cannot be pdf because there are more than ${MAX_PDF_ROWS} rows; ${instead}`);
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
