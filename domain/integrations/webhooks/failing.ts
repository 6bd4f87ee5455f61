/** Decides when a failing webhook is disabled, and when to warn before that. */

const HOUR_MS = 3_600_000;
/** Without a success for this long … */
export const DISABLED_AFTER_HOURS = 120;
/** … and at least this many failed attempts. */
export const DISABLED_AFTER_FAILURES = 20;
/** Percentages of that time at which a warning is sent, ascending. */
export const WARNED_AT_PERCENT = [50, 70, 90] as const;

/** A webhook's failures since its last success, or since it was enabled. */
export interface Failing {
  /** Instant of the first failure. */
  readonly failingSince: string;
  readonly failures: number;
  /** The last warning that was sent; 0 for none. */
  readonly warnedPercent: number;
}

export type FailingVerdict =
  | { readonly kind: 'go_on' }
  | { readonly kind: 'warn'; readonly percent: number }
  | { readonly kind: 'disable' };

/** Judges a further failure at `now`. One warning is sent for the highest mark passed, each mark once. */
export function judgeFailing(failing: Failing, now: Date): FailingVerdict {
  const percent = ((now.getTime() - Date.parse(failing.failingSince)) / (DISABLED_AFTER_HOURS * HOUR_MS)) * 100;
  if (percent >= 100 && failing.failures >= DISABLED_AFTER_FAILURES) return { kind: 'disable' };
  const mark = WARNED_AT_PERCENT.findLast((at) => percent >= at);
  return mark !== undefined && mark > failing.warnedPercent ? { kind: 'warn', percent: mark } : { kind: 'go_on' };
}

/** The earliest time at which it is disabled, unless a delivery succeeds before. */
export function disablesAt(failingSince: string): Date {
  return new Date(Date.parse(failingSince) + DISABLED_AFTER_HOURS * HOUR_MS);
}
