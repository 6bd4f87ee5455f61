/** Contract for recurring documents: constants and types only. */

/** Workflow that finds companies in which some are due, and starts a task for each. */
export const RECURRING_DUE = 'recurringDue';
/** Workflow of such a task: makes the documents of one company. */
export const RECURRING_RUNS = 'recurringRuns';

/** Progress of a search. */
export interface DueState {
  /** The last company found; null at the beginning and at the end. */
  readonly after: string | null;
  /** Number of companies in which some are due. */
  readonly companies: number;
}
