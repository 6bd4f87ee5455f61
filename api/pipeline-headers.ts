/** What the pipeline reads from request headers, each with the refusal of a bad value. */
import type { Context as KoaContext } from 'koa';
import { ServiceError } from '../domain/errors.ts';

/** The header's text; undefined when it is absent. */
export function headerOf(http: KoaContext, name: string): string | undefined {
  const value = http.get(name);
  return value === '' ? undefined : value;
}

/** The version named by If-Match; null for none and for `*`. @throws ServiceError bad_request for other forms than `"3"` */
export function readIfMatch(http: KoaContext): number | null {
  const value = headerOf(http, 'If-Match')?.trim();
  if (value === undefined || value === '*') return null;
  const version = /^"(\d{1,9})"$/.exec(value)?.[1];
  if (version === undefined) {
    throw new ServiceError('bad_request', 'If-Match must be one strong ETag as it was answered, for example "3", or *');
  }
  return Number(version);
}

/** The Idempotency-Key; undefined for none. @throws ServiceError bad_request when it is empty, too long or not visible ASCII */
export function readIdempotencyKey(http: KoaContext): string | undefined {
  const key = http.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new ServiceError('bad_request', 'Idempotency-Key must have 1 to 255 visible ASCII characters');
  }
  return key;
}

/** @throws ServiceError not_acceptable when the client takes none of the media types that the route can answer */
export function assertAcceptable(http: KoaContext, mediaTypes: readonly string[]): void {
  if (mediaTypes.length > 0 && http.accepts([...mediaTypes, 'application/problem+json']) === false) {
    throw new ServiceError('not_acceptable', `This address answers ${mediaTypes.join(', ')}`);
  }
}
