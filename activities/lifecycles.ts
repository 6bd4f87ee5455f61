/** What the database says should be under way, compared with what Temporal runs. */
import { heartbeat } from '@temporalio/activity';
import type { ComparisonState } from '../workflows/maintenance/contract.ts';

export interface LifecycleActivities {
  /** Compares some pages. @returns where it goes on, and what it has found so far */
  compareLifecycles(state: ComparisonState): Promise<ComparisonState>;
}

export interface LifecycleDeps {
  /** @param alive to be called after each page */
  readonly compare: (state: ComparisonState, alive: () => void) => Promise<ComparisonState>;
}

export function createLifecycleActivities({ compare }: LifecycleDeps): LifecycleActivities {
  return { compareLifecycles: (state) => compare(state, heartbeat) };
}
