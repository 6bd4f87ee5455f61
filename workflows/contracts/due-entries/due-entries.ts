/** Makes entries on their day: deferrals and depreciation whose month is over, planned reversals, and instalments of loans. */
import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { DueEntryActivities } from '../../../activities/contracts/due-entries.ts';
import { shown } from '../../details.ts';
import type { DueEntriesState } from './contract.ts';

const due = proxyActivities<DueEntryActivities>({
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '1 minute',
  retry: { initialInterval: '10 seconds', backoffCoefficient: 2, maximumInterval: '10 minutes', maximumAttempts: 8 },
});

const TEXTS = {
  what: 'Entries that are due: deferrals and depreciation whose month is over, planned reversals, and instalments of loans',
  begun: 'Nothing to do: it runs every hour',
  done: ({ companies, entered, failed = 0 }: DueEntriesState) =>
    `${entered} entries made in ${companies} companies${failed > 0 ? `; ${failed} companies failed: see the log` : ''}`,
  failed: 'The next run, within an hour, does the rest',
  cancelled: 'The next run, within an hour, does the rest',
  more: ['To run it now, trigger the schedule `maintenance/due-entries`'],
};

export async function dueEntries(begun?: DueEntriesState): Promise<DueEntriesState> {
  let state = begun ?? { after: null, companies: 0, entered: 0, failed: 0 };
  const end = await shown(TEXTS, async () => {
    do {
      state = await due.makeDueEntries.executeWithOptions({ summary: 'Make those of some companies' }, [state]);
    } while (state.after !== null && !workflowInfo().continueAsNewSuggested);
    return state;
  });
  if (end.after !== null) await continueAsNew<typeof dueEntries>(end);
  return end;
}
