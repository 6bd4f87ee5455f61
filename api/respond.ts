/** What handlers use to answer. */
import type { Context } from '../db/context.ts';
import type { RouteResponse } from './route.ts';

/** 200 with one resource. */
export function ok(data: unknown): RouteResponse {
  return { status: 200, body: { data } };
}

/** 201 with the new resource and its address. */
export function created(location: string, data: unknown): RouteResponse {
  return { status: 201, body: { data }, headers: { Location: location } };
}

/** 200 with settings, which are answered bare: company and version are in the ETag alone. */
export function settings(
  { tenantId }: Context,
  { value, version }: { readonly value: object; readonly version: number },
): RouteResponse {
  return { status: 200, body: value, headers: { ETag: entityTag(tenantId, version) } };
}

/** What stands for a version of a record. Versions alone are the same everywhere; the ids make them one company's. */
export function entityTag(id: string, version: number): string {
  return `"${id}-${version}"`;
}

/** 204. */
export function noContent(): RouteResponse {
  return { status: 204 };
}

/** The answer with what the client should look at, though it was done: a `Warning` header for each (RFC 7234, 5.5: 299). */
export function warned(answer: RouteResponse, warnings: readonly string[]): RouteResponse {
  if (warnings.length === 0) return answer;
  const values = warnings.map(
    (text) => `299 - "${text.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/["\\]/g, '\\$&')}"`,
  );
  return { ...answer, headers: { ...answer.headers, Warning: values.join(', ') } };
}
