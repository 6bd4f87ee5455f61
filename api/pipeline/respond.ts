/** Turns a handler's response into the HTTP response. */
import type { Readable } from 'node:stream';
import type { Context as KoaContext } from 'koa';
import { whenClosed } from '../middleware/answers.ts';
import { entityTag } from '../respond.ts';
import type { RouteResponse } from '../route.ts';
import type { Use } from './thread-shares.ts';

/**
 * Writes a response: status, headers, ETag, JSON or bytes; 304 if the client already has it.
 * @param isWhole whether the ETag covers the whole response
 * @param use what the request takes of the main thread
 */
export function respond(http: KoaContext, answer: RouteResponse, isWhole: boolean, use: Use): void {
  http.status = answer.status;
  if (answer.headers !== undefined) http.set(answer.headers);
  if (answer.body === undefined) {
    http.body = null;
    http.status = answer.status; // Koa turns an empty body into a 204.
    return;
  }
  const tag = versionTag(answer);
  if (tag !== undefined && !http.response.get('ETag')) http.set('ETag', tag);
  if (isWhole && isKnownTo(http, http.response.get('ETag'))) {
    http.status = 304;
    return;
  }
  if (isBytes(answer.body)) {
    const type = http.response.get('Content-Type');
    http.body = answer.body;
    if (type) http.set('Content-Type', type); // Setting the body replaces it.
    if (!(answer.body instanceof Uint8Array)) {
      destroyTogether(http, answer.body);
      const { socket } = http.req;
      const before = socket.bytesWritten;
      whenClosed(http.res, () => use.addBytes(socket.bytesWritten - before));
    }
  } else {
    // Set before the body, whose type would be guessed otherwise.
    if (!http.res.hasHeader('Content-Type')) http.set('Content-Type', 'application/json; charset=utf-8');
    const { body } = answer;
    http.body = use.measure(() => JSON.stringify(body), WORK_BEHIND_ANSWER);
  }
}

/**
 * Destroys the connection with a failing stream and vice versa, so that a truncated response does not look complete.
 */
function destroyTogether({ res }: KoaContext, body: Readable): void {
  body.once('error', () => res.destroy());
  whenClosed(res, () => body.destroy());
}

/** Reading rows and building an answer of them takes about four times as long as writing it down. */
const WORK_BEHIND_ANSWER = 5;

/** Whether the client already has this version (If-None-Match), by weak comparison (RFC 9110). */
function isKnownTo(http: KoaContext, tag: string): boolean {
  const named = http.headers['if-none-match'];
  if (named === undefined || tag === '' || (http.method !== 'GET' && http.method !== 'HEAD')) return false;
  const known = named.split(',');
  return known.some((entry) => entry.trim().replace(/^W\//, '') === tag || entry.trim() === '*');
}

/** The ETag of a response with one record. */
export function versionTag({ status, body }: RouteResponse): string | undefined {
  const data: unknown =
    status < 300 && typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined;
  const { id, version } = (data ?? {}) as { readonly id?: unknown; readonly version?: unknown };
  return typeof id === 'string' && typeof version === 'number' ? entityTag(id, version) : undefined;
}

/** Whether a body is bytes or a stream instead of JSON. */
export function isBytes(body: unknown): body is Uint8Array | Readable {
  return body instanceof Uint8Array || (typeof body === 'object' && body !== null && 'pipe' in body);
}
