/** The contract of daily summaries: constants and types only. */

/** Workflow that queues the summaries that are due. */
export const DAILY_SUMMARIES = 'dailySummaries';

/** How far a run has come. */
export interface SummariesState {
  /** The last company done; null at the beginning, and at the end. */
  readonly after: string | null;
  readonly companies: number;
  readonly queued: number;
  /** Companies whose summaries could not be made. */
  readonly failed: number;
}
