/** Classifies Temporal's failures by the causes of an error. */
import { isGrpcServiceError, isRetryableError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';

/** As gRPC counts it. */
const RESOURCE_EXHAUSTED = 8;

/** Whether the server had no time for it: a moment later it may have. */
export function isBusy(error: unknown): boolean {
  return findGrpcError(error)?.code === RESOURCE_EXHAUSTED;
}

/** Whether a connection was lost before the answer came, or there is none: what was asked for may have happened nonetheless. */
export function isLost(error: unknown): boolean {
  const cause = findGrpcError(error);
  return cause !== undefined && cause.code !== RESOURCE_EXHAUSTED && isRetryableError(cause);
}

function findGrpcError(error: unknown): Parameters<typeof isRetryableError>[0] | undefined {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (isGrpcServiceError(cause)) return cause;
  }
  return undefined;
}

/** The code with which the service refused the work inside the workflow. */
export function refusalCode(error: unknown): string | undefined {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ApplicationFailure) return cause.type ?? undefined;
  }
  return undefined;
}
