/** Shared by the workflows of all background tasks: a workflow ends like its task, with the task's message. */
import {
  ApplicationFailure,
  continueAsNew,
  isCancellation,
  proxyActivities,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { TaskActivities } from '../../../activities/platform/tasks.ts';
import { shown } from '../../details.ts';
import type { TaskInput, TaskOutcome, TaskPart } from './contract.ts';

const tasks = proxyActivities<TaskActivities>({
  startToCloseTimeout: '30 seconds',
  // Without a limit, since the failure must be recorded even if the database is down for long.
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * Runs the work of a task. The work also ends the task; a cancelled task no longer exists, so there is nothing to end.
 * @param what name of the work, for operators
 * @param work returns the outcome; null when another run of the workflow continues
 * @throws ApplicationFailure with the task's message when the task has failed
 */
export async function asTask(
  input: TaskInput,
  what: string,
  work: () => Promise<TaskOutcome | null>,
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
const PARTS_PER_RUN = 50;

interface TaskTexts {
  /** The task, for operators. */
  readonly what: string;
  /** One part of it. */
  readonly part: string;
}

/** An activity that does one part of a task and records its progress. */
export interface PartActivity {
  executeWithOptions(options: { readonly summary: string }, args: [TaskInput]): Promise<TaskPart>;
}

/**
 * Declares the workflow of a task that is done in parts, so that companies take turns on the queue. It waits between parts in the workflow,
 * where waiting occupies no slot. A worker that dies leaves the rest to another: each part is committed with its progress.
 */
export function taskInParts(
  { what, part }: TaskTexts,
  activity: PartActivity,
): (input: TaskInput) => Promise<TaskOutcome | null> {
  return async (input) => {
    let isDone = false;
    const outcome = await asTask(input, what, async () => {
      for (let parts = 0; parts < PARTS_PER_RUN && !workflowInfo().continueAsNewSuggested; parts++) {
        const { more, waitMs, outcome } = await activity.executeWithOptions({ summary: part }, [input]);
        isDone = !more;
        if (isDone) return outcome ?? null;
        if (waitMs !== undefined) await sleep(waitMs, { summary: 'Wait without occupying a slot' });
      }
      return null;
    });
    if (!isDone) await continueAsNew<(input: TaskInput) => Promise<TaskOutcome | null>>(input);
    return outcome;
  };
}

/** Does the work; a permanent failure is stored in the task. */
async function ended(input: TaskInput, work: () => Promise<TaskOutcome | null>): Promise<TaskOutcome | null> {
  try {
    return await work();
  } catch (error) {
    if (isCancellation(error)) {
      await sleepUntilCancelled();
      throw error;
    }
    const reason = failureReason(error);
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
function failureReason(error: unknown): string {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ApplicationFailure && cause.nonRetryable) return cause.message;
  }
  return 'Something went wrong on our side; try again, and report the id of the task if it fails once more';
}
