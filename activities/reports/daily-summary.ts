/** Queues daily summaries, a few companies at a time. A company that fails does not delay the others. */
import { cancellationSignal, heartbeat, log } from '@temporalio/activity';
import type { Database } from '../../db/database.ts';
import { isUnavailable } from '../../db/errors.ts';
import type { MailLimits } from '../../services/messages/mail/queue.ts';
import { companiesDue, queueSummaries } from '../../services/reports/daily-summary/queue.ts';
import type { SummariesState } from '../../workflows/reports/daily-summary/contract.ts';
import { loggedReason, workflowContext } from '../failures.ts';

export interface DailySummaryActivities {
  /** Queues the summaries of the next companies. @returns the progress */
  queueDailySummaries(state: SummariesState): Promise<SummariesState>;
}

export interface DailySummaryDeps {
  readonly database: Database;
  readonly limits: MailLimits;
  readonly now: () => Date;
}

export function createDailySummaryActivities({ database, limits, now }: DailySummaryDeps): DailySummaryActivities {
  return {
    async queueDailySummaries(state) {
      const { companies, last } = await companiesDue(database, now(), state.after);
      let [queued, failed] = [state.queued, state.failed];
      for (const tenantId of companies) {
        cancellationSignal().throwIfAborted();
        try {
          queued += await queueSummaries(database, workflowContext(tenantId, now()), { limits, alive: heartbeat });
        } catch (error) {
          // An outage affects all companies: the activity is retried.
          if (isUnavailable(error)) throw error;
          failed++;
          const reason = loggedReason(error);
          log.error('Daily summaries could not be queued', { tenantId, error: reason });
        }
      }
      return { after: last, companies: state.companies + companies.length, queued, failed };
    },
  };
}
