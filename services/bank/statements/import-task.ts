/** Imports files with too many lines for a request in the background, statement by statement. */
import type { Context } from '../../../db/context.ts';
import type { Database, Db, Reader } from '../../../db/database.ts';
import type { Task } from '../../../db/models/platform/tasks.ts';
import { readTaskFile, removeTaskFiles, storeTaskFile } from '../../platform/files/task-files.ts';
import { jsonResult, type ResultLinks, storeResult } from '../../platform/files/task-results.ts';
import { assertRoom } from '../../platform/storage/budget.ts';
import { assertRunning, endTask, recordPosition } from '../../platform/tasks/report.ts';
import { startTask } from '../../platform/tasks/tasks.ts';
import { buildReport, type Imported, importStatement, lockAccounts } from './import.ts';
import { wouldAcceptMore } from './rules/accept.ts';
import { type ReadStatements, readStatements, type StatementFile } from './statement-file.ts';

/** Maximum lines that a request imports itself, and maximum that rules may accept among them. */
export const MAX_LINES_INLINE = 10_000;
const MAX_ACCEPTED_INLINE = 500;

/** Whether a file must be imported in the background. */
export async function isForBackground(reader: Reader, file: ReadStatements): Promise<boolean> {
  if (file.lines <= MAX_ACCEPTED_INLINE) return false;
  return file.lines > MAX_LINES_INLINE || (await wouldAcceptMore(reader, file, MAX_ACCEPTED_INLINE));
}

/** Progress of a task: statements completed, and their outcome. */
interface Position {
  readonly rows: number;
  readonly statements: readonly Imported[];
}

/** Stores the file and starts a task that imports it. */
export async function startStatementTask(trx: Db, ctx: Context, file: StatementFile): Promise<Task> {
  const { content, name = 'statement', format = null, bankAccountId = null, columns = null } = file;
  const message = 'Waiting to import bank statements';
  const title = 'Import of bank statements';
  const input = { name, format, bankAccountId, columns };
  const task = await startTask(trx, ctx, { kind: 'statements', permission: 'payments:read', input, message, title });
  const contentType = 'application/octet-stream';
  await storeTaskFile(trx, ctx, { taskId: task.id, kind: 'task_input', name, contentType, content });
  return task;
}

/** Reports the lines written so far, and the total. */
export type LinesWritten = (lines: number, total: number) => Promise<void>;

/**
 * Imports the statements of a task's file, each in a transaction that also records the position, from which a retry
 * continues. A statement is imported completely or not at all.
 * @param turnIsOver checked after each statement: if true, the next attempt continues
 * @throws ServiceError as readStatements; TaskGone when the task has ended or was cancelled
 */
export async function importForTask(
  database: Database,
  ctx: Context,
  now: () => Date,
  { task, links }: { readonly task: Task; readonly links: ResultLinks },
  written: LinesWritten,
  turnIsOver: () => boolean,
): Promise<void> {
  const file = await database.readTenant(ctx, (db) => openFile(db, task));
  let position = restorePosition(task);
  let before = file.statements.slice(0, position.rows).reduce((total, { lines }) => total + lines.length, 0);
  for (let index = position.rows; index < file.statements.length; index++) {
    const { bankAccountId, lines } = file.statements[index] as ReadStatements['statements'][number];
    position = await database.withTenant(ctx, async (trx) => {
      await assertRoom(trx, 'budget');
      await lockAccounts(trx, [bankAccountId]);
      const one = await importStatement(trx, ctx, file, index, (done) => written(before + done, file.lines));
      const next: Position = { rows: index + 1, statements: [...position.statements, one] };
      assertRunning(await recordPosition(trx, task.id, next, index));
      return next;
    });
    before += lines.length;
    await written(before, file.lines);
    if (turnIsOver()) return;
  }
  await database.withTenant(ctx, (trx) =>
    finish(trx, { ...ctx, now: now() }, { taskId: task.id, links }, file, position.statements),
  );
}

/** Restores the position that the last attempt recorded. */
function restorePosition({ position }: Task): Position {
  return (position as unknown as Position | null) ?? { rows: 0, statements: [] };
}

async function openFile(db: Db, { id, input }: Task): Promise<ReadStatements> {
  const { content } = await readTaskFile(db, id, 'task_input');
  const given = input as { [member in 'name' | 'format' | 'bankAccountId' | 'columns']?: never };
  const { name, format = null, bankAccountId = null, columns = null } = given;
  const or = <Value>(value: Value | null) => value ?? undefined;
  return readStatements(db, {
    content,
    name,
    format: or(format),
    bankAccountId: or(bankAccountId),
    columns: or(columns),
  });
}

/** Ends the task with the report as its result. @throws TaskGone when it has ended or was deleted */
async function finish(
  trx: Db,
  ctx: Context,
  { taskId, links }: { readonly taskId: string; readonly links: ResultLinks },
  file: ReadStatements,
  statements: readonly Imported[],
): Promise<void> {
  const report = buildReport(file, statements);
  const result = jsonResult(taskId, 'import-bank-statements', JSON.stringify(report));
  const { url: resultUrl } = await storeResult(trx, ctx, links, result);
  await removeTaskFiles(trx, taskId, 'task_input');
  const [added, known] = [report.new_lines, report.duplicates].map((count) => count.toLocaleString('en-US'));
  const message = `${added} lines imported, ${known} already existed`;
  const counts = { new_lines: report.new_lines, duplicates: report.duplicates };
  assertRunning(await endTask(trx, ctx, taskId, { message, counts, resultUrl }));
}
