/** Imports a file in one transaction: all rows, only the good ones, or none in a dry run. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { notFound, type RowError, ServiceError } from '../../../domain/errors.ts';
import { tableConventions } from '../../../domain/records/tables/conventions.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { recordRecent } from '../../platform/storage/budget.ts';
import { loadActiveFields } from '../custom-fields/definitions.ts';
import { RESOURCES } from '../master-data/index.ts';
import type { HookScope, ResourceDeclaration } from '../resources/declaration.ts';
import { type Columns, type ImportMode, readHeader } from './columns.ts';
import { Importer } from './importer.ts';
import { countRows, openTable } from './read.ts';
import { addReports, errorCount, type ImportReport, NOTHING, summarizeRefusal } from './report.ts';
import { BadTable, CSV, type SourceRow, type TableFile } from './source.ts';

export interface ImportOptions {
  readonly mode: ImportMode;
  /** Whether to keep nothing and report what would happen. */
  readonly dryRun: boolean;
  /** Whether to keep good rows even if others are bad. */
  readonly partial: boolean;
}

/** Number of rows written at once. */
const BATCH = 500;
/** Maximum number of rows imported within a request; larger files become a task. */
export const MAX_ROWS_INLINE = 500;

/** Finds the declared resource whose path ends in the name. @throws ServiceError not_found */
export function importable(name: string): ResourceDeclaration {
  const found = RESOURCES.find(({ path, parent }) => parent === undefined && path.split('/').at(-1) === name);
  if (found === undefined) throw notFound(`An import of ${name}`);
  return found;
}

/**
 * Inspects a file before it is imported.
 * @returns its number of rows, exact up to `MAX_ROWS_INLINE`
 * @throws ServiceError validation_failed if the file is unreadable, or its columns are not those of the resource
 */
export async function inspectTable(
  db: Db,
  ctx: Context,
  declaration: ResourceDeclaration,
  file: TableFile,
  mode: ImportMode,
): Promise<number> {
  try {
    await columnsIn(db, ctx, declaration, (await openTable(file, 1)).header, mode);
    return await countRows(file, MAX_ROWS_INLINE);
  } catch (error) {
    throw error instanceof BadTable ? refused(unreadableReport(error)) : error;
  }
}

/** Called after each batch with the report so far. */
export type Progress = (report: ImportReport) => Promise<void>;

/**
 * Imports the rows of a file.
 * @returns the report; if rows are bad and `partial` is not set, the caller must not commit
 * @throws BadTable if the file is unreadable
 */
export async function importTable(
  scope: HookScope,
  declaration: ResourceDeclaration,
  file: TableFile,
  mode: ImportMode,
  progress: Progress = async () => undefined,
): Promise<ImportReport> {
  const { importer, batches } = await startImport(scope.trx, scope.ctx, declaration, file, mode);
  let report = NOTHING;
  for await (const rows of batches) {
    report = addReports(report, await importer.run(scope, rows));
    await progress(report);
  }
  return report;
}

/** Reads the header and the settings. @throws BadTable */
export async function startImport(
  db: Db,
  ctx: Context,
  declaration: ResourceDeclaration,
  file: TableFile,
  mode: ImportMode,
) {
  const { header, batches } = await openTable(file, BATCH);
  const columns = await columnsIn(db, ctx, declaration, header, mode);
  const conventions = tableConventions(await loadSettings(db, 'format'));
  const importer = new Importer({ declaration, mode, columns, conventions, ragged: file.type !== CSV });
  return { importer, batches };
}

async function columnsIn(
  db: Db,
  ctx: Context,
  declaration: ResourceDeclaration,
  header: SourceRow,
  mode: ImportMode,
): Promise<Columns> {
  const { customFields } = declaration;
  const fields = customFields === undefined ? [] : await loadActiveFields(db, ctx, customFields);
  return readHeader(declaration, fields, header, mode);
}

/** Whether the written rows may be committed. */
export function mayCommit(report: ImportReport, { dryRun, partial }: ImportOptions): boolean {
  return !dryRun && (partial || errorCount(report) === 0);
}

/** Converts an error to the report of a dry run, which is never refused. @throws errors that are not about the file */
export function dryRunReport(error: unknown): ImportReport {
  if (!(error instanceof ServiceError) || error.rowErrors.length === 0) throw error;
  return { ...NOTHING, errors: error.rowErrors };
}

/**
 * Imports a file within a request's transaction. Nothing is kept of a dry run, or if the file is refused.
 * @throws ServiceError validation_failed with the faults of the rows; a dry run reports them instead
 */
export async function importNow(
  scope: HookScope,
  declaration: ResourceDeclaration,
  file: TableFile,
  options: ImportOptions,
): Promise<ImportReport> {
  const report = await attempt(scope, declaration, file, options);
  if (!options.dryRun && mayCommit(report, options)) await recordRecent(scope.trx, scope.ctx, file.content.length);
  if (options.dryRun || mayCommit(report, options)) return report;
  throw refused(report);
}

/** Thrown to roll back an import that must not be kept. */
export class Rollback extends Error {
  readonly report: ImportReport;

  constructor(report: ImportReport) {
    super('not kept');
    this.report = report;
  }
}

async function attempt(
  scope: HookScope,
  declaration: ResourceDeclaration,
  file: TableFile,
  options: ImportOptions,
): Promise<ImportReport> {
  try {
    return await scope.trx.transaction(async (trx) => {
      const report = await importTable({ ...scope, trx }, declaration, file, options.mode);
      if (!mayCommit(report, options)) throw new Rollback(report);
      return report;
    });
  } catch (error) {
    if (error instanceof Rollback) return error.report;
    if (error instanceof BadTable) return unreadableReport(error);
    throw error;
  }
}

/** Report on an unreadable file. */
export function unreadableReport({ errors }: BadTable): ImportReport {
  return addReports(NOTHING, { ...NOTHING, errors });
}

/** Error for a file with bad rows. */
export function refused(report: ImportReport): ServiceError {
  return new ServiceError(
    'validation_failed',
    `${faultLocation(report.errors[0])}; nothing was imported (${summarizeRefusal(report)})`,
    {
      rowErrors: report.errors,
    },
  );
}

function faultLocation(fault: RowError | undefined): string {
  if (fault === undefined) return 'The file cannot be imported';
  const column = fault.column === null ? '' : `, ${fault.column}`;
  return `Line ${fault.line}${column}: ${fault.message}`;
}
