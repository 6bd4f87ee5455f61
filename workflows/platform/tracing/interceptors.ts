/**
 * Passes the trace with which a workflow was started, or last signalled, to its activities and to the workflows that follow it. Headers
 * are no part of what a replay compares.
 */
import type { Headers, WorkflowInterceptors } from '@temporalio/workflow';
import { TRACE_HEADER } from './contract.ts';

type WithHeaders = { readonly headers: Headers };

/** Called by the sandbox for each workflow. */
export function interceptors(): WorkflowInterceptors {
  let trace: Headers[string] | undefined;
  const take = ({ headers }: WithHeaders) => {
    trace = headers[TRACE_HEADER] ?? trace;
  };
  const pass = <Input extends WithHeaders>(input: Input): Input =>
    trace === undefined ? input : { ...input, headers: { ...input.headers, [TRACE_HEADER]: trace } };
  return {
    inbound: [
      {
        execute: (input, next) => {
          take(input);
          return next(input);
        },
        handleSignal: (input, next) => {
          take(input);
          return next(input);
        },
        handleUpdate: (input, next) => {
          take(input);
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(pass(input)),
        scheduleLocalActivity: (input, next) => next(pass(input)),
        startChildWorkflowExecution: (input, next) => next(pass(input)),
        signalWorkflow: (input, next) => next(pass(input)),
        continueAsNew: (input, next) => next(pass(input)),
      },
    ],
  };
}
