/** What went wrong at Temporal, found in the causes of an error. */
import { isGrpcServiceError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';

/** As gRPC counts it. */
const RESOURCE_EXHAUSTED = 8;

/** Whether the server had no time for it: a moment later it may have. */
export function isBusy(error: unknown): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (isGrpcServiceError(cause)) return cause.code === RESOURCE_EXHAUSTED;
  }
  return false;
}

/** The code with which the service refused the work inside the workflow. */
export function refusalOf(error: unknown): string | undefined {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ApplicationFailure) return cause.type ?? undefined;
  }
  return undefined;
}
