/** Compares the work that the database expects with the workflows that Temporal runs. */
import { heartbeat } from '@temporalio/activity';
import type { ComparisonState } from '../../workflows/operation/contract.ts';

export interface LifecycleActivities {
  /** Compares some pages. @returns where to continue, and the findings so far */
  compareLifecycles(state: ComparisonState): Promise<ComparisonState>;
}

export interface LifecycleDeps {
  /** @param alive called after each page, as a heartbeat */
  readonly compare: (state: ComparisonState, alive: () => void) => Promise<ComparisonState>;
}

export function createLifecycleActivities({ compare }: LifecycleDeps): LifecycleActivities {
  return { compareLifecycles: (state) => compare(state, heartbeat) };
}
