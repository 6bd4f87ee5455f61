/** Activities of entries that are made on their day. A company that fails does not delay the others. */
import { cancellationSignal, heartbeat, log } from '@temporalio/activity';
import type { Context } from '../../db/context.ts';
import type { Database } from '../../db/database.ts';
import { isUnavailable } from '../../db/errors.ts';
import {
  BEGINNING,
  companiesWithDueEntries,
  type DueWatch,
  enterDue,
} from '../../services/contracts/due-entries/due.ts';
import type { DueEntriesState } from '../../workflows/contracts/due-entries/contract.ts';
import { loggedReason, workflowContext } from '../failures.ts';

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
      let { entered, failed = 0, more = false } = state;
      const { again = false } = state;
      for (const tenantId of companies) {
        cancellationSignal().throwIfAborted();
        try {
          const ctx: Context = { ...workflowContext(tenantId, now()), quiet: true };
          const turn = await enterDue(database, ctx, watch(tenantId));
          entered += turn.entered;
          more ||= turn.more;
        } catch (error) {
          // An outage affects all companies: the activity is retried. So is what was cancelled.
          if (isUnavailable(error) || cancellationSignal().aborted) throw error;
          failed++;
          const reason = loggedReason(error);
          log.error('Entries that are due could not be made', { tenantId, error: reason });
        }
      }
      const counts = { companies: state.companies + (again ? 0 : companies.length), entered, failed };
      if (last !== null) return { ...counts, after: last, more, again };
      return more ? { ...counts, after: BEGINNING, again: true } : { ...counts, after: null };
    },
  };
}

function watch(tenantId: string): DueWatch {
  return {
    progress() {
      cancellationSignal().throwIfAborted();
      heartbeat();
    },
    refused: (kind, reason) => log.warn('Entries that are due were refused', { tenantId, kind, reason }),
  };
}
