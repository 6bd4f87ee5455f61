/** Deletes data past its retention: events handed over, logs of deliveries, ended tasks and sessions, read notifications … */
import { ApplicationFailure, continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { PruningActivities } from '../../activities/pruning.ts';
import { shown } from '../details.ts';
import type { PruningResult, PruningState } from './contract.ts';

const pruning = proxyActivities<PruningActivities>({
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

const TEXTS = {
  what: 'Deletion of what is not kept any longer',
  begun: 'Nothing to do: it runs every hour',
  done: (result: PruningResult | null) => (result === null ? 'A further run goes on' : inWords(result)),
  failed: 'The other kinds are done. The next run within the hour tries again',
  cancelled: 'What is deleted stays deleted. The next run begins within the hour',
  more: [
    'Trigger the schedule `maintenance/pruning` to have it done now',
    'The variables `KEEP_…` say for how long things are kept; `maintenance_deleted_total` in `/metrics` counts what is deleted',
  ],
};

export async function maintenance(begun?: PruningState): Promise<PruningResult> {
  let state = begun ?? null;
  const result = await shown(TEXTS, async () => {
    do {
      state = await pruning.prune.executeWithOptions({ summary: 'Delete some batches of each kind' }, [state]);
    } while (isGoingOn(state) && !workflowInfo().continueAsNewSuggested);
    if (isGoingOn(state)) return null;
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

function isGoingOn({ kinds }: PruningState): boolean {
  return kinds.some(({ over }) => !over);
}

function inWords(result: PruningResult): string {
  const some = Object.entries(result).filter(([, deleted]) => deleted > 0);
  if (some.length === 0) return 'Nothing was old enough';
  return some.map(([kind, deleted]) => `${deleted} ${kind.replaceAll('_', ' ')}`).join(', ');
}
