/**
 * Runs a rule for one cause: performs its actions in order, each by an idempotent activity. The last one ends the run. An approval waits
 * here, for days if need be, until somebody answers or its time is over.
 */
import { CancellationScope, condition, isCancellation, proxyActivities, setHandler } from '@temporalio/workflow';
import type { AutomationActivities } from '../../../activities/integrations/automations.ts';
import { failWork, shown, showOutcome } from '../../details.ts';
import type { Outcome } from '../../platform/search-attributes/contract.ts';
import { WEBHOOKS_QUEUE } from '../webhooks/contract.ts';
import { type ActionInput, type ActionOutcome, ASKING_ACTIONS, type AutomationRunInput, answered } from './contract.ts';

/** Actions that wait for other servers. */
const CALLS: ReadonlySet<string> = new Set(['webhook.call', 'http.request', 'plugin.execute']);

/** The activity counts the tries of an action; these retries are for outages of the service itself. */
const retry = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' } as const;
const { performAction, askPeople, endRun } = proxyActivities<AutomationActivities>({
  startToCloseTimeout: '1 minute',
  retry,
});
const { callAction } = proxyActivities<AutomationActivities>({
  taskQueue: WEBHOOKS_QUEUE,
  startToCloseTimeout: '25 seconds',
  retry,
});

export type RunEnd = 'done' | 'failed' | 'ended' | 'refused';

export async function automationRun(input: AutomationRunInput): Promise<RunEnd> {
  let count = 0;
  setHandler(answered, () => {
    count += 1;
  });
  const answers: Answers = {
    count: () => count,
    async moreThan(seen, ms) {
      await condition(() => count > seen, ms);
    },
  };
  return await shown(runTexts(input), async () => {
    const end = await runActions(input, answers);
    if (end === 'failed') failWork(ENDS.failed);
    return end;
  });
}

/** The answers that a run has heard of. */
interface Answers {
  count(): number;
  /** Waits until there are more, at most so many milliseconds. */
  moreThan(seen: number, ms: number): Promise<void>;
}

/** Runs by the clock that ask people are workflows of their own. */
const NONE: Answers = {
  count: () => 0,
  moreThan: () => Promise.reject(new Error('this workflow does not hear of answers')),
};

/**
 * Performs the actions of a run.
 * @returns `failed` if an action failed, `ended` if the run was cancelled in the meantime, `refused` if an approval was
 */
export async function runActions(input: AutomationRunInput, answers: Answers = NONE): Promise<RunEnd> {
  const { actions, stopOnError, from, ...run } = input;
  let end: RunEnd = 'done';
  try {
    for (let index = from; index < actions.length; index++) {
      const outcome = await runAction(actions[index] ?? '', { ...run, index }, answers);
      if (outcome === 'ended' || outcome === 'refused') return outcome;
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

async function runAction(type: string, action: ActionInput, answers: Answers): Promise<ActionOutcome> {
  const summary = { summary: type };
  if (!ASKING_ACTIONS.has(type))
    return await (CALLS.has(type) ? callAction : performAction).executeWithOptions(summary, [action]);
  let waits = false;
  for (;;) {
    // Somebody may answer while the activity ends.
    const seen = answers.count();
    const outcome = await askPeople.executeWithOptions(summary, [action]);
    if (typeof outcome === 'string') {
      if (waits) showOutcome(null);
      return outcome;
    }
    if (!waits) showOutcome('waiting');
    waits = true;
    await answers.moreThan(seen, outcome.waitMs);
  }
}

function runTexts({ automationId }: AutomationRunInput) {
  return {
    what: 'Run of an automation',
    begun: 'Nothing to do: failed actions are tried five times, and an approval waits for those who are asked',
    done: (end: RunEnd) => ENDS[end],
    outcome: (end: RunEnd) => OUTCOMES[end],
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
  refused: 'Its approval was refused, or nobody answered in time: what was left is not done',
};

const OUTCOMES: Readonly<Record<RunEnd, Outcome | null>> = {
  done: null,
  failed: 'failed',
  ended: 'cancelled',
  refused: 'refused',
};
