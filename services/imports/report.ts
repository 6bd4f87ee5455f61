/** What came of an import. */
import type { RowError } from '../../domain/errors.ts';

/** Faults that are listed; of more, only the number is told. */
export const MAX_ERRORS = 1000;

export interface ImportReport {
  /** Rows read, the header aside. */
  readonly rows: number;
  readonly created: number;
  /** Rows that were found and are now as the file says. */
  readonly updated: number;
  /** Rows that were as the file says already: they were not written. */
  readonly unchanged: number;
  /** The first faults, in the order of lines. */
  readonly errors: readonly RowError[];
  /** Number of all faults, where not all are listed. */
  readonly error_count?: number;
}

export const NOTHING: ImportReport = { rows: 0, created: 0, updated: 0, unchanged: 0, errors: [] };

/** Both together. */
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

/** How many of what, without the faults themselves. */
export function countsOf(report: ImportReport): Record<string, number> {
  const { errors: _, error_count: __, ...counts } = report;
  return { ...counts, errors: errorCount(report) };
}

/** In words, for tasks. */
export function inWords(report: ImportReport): string {
  const { rows, created, updated, unchanged } = report;
  const counts = [`${number(created)} created`, `${number(updated)} updated`, `${number(unchanged)} unchanged`];
  return [amount(rows, 'row'), ...counts, ...faults(report)].join(', ');
}

/** The same of an import of which nothing was kept. */
export function inWordsOfRefused(report: ImportReport): string {
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
