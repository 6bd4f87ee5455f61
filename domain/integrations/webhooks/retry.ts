/** Retry times of deliveries. */

export interface RetryPolicy {
  /** 1 to 20, including the first attempt. */
  readonly max_attempts: number;
  /** Seconds between attempts, 0 to 86,400 each; a shorter list repeats its last, an empty one means 60. */
  readonly retry_delay_seconds: readonly number[];
}

export const DEFAULT_RETRY_POLICY: RetryPolicy = {
  max_attempts: 8,
  retry_delay_seconds: [5, 60, 300, 1800, 7200, 28800, 86400],
};

const EMPTY_LIST_DELAY = 60;
/** A receiver may ask for a longer delay than the policy's, up to this. */
const MAX_RETRY_AFTER = 3600;

/**
 * Seconds to wait after a failed attempt.
 * @param attempt number of the failed attempt, from 1
 * @param retryAfter delay requested by the receiver (429 and 503), in seconds
 * @returns null if it was the last attempt
 */
export function nextDelay(policy: RetryPolicy, attempt: number, retryAfter: number | null): number | null {
  if (attempt >= policy.max_attempts) return null;
  const delays = policy.retry_delay_seconds;
  const delay = delays[Math.min(attempt, delays.length) - 1] ?? EMPTY_LIST_DELAY;
  return Math.max(delay, Math.min(retryAfter ?? 0, MAX_RETRY_AFTER));
}

/**
 * Parses a Retry-After header: seconds, or an HTTP date.
 * @returns seconds from `now`, never negative; null if absent or unreadable
 */
export function parseRetryAfter(header: string | undefined, now: Date): number | null {
  const text = header?.trim();
  if (!text) return null;
  if (/^\d+$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now.getTime()) / 1000));
}
