/** Shared by the workflows of all background tasks: a workflow ends like its task, with the task's message. */
import { ApplicationFailure, isCancellation, proxyActivities, sleep, workflowInfo } from '@temporalio/workflow';
import type { TaskActivities } from '../../activities/tasks.ts';
import { shown } from '../details.ts';
import type { TaskInput, TaskOutcome, TaskPart } from './contract.ts';

const tasks = proxyActivities<TaskActivities>({
  startToCloseTimeout: '30 seconds',
  // Without a limit, in case the database is down: a task that has failed must say so.
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * Runs the work of a task. The work also ends the task; a cancelled task no longer exists, so there is nothing to end.
 * @param what name of the work, for operators
 * @param work returns the outcome; null when another run of the workflow continues, undefined from an earlier release
 * @throws ApplicationFailure with the task's message when the task has failed
 */
export async function asTask(
  input: TaskInput,
  what: string,
  work: () => Promise<TaskOutcome | null | undefined>,
): Promise<TaskOutcome | null> {
  const texts = {
    what,
    begun: 'Request Cancellation stops it; completed work is kept',
    done: (outcome: TaskOutcome | null) => outcome?.message ?? 'It continues in a new run',
    failed: "See the task's result for details",
    cancelled: 'Completed work is kept',
    more: [`Progress and result: \`GET /api/tasks/${input.taskId}\``],
  };
  return shown(texts, async () => {
    const outcome = await ended(input, work);
    if (outcome?.status === 'gone') await sleepUntilCancelled();
    if (outcome?.status === 'failed') throw failed(outcome.message);
    return outcome ?? null;
  });
}

/** The workflow continues in a new run after this many parts. */
const LONG_RUN = 50;

/**
 * Runs the work of a task in parts, so that companies take turns on the queue. It waits between parts here, where waiting occupies no slot.
 * @param again continues in a new run of the workflow
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
      if (waitMs !== undefined) await sleep(waitMs, { summary: 'Wait without occupying a slot' });
    }
    return null;
  });
  if (left) await again();
  return outcome;
}

/** Does the work; a permanent failure is stored in the task. */
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
    await tasks.failTask.executeWithOptions({ summary: 'Mark the task as failed' }, [{ ...input, reason }]);
    throw failed(reason, error as Error);
  }
}

/** Deleting a task also cancels its workflow, but the work may notice the missing task a moment earlier. */
async function sleepUntilCancelled(): Promise<void> {
  await sleep('1 minute', { summary: 'The task was deleted: wait for the cancellation' });
}

/** A failure without a stack, which would not help operators. */
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

/** The message of a refusal; for unexpected errors a general one that reveals no internals. */
function reasonOf(error: unknown): string {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ApplicationFailure && cause.nonRetryable) return cause.message;
  }
  return 'Something went wrong on our side; try again, and report the id of the task if it fails once more';
}
