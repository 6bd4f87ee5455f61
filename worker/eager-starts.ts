/** Workflows that this process starts, and works on itself, get their first task with the answer to their start. */
import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { Queue } from './queues.ts';

/** Of a client that shares its connection with the workers of the queues. Saves the server a write, and both a call. */
export function eagerStarts(queues: readonly Queue[]): WorkflowClientInterceptor {
  const own = new Set<string>(queues);
  return {
    start({ options, ...input }, next) {
      return next({ ...input, options: { ...options, requestEagerStart: own.has(options.taskQueue) } });
    },
  };
}
