/** Starts a task for each company in which recurring documents are due. Tasks make what is due, whoever started them. */
import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { RecurringActivities } from '../../../activities/contracts/recurring.ts';
import { shown } from '../../details.ts';
import type { DueState } from './contract.ts';

const recurring = proxyActivities<RecurringActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

const TEXTS = {
  what: 'Recurring documents that are due, of companies where a day has begun',
  begun: 'Nothing to do: it runs every 15 minutes',
  done: ({ companies }: DueState) => `Tasks started in ${companies} companies`,
  failed: 'The next run, within 15 minutes, tries again',
  cancelled: 'The next run, within 15 minutes, does the rest',
  more: ['To run it now, trigger the schedule `maintenance/recurring`'],
};

export async function recurringDue(begun?: DueState): Promise<DueState> {
  let state = begun ?? { after: null, companies: 0 };
  const end = await shown(TEXTS, async () => {
    do {
      state = await recurring.startDueRecurring.executeWithOptions({ summary: 'Start those of some companies' }, [
        state,
      ]);
    } while (state.after !== null && !workflowInfo().continueAsNewSuggested);
    return state;
  });
  if (end.after !== null) await continueAsNew<typeof recurringDue>(end);
  return end;
}
