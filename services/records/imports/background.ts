/** Imports large files: in one transaction, or in parts that each record their position. */
import type { Context } from '../../../db/context.ts';
import type { Database, Db } from '../../../db/database.ts';
import type { Task } from '../../../db/models/platform/tasks.ts';
import { readTaskFile, removeTaskFiles } from '../../platform/files/task-files.ts';
import { jsonResult, type ResultLinks, storeResult } from '../../platform/files/task-results.ts';
import { assertRoom, recordRecent } from '../../platform/storage/budget.ts';
import { assertRunning, endTask, recordPosition } from '../../platform/tasks/report.ts';
import { takeLongWorkSlot } from '../../platform/tasks/share.ts';
import { withDefinitions } from '../custom-fields/definitions.ts';
import type { ResourceDeclaration } from '../resources/declaration.ts';
import type { ImportMode } from './columns.ts';
import {
  type ImportOptions,
  importable,
  importTable,
  mayCommit,
  type Progress,
  Rollback,
  refused,
  startImport,
  unreadableReport,
} from './import.ts';
import { countRows } from './read.ts';
import { addReports, type ImportReport, NOTHING, reportCounts, summarizeRefusal, summarizeReport } from './report.ts';
import { BadTable, MAX_ROWS, type TableFile, type TableType } from './source.ts';

export interface ImportTask {
  readonly ctx: Context;
  readonly now: () => Date;
  readonly taskId: string;
  readonly links: ResultLinks;
  readonly resource: string;
  readonly role: string;
  readonly declaration: ResourceDeclaration;
  readonly options: ImportOptions;
  readonly file: TableFile;
  /** Number of rows in the file. */
  readonly total: number;
  /** Report on the rows that earlier attempts committed. */
  readonly before: ImportReport;
}

/** The input of a task. */
interface Input extends ImportOptions {
  readonly resource: string;
  readonly role: string;
}

/** The position in a file imported in parts, and its number of rows. */
type Position = ImportReport & { readonly total: number };

/** Whether good rows are kept even if others are bad, so that each part can be committed on its own. */
export function isInParts({ input }: Task): boolean {
  const { partial, dryRun } = input as unknown as Input;
  return partial && !dryRun;
}

/** Reads the file and position of an import. @throws ServiceError not_found if the file no longer exists */
export async function openImport(
  database: Database,
  acting: Context,
  now: () => Date,
  { task, links }: { readonly task: Task; readonly links: ResultLinks },
): Promise<ImportTask> {
  const { resource, role, ...options } = task.input as unknown as Input;
  const { ctx, stored } = await database.readTenant(acting, async (db) => ({
    ctx: await withDefinitions(db, acting),
    stored: await readTaskFile(db, task.id, 'task_input'),
  }));
  const file = { type: stored.contentType as TableType, content: stored.content };
  const { total, ...before } = (task.position as Position | null) ?? { total: undefined };
  return {
    ctx,
    now,
    taskId: task.id,
    links,
    resource,
    role,
    declaration: importable(resource),
    options,
    file,
    total: total ?? (await countFileRows(database, ctx, importable(resource), file, options.mode)),
    before: { ...NOTHING, ...before },
  };
}

/** Counts the rows of a file. Returns 0 for an unreadable one: the import itself then reports why. */
async function countFileRows(
  database: Database,
  ctx: Context,
  declaration: ResourceDeclaration,
  file: TableFile,
  mode: ImportMode,
): Promise<number> {
  try {
    await database.readTenant(ctx, (db) => startImport(db, ctx, declaration, file, mode));
    return await countRows(file, MAX_ROWS);
  } catch (error) {
    if (error instanceof BadTable) return 0;
    throw error;
  }
}

/**
 * Imports all rows and ends the task in one transaction. A crash leaves nothing, and the next attempt starts over.
 * @param shared whether it needs the company's slot for long work
 * @returns false if that slot is taken and nothing was done
 */
export async function importWhole(
  database: Database,
  work: ImportTask,
  progress: Progress,
  shared: boolean,
): Promise<boolean> {
  const { ctx, declaration, file, options, role } = work;
  try {
    return await database.withTenant(ctx, async (trx) => {
      await assertRoom(trx, 'budget');
      if (shared && !(await takeLongWorkSlot(trx, ctx.tenantId))) return false;
      const report = await importTable({ trx, ctx, role }, declaration, file, options.mode, progress);
      if (!mayCommit(report, options)) throw new Rollback(report);
      await finish(trx, work, report);
      return true;
    });
  } catch (error) {
    const report =
      error instanceof Rollback ? error.report : error instanceof BadTable ? unreadableReport(error) : undefined;
    if (report === undefined) throw error;
    await database.withTenant(ctx, (trx) => finish(trx, work, report));
    return true;
  }
}

/**
 * Imports the good rows, a few hundred per transaction, each of which also records the position. A retry continues from there; of two
 * concurrent attempts, only one can commit a part.
 * @param turnIsOver called after each part; if true, the rest is left to the next attempt
 */
export async function importInParts(
  database: Database,
  work: ImportTask,
  progress: Progress,
  turnIsOver: () => boolean,
): Promise<void> {
  const { ctx, declaration, file, options, role, taskId, total } = work;
  // Nothing to import, or unreadable.
  if (total === 0) {
    await importWhole(database, work, progress, false);
    return;
  }
  const { importer, batches } = await database.readTenant(ctx, (db) =>
    startImport(db, ctx, declaration, file, options.mode),
  );
  let report = work.before;
  let passed = 0;
  for await (const rows of batches) {
    if (passed < work.before.rows) {
      passed += rows.length;
      importer.skip(rows);
      continue;
    }
    const before = report;
    report = await database.withTenant(ctx, async (trx) => {
      await assertRoom(trx, 'budget');
      const next = addReports(before, await importer.run({ trx, ctx, role }, rows));
      const position: Position = { ...next, total };
      assertRunning(await recordPosition(trx, taskId, position, before.rows));
      return next;
    });
    await progress(report);
    if (turnIsOver()) return;
  }
  await database.withTenant(ctx, (trx) => finish(trx, work, report));
}

/** Ends the task with the report as its result. @throws TaskGone if it has already ended or was deleted */
async function finish(trx: Db, work: ImportTask, report: ImportReport): Promise<void> {
  const { taskId, resource, options, links } = work;
  const ctx: Context = { ...work.ctx, now: work.now() };
  const unreadable = report.rows === 0 && report.errors.length > 0;
  const failed = !options.dryRun && (unreadable || !mayCommit(report, options));
  // Good rows were rolled back with the others, so they must not be counted.
  const result: ImportReport = failed ? { ...report, created: 0, updated: 0, unchanged: 0 } : report;
  const stored = jsonResult(taskId, `import-${resource}`, JSON.stringify(result));
  const { url: resultUrl } = await storeResult(trx, ctx, links, stored);
  await removeTaskFiles(trx, taskId, 'task_input');
  // The rows take the room that the file had.
  if (!options.dryRun && !failed) await recordRecent(trx, ctx, work.file.content.length);
  assertRunning(
    await endTask(trx, ctx, taskId, {
      message: `${options.dryRun ? 'Trial: ' : ''}${failed ? summarizeRefusal(report) : summarizeReport(report)}`,
      resultUrl,
      error: failed ? refused(report).message : undefined,
      counts: reportCounts(result),
    }),
  );
}
