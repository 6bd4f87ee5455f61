/** Activities of fixed assets: entering the depreciation that is due. */
import { runForTask } from '../../services/ledger/assets/runs/task.ts';
import type { TaskInput, TaskPart } from '../../workflows/platform/tasks/contract.ts';
import { asActivityFailure } from '../failures.ts';
import { type ResultDeps, runTask } from '../platform/tasks.ts';

export interface AssetActivities {
  /** Enters what is due, in one transaction. */
  enterDepreciation(input: TaskInput): Promise<TaskPart>;
}

export function createAssetActivities(deps: ResultDeps): AssetActivities {
  const { database, links } = deps;
  return {
    async enterDepreciation(input) {
      try {
        const outcome = await runTask(deps, input, async ({ task, ctx, throwIfCancelled }) => {
          throwIfCancelled();
          await runForTask(database, ctx, { task, links });
        });
        return outcome === null ? { more: true } : { more: false, outcome };
      } catch (error) {
        throw asActivityFailure(error);
      }
    },
  };
}
