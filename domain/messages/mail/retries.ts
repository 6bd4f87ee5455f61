/** Retry times of mails that could not be sent, and the time at which the service gives up. */

const DAY_MS = 86_400_000;
/** Time granted to servers that are down or defer a sender (RFC 5321, section 4.5.4.1: four to five days). */
const GIVE_UP_AFTER_MS = 5 * DAY_MS;
/** Seconds to wait after the first try, the second, and so on; the last value applies to all later tries. */
const RETRY_DELAYS = [60, 300, 900, 1800, 3600, 7200] as const;

/** The time after which a mail is not tried again. */
export function giveUpTime(queuedAt: Date): Date {
  return new Date(queuedAt.getTime() + GIVE_UP_AFTER_MS);
}

/** Computes the delay before the next try. @param tries made so far. @returns seconds */
export function retryDelay(tries: number): number {
  return RETRY_DELAYS[Math.min(Math.max(1, tries), RETRY_DELAYS.length) - 1] as number;
}
