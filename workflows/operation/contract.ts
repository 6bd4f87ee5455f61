/**
 * Contract for the service's own regular work: comparing the database with Temporal, and pruning. Constants and types only.
 */

/** Prefix of workflow ids that belong to no company. */
export const MAINTENANCE_IDS = 'maintenance/';
/** Workflow and schedule that compare the database with Temporal. */
export const LIFECYCLE_COMPARISON = 'lifecycleComparison';
export const LIFECYCLE_COMPARISON_ID = `${MAINTENANCE_IDS}lifecycles`;

/** Position of the comparison, and its findings so far. */
export interface ComparisonState {
  /** The last piece of work compared; null at the beginning and at the end. */
  readonly after: string | null;
  /** Index of its source (documents, tasks …); 0 if absent. */
  readonly source?: number;
  /** Only events up to this time are compared. */
  readonly begunAt?: string;
  /** Open documents compared, and missing lifecycles restarted. */
  readonly open: number;
  readonly started: number;
  /** Other missing work, by kind; `npm run reconcile` restarts it. */
  readonly missing?: Readonly<Record<string, number>>;
}

export type ComparisonResult = Pick<ComparisonState, 'open' | 'started' | 'missing'>;

/** Workflow and schedule of pruning. */
export const MAINTENANCE = 'maintenance';
export const PRUNING_ID = `${MAINTENANCE_IDS}pruning`;

/** Workflow and schedule that measure what companies store. */
export const STORAGE_MEASUREMENT = 'storageMeasurement';
export const STORAGE_ID = `${MAINTENANCE_IDS}storage`;

/** Progress of a measurement. */
export interface MeasurementState {
  /** The last company measured; null at the beginning and at the end. */
  readonly after: string | null;
  readonly measured: number;
  /** Number of companies that could not be measured. */
  readonly failed: number;
}

/** Schedule of the comparison of schedules with their rows (workflows/platform/schedules). */
export const SCHEDULES_ID = `${MAINTENANCE_IDS}schedules`;

/** Schedule of daily summaries (workflows/reports/daily-summary). */
export const DAILY_SUMMARIES_ID = `${MAINTENANCE_IDS}daily-summaries`;

/** Schedule of recurring documents (workflows/contracts/recurring). */
export const RECURRING_ID = `${MAINTENANCE_IDS}recurring`;

/** Schedule of entries that are made on their day (workflows/contracts/due-entries). */
export const DUE_ENTRIES_ID = `${MAINTENANCE_IDS}due-entries`;

/** Schedule of the fetch of exchange rates (workflows/ledger/exchange). */
export const EXCHANGE_RATES_ID = `${MAINTENANCE_IDS}exchange-rates`;

/** Progress of one kind. */
export interface KindProgress {
  readonly kind: string;
  /** Position of its next batch; null at the beginning. */
  readonly after: string | null;
  readonly deleted: number;
  readonly over: boolean;
  /** Reason why it could not be pruned. */
  readonly error: string | null;
}

/** State of a run; ages are measured from its beginning. */
export interface PruningState {
  readonly begunAt: string;
  readonly kinds: readonly KindProgress[];
}

/** Rows deleted, by kind. */
export type PruningResult = Readonly<Record<string, number>>;
