/**
 * Restarts missing lifecycles of open documents, which somebody cancelled or terminated, or Temporal lost. Other missing work is only
 * counted.
 */
import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { LifecycleActivities } from '../../../activities/operation/missing-work.ts';
import { shown } from '../../details.ts';
import type { ComparisonResult, ComparisonState } from '../contract.ts';

const lifecycles = proxyActivities<LifecycleActivities>({
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

const TEXTS = {
  what: 'Comparison of the database with running workflows',
  begun: 'Nothing to do: it runs every hour',
  done: ({ open, started, missing }: ComparisonResult) =>
    `${open} open documents, ${started} lifecycles restarted${inWords(missing)}`,
  failed: 'The next run, within the hour, tries again',
  cancelled: 'The next run begins within the hour',
  more: ['To run it now, trigger the schedule `maintenance/lifecycles`'],
};

export async function lifecycleComparison(begun?: ComparisonState): Promise<ComparisonResult> {
  let state = begun ?? { after: null, open: 0, started: 0 };
  const { open, started, missing } = await shown(TEXTS, async () => {
    do {
      state = await lifecycles.compareLifecycles.executeWithOptions({ summary: 'Compare some pages' }, [state]);
    } while (state.after !== null && !workflowInfo().continueAsNewSuggested);
    return state;
  });
  if (state.after !== null) await continueAsNew<typeof lifecycleComparison>(state);
  return { open, started, ...(missing === undefined ? {} : { missing }) };
}

function inWords(missing: ComparisonResult['missing']): string {
  const some = Object.entries(missing ?? {}).filter(([, count]) => count > 0);
  if (some.length === 0) return '';
  return `. Missing: ${some.map(([kind, count]) => `${count} ${kind}`).join(', ')}; \`npm run reconcile\` restarts them`;
}
