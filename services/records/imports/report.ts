/** The report of an import. */
import type { RowError } from '../../../domain/errors.ts';

/** Maximum faults listed; beyond that, only their number is given. */
export const MAX_ERRORS = 1000;

export interface ImportReport {
  /** Number of rows read, without the header. */
  readonly rows: number;
  readonly created: number;
  /** Number of rows whose record was found and changed. */
  readonly updated: number;
  /** Number of rows whose record already matched the file and was not written. */
  readonly unchanged: number;
  /** The first faults, by line. */
  readonly errors: readonly RowError[];
  /** Number of all faults, if not all are listed. */
  readonly error_count?: number;
}

export const NOTHING: ImportReport = { rows: 0, created: 0, updated: 0, unchanged: 0, errors: [] };

/** Adds two reports. */
export function addReports(one: ImportReport, other: ImportReport): ImportReport {
  const count = errorCount(one) + errorCount(other);
  const errors = [...one.errors, ...other.errors].slice(0, MAX_ERRORS);
  return {
    rows: one.rows + other.rows,
    created: one.created + other.created,
    updated: one.updated + other.updated,
    unchanged: one.unchanged + other.unchanged,
    errors,
    ...(count > errors.length ? { error_count: count } : {}),
  };
}

export function errorCount({ errors, error_count: count }: ImportReport): number {
  return count ?? errors.length;
}

/** The counts, without the faults. */
export function reportCounts(report: ImportReport): Record<string, number> {
  const { errors: _, error_count: __, ...counts } = report;
  return { ...counts, errors: errorCount(report) };
}

/** Summary for tasks. */
export function summarizeReport(report: ImportReport): string {
  const { rows, created, updated, unchanged } = report;
  const counts = [`${number(created)} created`, `${number(updated)} updated`, `${number(unchanged)} unchanged`];
  return [amount(rows, 'row'), ...counts, ...faults(report)].join(', ');
}

/** Summary of an import that was rolled back. */
export function summarizeRefusal(report: ImportReport): string {
  return [amount(report.rows, 'row'), ...faults(report)].join(', ');
}

function faults(report: ImportReport): string[] {
  const count = errorCount(report);
  return count > 0 ? [amount(count, 'error')] : [];
}

function amount(count: number, what: string): string {
  return `${number(count)} ${what}${count === 1 ? '' : 's'}`;
}

function number(count: number): string {
  return count.toLocaleString('en-US');
}
