/** Starts to record spans. */
import type { TracingConfig } from '../../../config/tracing.ts';
import { recordBy } from './tracing.ts';

/**
 * Starts to record spans, once per process; does nothing without a configuration.
 * @param part of the service: api or worker
 * @returns ends it, and sends what is recorded
 */
export async function startTracing(config: TracingConfig | undefined, part: string): Promise<() => Promise<void>> {
  if (config === undefined) return async () => undefined;
  const { openTracer } = await import('./opentelemetry.ts');
  const tracer = openTracer(config, part);
  recordBy(tracer);
  return async () => {
    recordBy(undefined);
    await tracer.close();
  };
}
