/** Temporal's workers for several queues, sharing what runs their workflows. */
import { Worker } from '@temporalio/worker';

/**
 * The class of a process's workers. By default each would run workflow code in a thread of its own, which takes some 50 MB and is idle most
 * of the time: workflows only decide, activities do the work. These share one.
 */
export function queueWorkers(): typeof Worker {
  return class QueueWorker extends Worker {
    static #shared: ReturnType<typeof Worker.createWorkflowCreator> | undefined;
    static #users = 0;

    protected static override async createWorkflowCreator(
      ...given: Parameters<typeof Worker.createWorkflowCreator>
    ): ReturnType<typeof Worker.createWorkflowCreator> {
      QueueWorker.#users += 1;
      QueueWorker.#shared ??= super.createWorkflowCreator(...given);
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
