/** What the workflows of all background tasks have in common: they end as the task ends, and say why in its words. */
import { ApplicationFailure, isCancellation, proxyActivities, sleep, workflowInfo } from '@temporalio/workflow';
import type { TaskActivities } from '../../activities/tasks.ts';
import { shown } from '../details.ts';
import type { TaskInput, TaskOutcome, TaskPart } from './contract.ts';

const tasks = proxyActivities<TaskActivities>({
  startToCloseTimeout: '30 seconds',
  // For as long as the database is away: a task that is over should say so.
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * Runs the work of a task, which ends the task itself. A cancelled one is gone already and is told nothing.
 * @param what the work is called, for operators
 * @param work gives what came of the task; null when something is left for another run of the workflow, nothing from an earlier release
 * @throws what the task says that it failed with
 */
export async function asTask(
  input: TaskInput,
  what: string,
  work: () => Promise<TaskOutcome | null | undefined>,
): Promise<TaskOutcome | null> {
  const texts = {
    what,
    begun: 'Request Cancellation stops it; what is done stays done',
    done: (outcome: TaskOutcome | null) => outcome?.message ?? 'It goes on in a new run',
    failed: 'Its result tells more',
    cancelled: 'What was done before stays done',
    more: [`Progress and result: \`GET /api/tasks/${input.taskId}\``],
  };
  return shown(texts, async () => {
    const outcome = await ended(input, work);
    if (outcome?.status === 'gone') await sleepUntilCancelled();
    if (outcome?.status === 'failed') throw failed(outcome.message);
    return outcome ?? null;
  });
}

/** Parts after which a new run begins. */
const LONG_RUN = 50;

/**
 * Runs the work of a task part by part, so that its place on the queue goes round among the companies; what there is to wait for is
 * waited for here, where it takes up no place.
 * @param again goes on in a new run of the workflow
 */
export async function asTaskInParts(
  input: TaskInput,
  what: string,
  part: () => Promise<TaskPart>,
  again: () => Promise<unknown>,
): Promise<TaskOutcome | null> {
  let left = true;
  const outcome = await asTask(input, what, async () => {
    for (let done = 0; done < LONG_RUN && !workflowInfo().continueAsNewSuggested; done++) {
      const { more, waitMs, outcome } = await part();
      left = more;
      if (!more) return outcome;
      if (waitMs !== undefined) await sleep(waitMs, { summary: 'Leave its place to others meanwhile' });
    }
    return null;
  });
  if (left) await again();
  return outcome;
}

/** Whatever goes wrong for good is told by the task. */
async function ended(
  input: TaskInput,
  work: () => Promise<TaskOutcome | null | undefined>,
): Promise<TaskOutcome | null | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isCancellation(error)) {
      await sleepUntilCancelled();
      throw error;
    }
    const reason = reasonOf(error);
    await tasks.failTask.executeWithOptions({ summary: 'Tell the failure' }, [{ ...input, reason }]);
    throw failed(reason, error as Error);
  }
}

/** A task is gone because somebody has deleted it, and that cancels the workflow too: work may learn of it a moment earlier. */
async function sleepUntilCancelled(): Promise<void> {
  await sleep('1 minute', { summary: 'Its task was deleted: wait to be cancelled' });
}

/** Without a stack: where in our code it was thrown tells an operator nothing. */
function failed(message: string, cause?: Error): ApplicationFailure {
  const failure = ApplicationFailure.create({
    message,
    type: 'task_failed',
    nonRetryable: true,
    ...(cause === undefined ? {} : { cause }),
  });
  failure.stack = '';
  return failure;
}

/** What the service refuses is told in its own words; what nobody foresaw, without its insides. */
function reasonOf(error: unknown): string {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ApplicationFailure && cause.nonRetryable) return cause.message;
  }
  return 'Something went wrong on our side; try again, and report the id of the task if it fails once more';
}
