/** Decides when to alert people to a problem and when it is over; the gap between both thresholds prevents flapping alerts. */

/** Maximum age of the oldest waiting event; above it the service counts as degraded and its operators are alerted. */
export const LAG_LIMIT_SECONDS = 60;
/** Consecutive failures of a schedule before people are alerted. */
export const FAILURES_BEFORE_ALERT = 3;

/** Problems of the machines that the service runs on. */
export type MachineKind = 'disk_low' | 'outbox_lag';

/** `between`: neither wrong nor well; an open incident stays open, and no new one begins. */
export type Verdict = 'wrong' | 'between' | 'well';

/** Judges the age of the oldest waiting event. */
export function judgeLag(seconds: number): Verdict {
  if (seconds > LAG_LIMIT_SECONDS) return 'wrong';
  return seconds > LAG_LIMIT_SECONDS / 2 ? 'between' : 'well';
}

/** Judges free disk space: at least `limit`, or a tenth of a small disk, must be free. All in bytes. */
export function judgeDisk(disk: { readonly freeBytes: number; readonly totalBytes: number }, limit: number): Verdict {
  const wanted = Math.min(limit, disk.totalBytes / 10);
  if (disk.freeBytes < wanted) return 'wrong';
  return disk.freeBytes < wanted * 1.1 ? 'between' : 'well';
}
