/** Classifies failures of Temporal by the causes of an error. */
import { isGrpcServiceError, isRetryableError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';

/** gRPC status code. */
const RESOURCE_EXHAUSTED = 8;

/** Whether the server was too busy; a moment later it may not be. */
export function isBusy(error: unknown): boolean {
  return findGrpcError(error)?.code === RESOURCE_EXHAUSTED;
}

/** Whether the connection was lost before the answer came, or there is none; the request may have succeeded nonetheless. */
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

/** Extracts the code with which the service refused the work inside the workflow. */
export function refusalCode(error: unknown): string | undefined {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ApplicationFailure) return cause.type ?? undefined;
  }
  return undefined;
}
