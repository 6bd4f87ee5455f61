/** What workers must agree on about the regular comparisons of the database with Temporal. Only constants and types. */

/** What the ids of workflows that belong to no company begin with. */
export const MAINTENANCE_IDS = 'maintenance/';
/** Schedule and workflow of the comparison of open documents with running lifecycles. */
export const LIFECYCLE_COMPARISON = 'lifecycleComparison';
export const LIFECYCLE_COMPARISON_ID = `${MAINTENANCE_IDS}lifecycles`;

/** Where it goes on, and what it has found so far. */
export interface ComparisonState {
  /** The last document that was compared; null at the beginning, and at the end. */
  readonly after: string | null;
  /** Open documents that were compared, and lifecycles that were missing and are started again. */
  readonly open: number;
  readonly started: number;
}

export type ComparisonResult = Pick<ComparisonState, 'open' | 'started'>;
