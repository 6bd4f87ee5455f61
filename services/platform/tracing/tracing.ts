/**
 * Spans of the work under way, for operators: from a request through the outbox, workflows and activities to a call of another server.
 * Without OTEL_EXPORTER_OTLP_ENDPOINT nothing is loaded, and nothing is recorded.
 */
import { findTraceBy, type Trace } from '../../../db/trace.ts';

export type Attributes = Readonly<Record<string, string | number | undefined>>;

export interface Span {
  /** Adds attributes: ids, names and numbers, never data of companies. */
  set(attributes: Attributes): void;
  /** Gives it another name: for what is known only when it is done. */
  rename(name: string): void;
  /** Marks it as failed. @param reason without data of companies */
  fail(reason: string): void;
}

export interface SpanOptions {
  /** Whether it serves or calls another program, hands over a message or works on one; works inside by default. */
  readonly kind?: 'server' | 'client' | 'producer' | 'consumer';
  readonly attributes?: Attributes;
  /** The trace that it continues; null begins one; that of the work under way by default. */
  readonly parent?: Trace | null;
}

/** How this process records spans. */
export interface Tracer {
  span<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
  current(): Trace | undefined;
  /** Sends what is recorded. */
  close(): Promise<void>;
}

const NO_SPAN: Span = { set: () => undefined, rename: () => undefined, fail: () => undefined };

let tracer: Tracer | undefined;

/** Whether this process records spans. */
export function isTracing(): boolean {
  return tracer !== undefined;
}

/** Does something within a span, which fails if it does. */
export function traced<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  return tracer === undefined ? work(NO_SPAN) : tracer.span(name, options, work);
}

/** Records spans from now on; undefined ends it. Once per process (`start.ts`). */
export function recordBy(recorder: Tracer | undefined): void {
  tracer = recorder;
  findTraceBy(() => recorder?.current());
}
