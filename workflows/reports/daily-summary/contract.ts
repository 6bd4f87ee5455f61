/** Contract for daily summaries: constants and types only. */

/** Workflow that queues due summaries. */
export const DAILY_SUMMARIES = 'dailySummaries';

/** Progress of a run. */
export interface SummariesState {
  /** The last company processed; null at the beginning and at the end. */
  readonly after: string | null;
  readonly companies: number;
  readonly queued: number;
  /** Number of companies whose summaries failed. */
  readonly failed: number;
}
