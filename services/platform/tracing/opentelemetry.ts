/** Records spans by OpenTelemetry, and sends them to a collector. Loaded only by processes that trace. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Context, context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import type { TracingConfig } from '../../../config/tracing.ts';
import { SERVICE_VERSION } from '../../../config/version.ts';
import type { Attributes, SpanOptions, Tracer } from './tracing.ts';

/** Spans that wait for the collector; more are dropped, so that a collector that is away takes no memory. */
const WAITING = 2048;
const EXPORT_MS = 5000;
/** Time at the end of a process for the last spans. */
const CLOSE_MS = 1000;
const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

export function openTracer({ endpoint, headers, ratio, serviceName }: TracingConfig, part: string): Tracer {
  // By the id of the trace alone, so that all parts decide alike, and no caller can have everything recorded.
  const some = new TraceIdRatioBasedSampler(ratio);
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      'service.name': serviceName,
      'service.version': SERVICE_VERSION,
      'service.instance.id': `${part}-${process.pid}`,
      'service.namespace': part,
    }),
    sampler: new ParentBasedSampler({
      root: some,
      remoteParentSampled: some,
      remoteParentNotSampled: new AlwaysOffSampler(),
    }),
    spanProcessors: [
      new BatchSpanProcessor(
        new OTLPTraceExporter({ url: endpoint, headers: { ...headers }, timeoutMillis: EXPORT_MS }),
        {
          maxQueueSize: WAITING,
          scheduledDelayMillis: 2000,
          exportTimeoutMillis: EXPORT_MS,
        },
      ),
    ],
  });
  provider.register();
  const tracer = provider.getTracer('business-management-service', SERVICE_VERSION);
  return {
    async span(name, { kind, attributes = {}, parent }, work) {
      const options = { kind: kind === undefined ? SpanKind.INTERNAL : KINDS[kind], attributes: given(attributes) };
      return await tracer.startActiveSpan(name, options, parentContext(parent), async (span) => {
        try {
          return await work({
            set: (more) => void span.setAttributes(given(more)),
            rename: (other) => void span.updateName(other),
            fail: (message) => void span.setStatus({ code: SpanStatusCode.ERROR, message }),
          });
        } catch (error) {
          // Messages may quote data of companies.
          span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'Error' });
          throw error;
        } finally {
          span.end();
        }
      });
    },
    current() {
      const carrier: { traceparent?: string } = {};
      propagation.inject(context.active(), carrier);
      return carrier.traceparent;
    },
    async close() {
      // A collector that is away is no failure of the service.
      await Promise.race([provider.shutdown().catch(() => undefined), sleep(CLOSE_MS)]);
      trace.disable();
      context.disable();
      propagation.disable();
    },
  };
}

function parentContext(parent: SpanOptions['parent']): Context {
  if (parent === undefined) return context.active();
  const root = trace.deleteSpan(context.active());
  return parent === null ? root : propagation.extract(root, { traceparent: parent });
}

function given(attributes: Attributes): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
