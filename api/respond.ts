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

/** 204. */
export function noContent(): RouteResponse {
  return { status: 204 };
}
