/** What workers must agree on about the regular comparisons of the database with Temporal. Only constants and types. */

/** What the ids of workflows that belong to no company begin with. */
export const MAINTENANCE_IDS = 'maintenance/';
/** Schedule and workflow of the comparison of what the database says should be under way with what runs. */
export const LIFECYCLE_COMPARISON = 'lifecycleComparison';
export const LIFECYCLE_COMPARISON_ID = `${MAINTENANCE_IDS}lifecycles`;

/** Where it goes on, and what it has found so far. */
export interface ComparisonState {
  /** The last piece of work that was compared; null at the beginning, and at the end. */
  readonly after: string | null;
  /** Where it was found: documents, tasks …; the first when absent. */
  readonly source?: number;
  /** Of what happened until then. */
  readonly begunAt?: string;
  /** Open documents that were compared, and lifecycles that were missing and are started again. */
  readonly open: number;
  readonly started: number;
  /** What else is missing, by its kind; `npm run reconcile` starts it again. */
  readonly missing?: Readonly<Record<string, number>>;
}

export type ComparisonResult = Pick<ComparisonState, 'open' | 'started' | 'missing'>;
