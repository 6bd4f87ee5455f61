/** Runs a rule for one cause: performs its actions in order, each by an idempotent activity. The last one ends the run. */
import { CancellationScope, isCancellation, proxyActivities } from '@temporalio/workflow';
import type { AutomationActivities } from '../../../activities/integrations/automations.ts';
import { shown } from '../../details.ts';
import { WEBHOOKS_QUEUE } from '../webhooks/contract.ts';
import type { ActionOutcome, AutomationRunInput } from './contract.ts';

/** Actions that wait for other servers. */
const CALLS: ReadonlySet<string> = new Set(['webhook.call', 'http.request', 'plugin.execute']);

/** The activity counts the tries of an action; these retries are for outages of the service itself. */
const retry = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' } as const;
const { performAction, endRun } = proxyActivities<AutomationActivities>({ startToCloseTimeout: '1 minute', retry });
const { callAction } = proxyActivities<AutomationActivities>({
  taskQueue: WEBHOOKS_QUEUE,
  startToCloseTimeout: '25 seconds',
  retry,
});

export type RunEnd = 'done' | 'failed' | 'ended';

export async function automationRun(input: AutomationRunInput): Promise<RunEnd> {
  return await shown(runTexts(input), () => runActions(input));
}

/** Performs the actions of a run. @returns `failed` if an action failed, `ended` if the run was cancelled in the meantime */
export async function runActions(input: AutomationRunInput): Promise<RunEnd> {
  const { actions, stopOnError, from, ...run } = input;
  let end: RunEnd = 'done';
  try {
    for (let index = from; index < actions.length; index++) {
      const type = actions[index] ?? '';
      const outcome: ActionOutcome = await (CALLS.has(type) ? callAction : performAction).executeWithOptions(
        { summary: type },
        [{ ...run, index }],
      );
      if (outcome === 'ended') return 'ended';
      if (outcome === 'failed') end = 'failed';
      if (outcome === 'failed' && stopOnError) break;
    }
    return end;
  } catch (error) {
    if (isCancellation(error)) {
      await CancellationScope.nonCancellable(() =>
        endRun.executeWithOptions({ summary: 'Log that it was cancelled' }, [run]),
      );
    }
    throw error;
  }
}

function runTexts({ automationId }: AutomationRunInput) {
  return {
    what: 'Run of an automation',
    begun: 'Nothing to do: failed actions are tried five times',
    done: (end: RunEnd) => ENDS[end],
    failed: 'The log shows what was done: see below',
    cancelled: 'Its remaining actions are skipped',
    more: [
      `The log: \`GET /api/automations/${automationId}/logs\`; \`POST …/logs/<entry>/rerun\` repeats it from the action that failed`,
      '“Request Cancellation” skips the remaining actions',
    ],
  };
}

const ENDS: Readonly<Record<RunEnd, string>> = {
  done: 'All actions are done',
  failed: 'An action failed: see the log',
  ended: 'The automation was paused, changed hands or was deleted: what was left is not done',
};
