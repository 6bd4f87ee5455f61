/** What handlers use to answer. */
import type { RouteResponse } from './route.ts';

/** 200 with one resource. */
export function ok(data: unknown): RouteResponse {
  return { status: 200, body: { data } };
}

/** 201 with the new resource and its address. */
export function created(location: string, data: unknown): RouteResponse {
  return { status: 201, body: { data }, headers: { Location: location } };
}

/** 200 with settings, which are answered bare; the version is in the ETag alone. */
export function settings({ value, version }: { readonly value: object; readonly version: number }): RouteResponse {
  return { status: 200, body: value, headers: { ETag: `"${version}"` } };
}

/** 204. */
export function noContent(): RouteResponse {
  return { status: 204 };
}
