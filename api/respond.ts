/** Helpers for building responses. */
import type { Context } from '../db/context.ts';
import type { RouteResponse } from './route.ts';

/** 200 with one record. */
export function ok<Data>(data: Data): RouteResponse<{ data: Data }> {
  return { status: 200, body: { data } };
}

/** 201 with the new record and its address. */
export function created<Data>(location: string, data: Data): RouteResponse<{ data: Data }> {
  return { status: 201, body: { data }, headers: { Location: location } };
}

/** 200 with settings, which have no wrapper: company and version are only in the ETag. */
export function settings<Value extends object>(
  { tenantId }: Context,
  { value, version }: { readonly value: Value; readonly version: number },
): RouteResponse<Value> {
  return { status: 200, body: value, headers: { ETag: entityTag(tenantId, version) } };
}

/** The ETag of a record's version. Versions alone would repeat; the ids make them unique. */
export function entityTag(id: string, version: number): string {
  return `"${id}-${version}"`;
}

/** 204. */
export function noContent(): RouteResponse<never> {
  return { status: 204 };
}

/** Adds a `Warning` header for each warning (RFC 7234, 5.5: 299). */
export function withWarnings<Body>(answer: RouteResponse<Body>, warnings: readonly string[]): RouteResponse<Body> {
  if (warnings.length === 0) return answer;
  const values = warnings.map(
    (text) => `299 - "${text.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/["\\]/g, '\\$&')}"`,
  );
  return { ...answer, headers: { ...answer.headers, Warning: values.join(', ') } };
}
