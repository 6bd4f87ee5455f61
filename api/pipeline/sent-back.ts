/**
 * Lets PATCH and PUT accept what GET returns: a client may read a record, change one member, and send everything back.
 */
import type { TSchema } from 'typebox';
import { ConcurrentChange } from '../../db/errors.ts';
import { ServiceError, validationFailed } from '../../domain/errors.ts';
import { dropRepeats } from '../../services/platform/validation/sent-back.ts';
import type { Route, RouteResponse } from '../route.ts';
import type { AnyRequest } from './request.ts';

type Row = Readonly<Record<string, unknown>>;

/** Pairs each PATCH and PUT with the GET of the same path. */
export function withReadBack(routes: readonly Route[]): Route[] {
  const reading = new Map(routes.filter(({ method }) => method === 'GET').map((route) => [route.path, route]));
  return routes.map((route) => {
    const readBack = reading.get(route.path);
    const isChange = (route.method === 'PATCH' || route.method === 'PUT') && route.isUpload !== true;
    const changes = isChange && route.body !== undefined;
    return changes && readBack !== undefined ? { ...route, readBack } : route;
  });
}

/** The record within a route's response. */
export function recordIn({ responses }: Route): TSchema {
  const answer = responses[200] as TSchema & { readonly properties?: { readonly data?: TSchema } };
  return answer.properties?.data ?? answer;
}

/** A change without the members that only repeat the current values. */
export interface CheckedRequest {
  readonly request: AnyRequest;
  /** Refusal of the body. */
  readonly refusal: ServiceError | null;
  /** Runs the change on the version that the client has read, if the body names it. */
  readonly guarded: (change: () => Promise<RouteResponse>) => Promise<RouteResponse>;
}

/**
 * Finds the actual changes in a body.
 * @param read answers the GET of the same path for this request
 * @param check validates the body; throws its refusal
 */
export async function findChanges(
  route: Route & { readonly readBack: Route },
  request: AnyRequest,
  check: (body: unknown) => void,
  read: (get: Route) => Promise<RouteResponse>,
): Promise<CheckedRequest> {
  const { readBack } = route;
  const { body: answered } = await read(readBack);
  const existing = ((answered as { data?: Row }).data ?? answered) as Row;
  const members = { writable: route.body as TSchema, answered: recordIn(readBack) };
  const sent = request.body as Row;
  const { body, faults } = dropRepeats(members, sent, existing, route.method === 'PUT' ? 'kept' : 'dropped');
  // A stale version takes precedence over other refusals.
  const version = typeof existing.version === 'number' ? existing.version : null;
  const stale = request.ifMatch !== null && version !== null && version !== request.ifMatch;
  const refusal = collectRefusal(stale ? [] : faults, () => check(body));
  const named = request.ifMatch === null && sent.version !== undefined ? version : request.ifMatch;
  return {
    request: Object.create(request, {
      body: { value: body, enumerable: true },
      ifMatch: { value: named, enumerable: true },
    }) as AnyRequest,
    refusal,
    async guarded(change) {
      try {
        return await change();
      } catch (error) {
        // The record changed after the comparison; comparing again shows what is stale.
        if (named !== request.ifMatch && isStale(error)) throw new ConcurrentChange();
        throw error;
      }
    },
  };
}

function collectRefusal(faults: ServiceError['errors'], check: () => void): ServiceError | null {
  try {
    check();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return validationFailed([...faults, ...error.errors]);
  }
  return faults.length === 0 ? null : validationFailed(faults);
}

function isStale(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'stale_version';
}
