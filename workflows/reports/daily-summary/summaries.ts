/** Queues the daily summaries of companies where it is past eight o'clock. Queued summaries are marked, so that no run repeats them. */
import { ApplicationFailure, continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { DailySummaryActivities } from '../../../activities/reports/daily-summary.ts';
import { shown } from '../../details.ts';
import type { SummariesState } from './contract.ts';

const summaries = proxyActivities<DailySummaryActivities>({
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

const TEXTS = {
  what: 'Daily summaries by e-mail, of companies where it is past eight o’clock',
  begun: 'Nothing to do: it runs every 15 minutes',
  done: ({ companies, queued }: SummariesState) => `${queued} mails queued, in ${companies} companies`,
  failed: 'The other companies are done. The next run, within 15 minutes, tries again',
  cancelled: 'The next run, within 15 minutes, does the rest',
  more: ['To run it now, trigger the schedule `maintenance/daily-summaries`'],
};

export async function dailySummaries(begun?: SummariesState): Promise<SummariesState> {
  let state = begun ?? { after: null, companies: 0, queued: 0, failed: 0 };
  const end = await shown(TEXTS, async () => {
    do {
      state = await summaries.queueDailySummaries.executeWithOptions({ summary: 'Queue those of some companies' }, [
        state,
      ]);
    } while (state.after !== null && !workflowInfo().continueAsNewSuggested);
    if (state.after === null && state.failed > 0) {
      throw ApplicationFailure.create({
        message: `The summaries of ${state.failed} companies could not be made; the worker's log says why`,
        type: 'summaries_failed',
      });
    }
    return state;
  });
  if (end.after !== null) await continueAsNew<typeof dailySummaries>(end);
  return end;
}
