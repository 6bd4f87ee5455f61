/** Where traces are sent. The variables are those of OpenTelemetry. */
import { type Problems, text, url } from './parse.ts';

export interface TracingConfig {
  /** Address to which spans are posted (OTLP over HTTP, JSON). */
  readonly endpoint: string;
  /** Headers with credentials. */
  readonly headers: Readonly<Record<string, string>>;
  /** Part of the traces that is kept, from 0 to 1. */
  readonly ratio: number;
  readonly serviceName: string;
}

/** Loads the `OTEL_…` variables; undefined without OTEL_EXPORTER_OTLP_ENDPOINT. */
export function loadTracing(env: Record<string, string | undefined>, problems: Problems): TracingConfig | undefined {
  const base = url(env, 'OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:'], problems);
  const ratio = loadRatio(env, problems);
  const headers = loadHeaders(env, problems);
  const serviceName = text(env, 'OTEL_SERVICE_NAME') ?? 'business-management-service';
  if (base === undefined) return undefined;
  return { endpoint: `${base.replace(/\/$/, '')}/v1/traces`, headers, ratio, serviceName };
}

function loadRatio(env: Record<string, string | undefined>, problems: Problems): number {
  const given = text(env, 'OTEL_TRACES_SAMPLER_ARG') ?? '1';
  if (/^(0(\.\d+)?|1(\.0+)?)$/.test(given)) return Number(given);
  problems.push(`OTEL_TRACES_SAMPLER_ARG is "${given}": give the part of the traces that is kept, from 0 to 1`);
  return 1;
}

/** Reads `name=value,name=value`, with values encoded as in URLs. */
function loadHeaders(env: Record<string, string | undefined>, problems: Problems): Record<string, string> {
  const given = text(env, 'OTEL_EXPORTER_OTLP_HEADERS');
  const pairs = (given ?? '').split(',').filter((pair) => pair.trim() !== '');
  const headers: Record<string, string> = {};
  for (const pair of pairs) {
    const [, name, encoded = ''] = /^\s*([\w-]+)=(.*)$/.exec(pair) ?? [];
    const value = decoded(encoded);
    if (name === undefined || value === null) {
      // The value may be a secret.
      problems.push(
        'OTEL_EXPORTER_OTLP_HEADERS must be name=value, several separated by commas, with values encoded as in URLs',
      );
      return {};
    }
    headers[name] = value;
  }
  return headers;
}

/** The value of a header that is encoded as in URLs; null if it is no such value. */
function decoded(encoded: string): string | null {
  if (/\s/.test(encoded)) return null;
  try {
    const value = decodeURIComponent(encoded);
    return /^[\x20-\x7e]*$/.test(value) ? value : null;
  } catch {
    return null; // The caller says what is wrong, without the value.
  }
}
