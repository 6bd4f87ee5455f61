/** Activities of entries that are made on their day. */
import { cancellationSignal, heartbeat } from '@temporalio/activity';
import type { Database } from '../../db/database.ts';
import { companiesWithDueEntries, enterDue } from '../../services/contracts/due-entries/due.ts';
import type { DueEntriesState } from '../../workflows/contracts/due-entries/contract.ts';
import { workflowContext } from '../failures.ts';

export interface DueEntryActivities {
  /** Makes those of the next companies. @returns the progress */
  makeDueEntries(state: DueEntriesState): Promise<DueEntriesState>;
}

export interface DueEntryDeps {
  readonly database: Database;
  readonly now: () => Date;
}

export function createDueEntryActivities({ database, now }: DueEntryDeps): DueEntryActivities {
  return {
    async makeDueEntries(state) {
      const { companies, last } = await companiesWithDueEntries(database, now(), state.after);
      let { entered } = state;
      for (const tenantId of companies) {
        entered += await enterDue(database, { ...workflowContext(tenantId, now()), quiet: true }, () => {
          cancellationSignal().throwIfAborted();
          heartbeat();
        });
      }
      return { after: last, companies: state.companies + companies.length, entered };
    },
  };
}
