/**
 * The contract of the service's own regular work: comparing the database with Temporal, and pruning. Constants and types only.
 */

/** Prefix of the ids of workflows that belong to no company. */
export const MAINTENANCE_IDS = 'maintenance/';
/** Schedule and workflow that compare the database with what Temporal runs. */
export const LIFECYCLE_COMPARISON = 'lifecycleComparison';
export const LIFECYCLE_COMPARISON_ID = `${MAINTENANCE_IDS}lifecycles`;

/** The position of the comparison, and its findings so far. */
export interface ComparisonState {
  /** The last piece of work compared; null at the beginning, and at the end. */
  readonly after: string | null;
  /** Its source: documents, tasks …; the first when absent. */
  readonly source?: number;
  /** Events up to this time are compared. */
  readonly begunAt?: string;
  /** Open documents compared, and missing lifecycles that were started again. */
  readonly open: number;
  readonly started: number;
  /** Other missing work, by kind; `npm run reconcile` restarts it. */
  readonly missing?: Readonly<Record<string, number>>;
}

export type ComparisonResult = Pick<ComparisonState, 'open' | 'started' | 'missing'>;

/** Workflow and schedule of pruning. */
export const MAINTENANCE = 'maintenance';
export const PRUNING_ID = `${MAINTENANCE_IDS}pruning`;

/** Schedule of the comparison of schedules with their rows (workflows/schedules), and what it was for reports alone. */
export const SCHEDULES_ID = `${MAINTENANCE_IDS}schedules`;
export const FORMER_SCHEDULES_ID = `${MAINTENANCE_IDS}report-schedules`;

/** Schedule of daily summaries (workflows/daily-summaries). */
export const DAILY_SUMMARIES_ID = `${MAINTENANCE_IDS}daily-summaries`;

/** Progress of one kind. */
export interface KindProgress {
  readonly kind: string;
  /** Where its next batch continues; null at the beginning. */
  readonly after: string | null;
  readonly deleted: number;
  readonly over: boolean;
  /** Why it could not be pruned. */
  readonly error: string | null;
}

/** A run: ages are measured from its beginning. */
export interface PruningState {
  readonly begunAt: string;
  readonly kinds: readonly KindProgress[];
}

/** Rows deleted, by kind. */
export type PruningResult = Readonly<Record<string, number>>;
