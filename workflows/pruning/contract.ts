/** What workers must agree on about the deletion of what is not kept any longer. Only constants and types. */

/** Workflow and schedule. */
export const MAINTENANCE = 'maintenance';
export const PRUNING_ID = 'maintenance/pruning';

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
