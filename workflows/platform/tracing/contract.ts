/** Header of workflows and activities with the trace that they belong to: a W3C `traceparent`. */
export const TRACE_HEADER = 'traceparent';
