/** What the workflows of all background tasks have in common: whatever goes wrong for good is told by the task. */
import { ApplicationFailure, isCancellation, proxyActivities } from '@temporalio/workflow';
import type { TaskActivities } from '../../activities/tasks.ts';
import type { TaskInput } from './contract.ts';

const tasks = proxyActivities<TaskActivities>({
  startToCloseTimeout: '30 seconds',
  // For as long as the database is away: a task that is over should say so.
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * Runs the work of a task, which ends the task itself when it succeeds. A cancelled one is gone already and is told nothing.
 * @throws what the work failed with, after the task says so
 */
export async function asTask(input: TaskInput, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isCancellation(error)) throw error;
    const reason = reasonOf(error);
    await tasks.failTask.executeWithOptions({ summary: 'Tell the failure' }, [{ ...input, reason }]);
    throw ApplicationFailure.create({
      message: reason,
      type: 'task_failed',
      nonRetryable: true,
      cause: error as Error,
    });
  }
}

/** What the service refuses is told in its own words; what nobody foresaw, without its insides. */
function reasonOf(error: unknown): string {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ApplicationFailure && cause.nonRetryable) return cause.message;
  }
  return 'Something went wrong on our side; try again, and report the id of the task if it fails once more';
}
