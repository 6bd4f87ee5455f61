/** Activities of the task that accrues the VAT of the cash basis at the end of a year. */
import { percentDone } from '../../domain/platform/tasks.ts';
import { accrueForTask } from '../../services/ledger/tax-returns/accruals.ts';
import type { TaskInput, TaskPart } from '../../workflows/platform/tasks/contract.ts';
import { asActivityFailure } from '../failures.ts';
import { type ResultDeps, runTask } from '../platform/tasks.ts';

export interface AccrualActivities {
  /** Accrues some invoices, recording progress in each transaction. */
  accrueTaxes(input: TaskInput): Promise<TaskPart>;
}

export function createAccrualActivities(deps: ResultDeps): AccrualActivities {
  const { database, links } = deps;
  return {
    async accrueTaxes(input) {
      try {
        const outcome = await runTask(deps, input, async ({ task, ctx, now, report, turnIsOver, throwIfCancelled }) => {
          throwIfCancelled();
          const progress = (done: number, total: number) =>
            report(percentDone(done, total), `${done} of ${total} invoices`);
          await accrueForTask(database, ctx, now, { task, links }, progress, turnIsOver);
        });
        return outcome === null ? { more: true } : { more: false, outcome };
      } catch (error) {
        throw asActivityFailure(error);
      }
    },
  };
}
