/** Request headers that the pipeline reads, with refusals of invalid values. */
import type { Context as KoaContext } from 'koa';
import { isUuid } from '../../db/ids.ts';
import { staleVersion } from '../../db/write.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Route } from '../route.ts';

/** The text of a header; undefined if absent. */
export function readHeader(http: KoaContext, name: string): string | undefined {
  const value = http.get(name);
  return value === '' ? undefined : value;
}

/** A version named by If-Match, with its record if the whole ETag was sent. */
export interface NamedVersion {
  readonly id: string | null;
  readonly version: number;
}

/**
 * Parses If-Match: the ETag, or the version in quotes; null if absent or `*`.
 * @throws ServiceError bad_request for other forms
 */
export function readIfMatch(http: KoaContext): NamedVersion | null {
  const value = readHeader(http, 'If-Match')?.trim();
  if (value === undefined || value === '*') return null;
  const { id = null, version } = IF_MATCH.exec(value)?.groups ?? {};
  if (version === undefined) {
    throw new ServiceError(
      'bad_request',
      'If-Match must be one strong ETag as received, its version in quotes (for example "3"), or *',
    );
  }
  return { id: id?.toLowerCase() ?? null, version: Number(version) };
}

const IF_MATCH = /^"(?:(?<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-)?(?<version>\d{1,9})"$/i;

/**
 * Compares the record in If-Match with the requested one, if the path names it.
 * @throws ServiceError stale_version if it is another one
 */
export function assertSameRecord(
  { headers, versionOf }: Route,
  named: NamedVersion | null,
  params: Readonly<Record<string, unknown>>,
  tenantId: string | undefined,
): void {
  const asked = headers?.includes('ETag') ? tenantId : params[versionOf ?? Object.keys(params).at(-1) ?? ''];
  if (typeof named?.id !== 'string' || typeof asked !== 'string' || !isUuid(asked)) return;
  if (named.id !== asked.toLowerCase()) throw staleVersion();
}

/**
 * Reads the Idempotency-Key; undefined if absent.
 * @throws ServiceError bad_request if it is empty, too long or not visible ASCII
 */
export function readIdempotencyKey(http: KoaContext): string | undefined {
  const key = http.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new ServiceError('bad_request', 'Idempotency-Key must have 1 to 255 visible ASCII characters');
  }
  return key;
}

/**
 * Checks the Accept header.
 * @throws ServiceError not_acceptable if the client accepts none of the route's media types
 */
export function assertAcceptable(http: KoaContext, findMediaTypes: () => readonly string[]): void {
  if (http.headers.accept === undefined) return;
  const mediaTypes = findMediaTypes();
  if (mediaTypes.length === 0) return;
  if (http.accepts([...mediaTypes, 'application/problem+json']) === false) {
    throw new ServiceError('not_acceptable', `The response can only be ${mediaTypes.join(', ')}`);
  }
}
