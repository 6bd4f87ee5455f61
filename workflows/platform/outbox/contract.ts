/** How late the workers begin with what is handed to them: the time between the start of a workflow and its first task. */
import type { Sinks } from '@temporalio/workflow';

/** Header of a start: when the first task of the workflow is due, in milliseconds since 1970. */
export const DUE_HEADER = 'due';

/** Messages of the sandbox to the worker. */
export interface LatenessSinks extends Sinks {
  lateness: {
    /** Called once for each workflow with a due time. @param company its id @param ms from that time to the first task */
    began(company: string, ms: number): void;
  };
}
