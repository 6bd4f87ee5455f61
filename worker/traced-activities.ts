/** Records a span for each attempt of an activity, within the trace of what caused it. */
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { traceIn } from '../services/platform/tracing/starts.ts';
import { isTracing, traced } from '../services/platform/tracing/tracing.ts';

export const tracedActivities: ActivityInterceptorsFactory = ({ info }) => ({
  inbound: {
    execute(input, next) {
      const trace = isTracing() ? traceIn(input.headers) : undefined;
      // Maintenance has no cause, and would be most of what is recorded.
      if (trace === undefined) return next(input);
      const attributes = {
        'temporal.activity': info.activityType,
        'temporal.workflow': info.workflowType,
        'temporal.workflow_id': info.workflowExecution?.workflowId,
        'temporal.run_id': info.workflowExecution?.runId,
        'temporal.task_queue': info.taskQueue,
        'temporal.attempt': info.attempt,
      };
      return traced(`activity ${info.activityType}`, { kind: 'consumer', attributes, parent: trace }, () =>
        next(input),
      );
    },
  },
});
