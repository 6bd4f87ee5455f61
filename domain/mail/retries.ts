/** When a mail that could not be sent is tried again, and when it is given up. */

const DAY_MS = 86_400_000;
/** Servers that are away, or that put a sender off at first, are given this long (RFC 5321, section 4.5.4.1: four to five days). */
const LIFE_MS = 5 * DAY_MS;
/** Seconds after the first try, the second, …; the last of them between all later ones. */
const PAUSES = [60, 300, 900, 1800, 3600, 7200] as const;

/** When the mail is given up. */
export function givenUpAt(queuedAt: Date): Date {
  return new Date(queuedAt.getTime() + LIFE_MS);
}

/** @param tries made so far. @returns seconds until the next */
export function pauseAfter(tries: number): number {
  return PAUSES[Math.min(Math.max(1, tries), PAUSES.length) - 1] as number;
}
