/**
 * What workers must agree on about the service's own hourly work: comparing the database with Temporal, and pruning. Only constants and
 * types.
 */

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

/** Workflow and schedule of the deletion of what is not kept any longer. */
export const MAINTENANCE = 'maintenance';
export const PRUNING_ID = `${MAINTENANCE_IDS}pruning`;

/** How far one kind is. */
export interface KindProgress {
  readonly kind: string;
  /** Where its next batch goes on; null at the beginning. */
  readonly after: string | null;
  readonly deleted: number;
  readonly over: boolean;
  /** Why it could not be pruned. */
  readonly error: string | null;
}

/** A run: everything is as old as it was when it began. */
export interface PruningState {
  readonly begunAt: string;
  readonly kinds: readonly KindProgress[];
}

/** Rows deleted, by kind. */
export type PruningResult = Readonly<Record<string, number>>;
