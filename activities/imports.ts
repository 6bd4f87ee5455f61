/** Imports of large files, as the work of a task. */
import { percentDone } from '../domain/tasks.ts';
import { type ImportTask, importInParts, importWhole, openImport } from '../services/imports/background.ts';
import type { TaskInput } from '../workflows/tasks/contract.ts';
import { asActivityFailure } from './failures.ts';
import { runTask, type TaskDeps } from './tasks.ts';

export interface ImportActivities {
  importRows(input: TaskInput): Promise<void>;
}

export function createImportActivities(deps: TaskDeps): ImportActivities {
  return {
    async importRows(input) {
      try {
        await runTask(deps, input, async ({ task, ctx, report, goOn }) => {
          goOn();
          const work: ImportTask = await openImport(deps.database, ctx, task);
          const run = work.options.partial && !work.options.dryRun ? importInParts : importWhole;
          await run(deps.database, work, async ({ rows }) => {
            const words = [rows, work.total].map((count) => count.toLocaleString('en-US'));
            await report(percentDone(rows, work.total), `${words[0]} of ${words[1]} rows`);
          });
        });
      } catch (error) {
        throw asActivityFailure(error);
      }
    },
  };
}
