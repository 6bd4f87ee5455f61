/** Passes the trace of the work under way to the workflows that it starts or signals, as a header. */
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { currentTrace, type Trace } from '../../../db/trace.ts';
import { TRACE_HEADER } from '../../../workflows/platform/tracing/contract.ts';

/** For clients of all parts; it adds nothing unless the process traces. */
export const tracedStarts: WorkflowClientInterceptor = {
  start: (input, next) => next(withTrace(input)),
  signal: (input, next) => next(withTrace(input)),
  signalWithStart: (input, next) => next(withTrace(input)),
  startUpdate: (input, next) => next(withTrace(input)),
};

/** The trace in the headers of an activity. */
export function traceIn(headers: Headers): Trace | undefined {
  const payload = headers[TRACE_HEADER];
  const value: unknown = payload === undefined ? undefined : defaultPayloadConverter.fromPayload(payload);
  return typeof value === 'string' ? value : undefined;
}

function withTrace<Input extends { readonly headers: Headers }>(input: Input): Input {
  const trace = currentTrace();
  if (trace === undefined) return input;
  return { ...input, headers: { ...input.headers, [TRACE_HEADER]: defaultPayloadConverter.toPayload(trace) } };
}
