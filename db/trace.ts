/** The trace that a change belongs to, kept with its events, so that what follows from them continues it. */

/** A W3C `traceparent`: version, trace, span and flags. */
export type Trace = string;

let current: () => Trace | undefined = () => undefined;

/** The trace of the work under way; undefined unless this process traces. */
export function currentTrace(): Trace | undefined {
  return current();
}

/** Says where to find it. Once per process, when tracing starts. */
export function findTraceBy(find: () => Trace | undefined): void {
  current = find;
}
