/** When a webhook that no longer works is switched off, and who fails is warned before (decisions, section 7). */

const HOUR_MS = 3_600_000;
/** Without a success for this long … */
export const DISABLED_AFTER_HOURS = 120;
/** … and at least this many failed attempts. */
export const DISABLED_AFTER_FAILURES = 20;
/** Percent of that time at which a warning goes out, rising. */
export const WARNED_AT_PERCENT = [50, 70, 90] as const;

/** What a webhook has failed since its last success, or since it was switched on. */
export interface Failing {
  /** Instant of the first failure. */
  readonly failingSince: string;
  readonly failures: number;
  /** The last warning that went out; 0 for none. */
  readonly warnedPercent: number;
}

export type FailingVerdict =
  | { readonly kind: 'go_on' }
  | { readonly kind: 'warn'; readonly percent: number }
  | { readonly kind: 'disable' };

/** What follows from a further failure at `now`. One warning is given for the highest mark that was passed, each once. */
export function judgeFailing(failing: Failing, now: Date): FailingVerdict {
  const percent = ((now.getTime() - Date.parse(failing.failingSince)) / (DISABLED_AFTER_HOURS * HOUR_MS)) * 100;
  if (percent >= 100 && failing.failures >= DISABLED_AFTER_FAILURES) return { kind: 'disable' };
  const mark = WARNED_AT_PERCENT.findLast((at) => percent >= at);
  return mark !== undefined && mark > failing.warnedPercent ? { kind: 'warn', percent: mark } : { kind: 'go_on' };
}

/** When it is switched off at the earliest, unless a delivery succeeds before. */
export function disablesAt(failingSince: string): Date {
  return new Date(Date.parse(failingSince) + DISABLED_AFTER_HOURS * HOUR_MS);
}
