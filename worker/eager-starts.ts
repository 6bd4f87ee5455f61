/** Has workflows that this process both starts and runs receive their first task in the answer to the start. */
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import type { Worker } from '@temporalio/worker';

/** The builds that have run a workflow. The server writes them after the first task, unless they are already set. */
const BUILD_IDS = defineSearchAttributeKey('BuildIds', 'KEYWORD_LIST');

type OwnWorker = { readonly options: Pick<Worker['options'], 'taskQueue' | 'buildId'> };

/**
 * Builds the interceptor. It saves the server two writes, and both sides calls.
 * @param workers workers on the client's connection; they may be added later
 * @param version theirs; null if they have none
 */
export function eagerStarts(
  workers: readonly OwnWorker[],
  version: { readonly isCurrent: boolean } | null = null,
): Required<Pick<WorkflowClientInterceptor, 'start'>> {
  let acceptsBuilds = true;
  return {
    async start(input, next) {
      const own = workers.find((worker) => worker.options.taskQueue === input.options.taskQueue);
      const isLate = input.options.startDelay !== undefined || version?.isCurrent === false;
      if (own === undefined || isLate) return await next(input);
      const eager = { ...input, options: { ...input.options, requestEagerStart: true } };
      if (!acceptsBuilds || version !== null) return await next(eager);
      const { typedSearchAttributes = [] } = input.options;
      const pairs = Array.isArray(typedSearchAttributes) ? typedSearchAttributes : typedSearchAttributes.getAll();
      const builds = { key: BUILD_IDS, value: ['unversioned', `unversioned:${own.options.buildId}`] };
      try {
        return await next({ ...eager, options: { ...eager.options, typedSearchAttributes: [...pairs, builds] } });
      } catch (error) {
        if (!isAbout(BUILD_IDS.name, error)) throw error;
        // Other servers may not accept this attribute.
        acceptsBuilds = false;
        return await next(eager);
      }
    },
  };
}

function isAbout(name: string, thrown: unknown): boolean {
  for (let error = thrown; error instanceof Error; error = error.cause) if (error.message.includes(name)) return true;
  return false;
}
