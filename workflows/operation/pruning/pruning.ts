/** Deletes data past its retention: handed-over events, attempts of webhooks, ended tasks and sessions, read notifications … */
import { ApplicationFailure, continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { PruningActivities } from '../../../activities/operation/pruning.ts';
import { shown } from '../../details.ts';
import type { PruningResult, PruningState } from '../contract.ts';

const pruning = proxyActivities<PruningActivities>({
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

const TEXTS = {
  what: 'Deletion of data past its retention',
  begun: 'Nothing to do: it runs every hour',
  done: (result: PruningResult | null) => (result === null ? 'Continues in a new run' : inWords(result)),
  failed: 'All other kinds are done. The next run, within the hour, tries again',
  cancelled: 'The next run, within the hour, deletes the rest',
  more: [
    'To run it now, trigger the schedule `maintenance/pruning`',
    'The variables `KEEP_…` set the retention; `maintenance_deleted_total` in `/metrics` counts the deleted rows',
  ],
};

export async function maintenance(begun?: PruningState): Promise<PruningResult> {
  let state = begun ?? null;
  const result = await shown(TEXTS, async () => {
    do {
      state = await pruning.prune.executeWithOptions({ summary: 'Delete some batches of each kind' }, [state]);
    } while (hasMore(state) && !workflowInfo().continueAsNewSuggested);
    if (hasMore(state)) return null;
    const failed = state.kinds.filter(({ error }) => error !== null);
    if (failed.length > 0) {
      const reasons = failed.map(({ kind, error }) => `${kind}: ${error}`).join('; ');
      throw ApplicationFailure.create({
        message: `Not everything could be deleted: ${reasons}`,
        type: 'pruning_failed',
      });
    }
    return Object.fromEntries(state.kinds.map(({ kind, deleted }) => [kind, deleted]));
  });
  if (result === null) return continueAsNew<typeof maintenance>(state as unknown as PruningState);
  return result;
}

function hasMore({ kinds }: PruningState): boolean {
  return kinds.some(({ over }) => !over);
}

function inWords(result: PruningResult): string {
  const some = Object.entries(result).filter(([, deleted]) => deleted > 0);
  if (some.length === 0) return 'Nothing was old enough';
  return some.map(([kind, deleted]) => `${deleted} ${kind.replaceAll('_', ' ')}`).join(', ');
}
