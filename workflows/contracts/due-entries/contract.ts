/** Contract for entries that are made on their day: constants and types only. */

/** Workflow that makes them. */
export const DUE_ENTRIES = 'dueEntries';

/** Progress of a run. */
export interface DueEntriesState {
  /** The last company served; null at the beginning and at the end. */
  readonly after: string | null;
  /** Number of companies in which some were due. */
  readonly companies: number;
  readonly entered: number;
  /** Number of companies that failed; the next run tries them again. Runs that began under an earlier version have none. */
  readonly failed?: number;
  /** Whether a company of this round has more due than its turn takes, so that another round follows. */
  readonly more?: boolean;
  /** Whether this is such a round, whose companies were counted before. */
  readonly again?: boolean;
}
