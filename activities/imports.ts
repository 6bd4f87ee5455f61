/** Imports of large files, as the work of a task: rows of a resource, or statements of a bank. */
import type { Database } from '../db/database.ts';
import { percentDone } from '../domain/tasks.ts';
import { importForTask } from '../services/bank/import-task.ts';
import { type ImportTask, importInParts, importWhole, openImport } from '../services/imports/background.ts';
import type { TaskInput, TaskOutcome } from '../workflows/tasks/contract.ts';
import { asActivityFailure } from './failures.ts';
import { runTask, type TaskDeps, type TaskRun } from './tasks.ts';

export interface ImportActivities {
  importRows(input: TaskInput): Promise<TaskOutcome | null>;
}

export function createImportActivities(deps: TaskDeps): ImportActivities {
  return {
    async importRows(input) {
      try {
        return await runTask(deps, input, async (run) => {
          run.goOn();
          await (run.task.kind === 'statements' ? statements(deps.database, run) : rows(deps.database, run));
        });
      } catch (error) {
        throw asActivityFailure(error);
      }
    },
  };
}

async function rows(database: Database, { task, ctx, now, report }: TaskRun): Promise<void> {
  const work: ImportTask = await openImport(database, ctx, now, task);
  const run = work.options.partial && !work.options.dryRun ? importInParts : importWhole;
  await run(database, work, async ({ rows: done }) => {
    await report(percentDone(done, work.total), `${listed(done, work.total)} rows`);
  });
}

async function statements(database: Database, { task, ctx, now, report }: TaskRun): Promise<void> {
  await importForTask(database, ctx, now, task, async (done, total) => {
    await report(percentDone(done, total), `${listed(done, total)} lines`);
  });
}

function listed(done: number, total: number): string {
  return [done, total].map((count) => count.toLocaleString('en-US')).join(' of ');
}
