/** Why an event could not be handed over: something is down or busy, or it lies in the event itself. */
import { isGrpcServiceError } from '@temporalio/client';
import { isLockTimeout, isUnavailable } from '../../db/errors.ts';

/** What Temporal answers about a request that it will never take. All other codes speak of the server. */
const REFUSED: ReadonlySet<number> = new Set([3, 9, 11]); // INVALID_ARGUMENT, FAILED_PRECONDITION, OUT_OF_RANGE

/**
 * Whether the same would happen to this event on any day, while others go through. What is down or busy spends none of an event's tries:
 * an outage of a week must set nothing aside.
 */
export function isOwnFailure(thrown: unknown): boolean {
  if (isLockTimeout(thrown) || isUnavailable(thrown)) return false;
  const grpc = thrown instanceof Error && !isGrpcServiceError(thrown) ? thrown.cause : thrown;
  return isGrpcServiceError(grpc) ? REFUSED.has(grpc.code) : true;
}
