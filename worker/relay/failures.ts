/** Classifies why an event could not be handed over: something is down or busy, or it is caused by the event itself. */
import { ServiceError as CallFailed } from '@temporalio/client';
import { isLockTimeout, isUnavailable } from '../../db/errors.ts';

/** Temporal's codes for requests that it will never accept. All others are about the server. */
const REFUSED: ReadonlySet<unknown> = new Set([3, 9, 11]); // INVALID_ARGUMENT, FAILED_PRECONDITION, OUT_OF_RANGE
/** Errors of the native connection without a code: they are about the connection. */
const CONNECTION = /^(TransportError|UnexpectedError|IllegalStateError|NativePromiseDroppedError|ShutdownError)$/;

/** A newly created namespace lacks the search attributes. */
const UNPREPARED = /no mapping defined for search attribute/i;

/** Whether Temporal lacks the search attributes, which must then be registered again. */
export function isUnprepared(thrown: unknown): boolean {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (UNPREPARED.test(error.message)) return true;
  }
  return false;
}

/**
 * Whether this event would always fail while others go through. Outages cost none of an event's tries: an outage of a week must set nothing
 * aside.
 */
export function isOwnFailure(thrown: unknown): boolean {
  if (isUnprepared(thrown) || isLockTimeout(thrown) || isUnavailable(thrown)) return false;
  for (let error = thrown; error instanceof Error; error = error.cause) {
    // A number is the code of a call, whichever connection made it.
    if ('code' in error && typeof error.code === 'number') return REFUSED.has(error.code);
    if (CONNECTION.test(error.name)) return false;
  }
  return !(thrown instanceof CallFailed);
}

/** The error with its cause, for the log and the outbox. */
export function failureMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
