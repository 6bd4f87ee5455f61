/** When something is wrong enough to tell people, and when it is over: beyond the limit, so that nobody is told back and forth. */

/** Older waiting events are sent later than users expect: the service counts as degraded, and its operators are told. */
export const LAG_LIMIT_SECONDS = 60;
/** A schedule is told of when it has failed so many times in a row. */
export const FAILURES_TOLD = 3;

/** What is wrong with the machines that the service runs on. */
export type MachineKind = 'disk_low' | 'outbox_lag';

/** `between`: neither wrong nor well; what has begun goes on, what has not does not begin. */
export type Verdict = 'wrong' | 'between' | 'well';

/** Judges the age of the oldest waiting event. */
export function judgeLag(seconds: number): Verdict {
  if (seconds > LAG_LIMIT_SECONDS) return 'wrong';
  return seconds > LAG_LIMIT_SECONDS / 2 ? 'between' : 'well';
}

/** Judges what is left of a disk: `limit` is wanted, or a tenth of a small one. All in bytes. */
export function judgeDisk(disk: { readonly freeBytes: number; readonly totalBytes: number }, limit: number): Verdict {
  const wanted = Math.min(limit, disk.totalBytes / 10);
  if (disk.freeBytes < wanted) return 'wrong';
  return disk.freeBytes < wanted * 1.1 ? 'between' : 'well';
}
