/** Temporal workers for several queues that share the thread for their workflows. */
import { Worker } from '@temporalio/worker';

/**
 * Builds the class of a process's workers. By default each worker would run workflow code in its own thread, which takes some 50 MB and is
 * mostly idle, since workflows only decide and activities do the work. These workers share one thread.
 * @param activities activities of all queues: the thread refuses local activities that it does not know
 */
export function queueWorkers(activities: readonly object[]): typeof Worker {
  const known = new Map(activities.flatMap((some) => Object.entries(some)));
  return class QueueWorker extends Worker {
    static #shared: ReturnType<typeof Worker.createWorkflowCreator> | undefined;
    static #users = 0;

    protected static override async createWorkflowCreator(
      ...[bundle, options, logger]: Parameters<typeof Worker.createWorkflowCreator>
    ): ReturnType<typeof Worker.createWorkflowCreator> {
      QueueWorker.#users += 1;
      QueueWorker.#shared ??= super.createWorkflowCreator(bundle, { ...options, activities: known }, logger);
      const creator = await QueueWorker.#shared;
      return {
        createWorkflow: (options) => creator.createWorkflow(options),
        // The last worker ends the thread.
        async destroy() {
          QueueWorker.#users -= 1;
          if (QueueWorker.#users === 0) await creator.destroy();
        },
      };
    }
  };
}
