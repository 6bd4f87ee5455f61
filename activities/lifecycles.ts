/** Compares what the database says should be running with what Temporal runs. */
import { heartbeat } from '@temporalio/activity';
import type { ComparisonState } from '../workflows/maintenance/contract.ts';

export interface LifecycleActivities {
  /** Compares some pages. @returns where to continue, and the findings so far */
  compareLifecycles(state: ComparisonState): Promise<ComparisonState>;
}

export interface LifecycleDeps {
  /** @param alive called after each page */
  readonly compare: (state: ComparisonState, alive: () => void) => Promise<ComparisonState>;
}

export function createLifecycleActivities({ compare }: LifecycleDeps): LifecycleActivities {
  return { compareLifecycles: (state) => compare(state, heartbeat) };
}
