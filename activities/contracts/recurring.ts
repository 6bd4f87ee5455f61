/** Activities of recurring documents: finding companies in which some are due, and making these. */
import { cancellationSignal, heartbeat } from '@temporalio/activity';
import { percentDone } from '../../domain/platform/tasks.ts';
import { companiesWithDue, makeDueForTask, startRuns } from '../../services/contracts/recurring/due.ts';
import type { DueState } from '../../workflows/contracts/recurring/contract.ts';
import type { TaskInput, TaskPart } from '../../workflows/platform/tasks/contract.ts';
import { asActivityFailure, workflowContext } from '../failures.ts';
import { type ResultDeps, runTask } from '../platform/tasks.ts';

export interface RecurringActivities {
  /** Starts the tasks of the next companies. @returns the progress */
  startDueRecurring(state: DueState): Promise<DueState>;
  /** Makes some of a company's documents. */
  makeRecurring(input: TaskInput): Promise<TaskPart>;
}

export function createRecurringActivities(deps: ResultDeps): RecurringActivities {
  const { database, links, now } = deps;
  return {
    async startDueRecurring(state) {
      const { companies, last } = await companiesWithDue(database, now(), state.after);
      let started = 0;
      for (const tenantId of companies) {
        cancellationSignal().throwIfAborted();
        heartbeat();
        const ctx = workflowContext(tenantId, now());
        if (await database.withTenant(ctx, (trx) => startRuns(trx, ctx))) started++;
      }
      return { after: last, companies: state.companies + started };
    },

    async makeRecurring(input) {
      try {
        const outcome = await runTask(deps, input, async ({ task, ctx, report, turnIsOver, throwIfCancelled }) => {
          throwIfCancelled();
          const progress = (done: number, total: number) =>
            report(percentDone(done, total), `${done} of ${total} recurring documents`);
          await makeDueForTask(database, ctx, now, { task, links }, progress, turnIsOver);
        });
        return outcome === null ? { more: true } : { more: false, outcome };
      } catch (error) {
        throw asActivityFailure(error);
      }
    },
  };
}
