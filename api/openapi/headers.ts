/** Headers of requests and responses, and the operations that have them. */
import type { TSchema } from 'typebox';
import { API_VERSION } from '../middleware/api-version.ts';
import { schemaMediaType } from '../pipeline/pipeline.ts';
import type { Route } from '../route.ts';
import type { Json } from './components.ts';
import { ID } from './vocabulary/common.ts';

interface Header {
  readonly description: string;
  readonly schema: Json;
  readonly example: unknown;
}

const text = (description: string, example: string, rest: Json = {}): Header => ({
  description,
  schema: { type: 'string', ...rest },
  example,
});

const TAG = `"${ID}-3"`;

export const REQUEST_HEADERS = {
  'x-tenant-id': text("The company; defaults to the token's own", ID, { format: 'uuid' }),
  'api-version': text('The version of the interface that the client expects; another one is refused', API_VERSION),
  'X-Request-Id': text('Repeated in the response, in logs and in the audit log', 'shop-4711'),
  'Accept-Language': text('The language of refusals and of what tasks say: es or en, which is the default', 'es'),
  'Idempotency-Key': text(
    'A repeat with the same key and body within 24 h gets the first response and has no further effect',
    'b7e1c9a4-order-4711',
    { minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  ),
  'If-Match': text('The ETag that was read, or its version in quotes; a stale one is a 412, * matches any', TAG, {
    pattern: '^\\s*(\\*|"([0-9a-fA-F-]{36}-)?\\d{1,9}")\\s*$',
  }),
  Prefer: text('stale: the answer may be some seconds old, if the service has a standby for such reads', 'stale'),
  'If-None-Match': text('Known ETags; the response is 304 if one is current', TAG),
} as const satisfies Readonly<Record<string, Header>>;

export const ANSWER_HEADERS = {
  'api-version': text('The version of the interface', API_VERSION),
  'X-Request-Id': text('The id of the request, as in logs and the audit log', ID),
  'Content-Language': text('The language of a refusal', 'es', { enum: ['en', 'es'] }),
  'RateLimit-Policy': text('Allowed requests (q) per window in seconds (w)', '"default";q=6000;w=60'),
  RateLimit: text('Remaining requests (r), and seconds until the count restarts (t)', '"default";r=5999;t=60'),
  ETag: text("The record's id and version (settings: the company's id); send it as If-Match", TAG),
  Location: text('The address of the new record', `/api/partners/${ID}`, { format: 'uri-reference' }),
  'Idempotent-Replayed': text(
    'true if this is the response to an earlier request with the same Idempotency-Key',
    'true',
    {
      enum: ['true'],
    },
  ),
  'Preference-Applied': text('stale if the answer may be some seconds old, as Prefer allows', 'stale', {
    enum: ['stale'],
  }),
  'Content-Disposition': text('The name of the file', 'inline; filename="SINV2026-00017.pdf"'),
  Warning: text('A warning about a request that was carried out', '299 - "The date is before the last one"'),
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 0 }, example: 30 },
  'WWW-Authenticate': text('How to log in', 'Bearer'),
} as const satisfies Readonly<Record<string, Header>>;

export type RequestHeader = keyof typeof REQUEST_HEADERS;
export type AnswerHeader = keyof typeof ANSWER_HEADERS;

/** Headers that every request may have, and those that every answer may have; the introduction tells of them. */
export const COMMON_REQUEST_HEADERS: readonly RequestHeader[] = ['X-Request-Id', 'api-version', 'Accept-Language'];
export const COMMON_ANSWER_HEADERS: readonly AnswerHeader[] = [
  'api-version',
  'X-Request-Id',
  'Content-Language',
  'RateLimit-Policy',
  'RateLimit',
  'Idempotent-Replayed',
  'Preference-Applied',
];

/** Lists the request headers that a route uses, besides the common ones. */
export function requestHeaders(route: Route): RequestHeader[] {
  const { method, access } = route;
  const open = access === 'public';
  const conditional = method !== 'GET' && (route.path.includes(':') || route.headers?.includes('ETag') === true);
  return [
    ...(open ? [] : (['x-tenant-id'] as const)),
    ...(method === 'POST' && !open ? (['Idempotency-Key'] as const) : []),
    ...(conditional && !open ? (['If-Match'] as const) : []),
    ...(method === 'GET' && !open ? (['Prefer'] as const) : []),
    ...(method === 'GET' && hasTag(route, 200) && route.whole === true ? (['If-None-Match'] as const) : []),
  ];
}

/** Lists the headers of a response of a route, besides the common ones. */
export function answerHeaders(route: Route, status: number): AnswerHeader[] {
  const schema = route.responses[status];
  return [
    ...(hasTag(route, status) && !route.headers?.includes('ETag') ? (['ETag'] as const) : []),
    ...(status === 503 ? (['Retry-After'] as const) : []),
    ...(status === 201 || status === 202 || status === 302 ? (['Location'] as const) : []),
    ...(schema && route.formats !== undefined ? (['Content-Disposition'] as const) : []),
    ...(schema && route.access !== 'public' && schemaMediaType(schema) !== JSON_TYPE
      ? (['Content-Disposition'] as const)
      : []),
    ...(status < 300 ? (route.headers ?? []) : []),
  ];
}

/** Lists the headers of a problem. */
export function problemHeaders(status: number): AnswerHeader[] {
  return [
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...(status === 409 || status === 429 || status === 503 ? (['Retry-After'] as const) : []),
  ];
}

/** The member `headers` of a response; none if there are only common ones. */
export function refer(names: readonly AnswerHeader[]): { readonly headers?: Json } {
  if (names.length === 0) return {};
  return { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) };
}

const JSON_TYPE = 'application/json';

/** Whether a response holds one record with a version, or settings, which have an ETag. */
function hasTag(route: Route, status: number): boolean {
  const schema = route.responses[status] as Shape | null | undefined;
  if (schema === null || schema === undefined || status >= 300) return false;
  return schema.properties?.data?.properties?.version !== undefined || route.headers?.includes('ETag') === true;
}

interface Shape {
  readonly properties?: { readonly data?: { readonly properties?: Readonly<Record<string, TSchema>> } };
}
