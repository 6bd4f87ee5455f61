/** Reads JSON bodies, and reports precisely why one cannot be read. */
import { isUtf8 } from 'node:buffer';
import type { Context as KoaContext } from 'koa';
import { koaBody } from 'koa-body';
import type { Shares } from '../../db/shares.ts';
import { ServiceError } from '../../domain/errors.ts';
import { assertOutline } from '../../services/platform/validation/outline.ts';
import type { Route } from '../route.ts';
import { shareHolder } from './answers.ts';

/** Maximum bytes of a JSON body. */
const JSON_LIMIT = 1024 * 1024;
/** Maximum bytes of a JSON body on routes that anybody may call. */
const PUBLIC_JSON_LIMIT = 16 * 1024;

/** JSON is read as text first, whose outline decides whether it is parsed. */
const JSON_TYPES = ['application/json', '+json'];

const readers = new Map([JSON_LIMIT, PUBLIC_JSON_LIMIT].map((limit) => [limit, textReader(limit)]));

/** The maximum bytes of a JSON body on a route. */
function bodyLimit({ access }: Pick<Route, 'access'>): number {
  return access === 'public' ? PUBLIC_JSON_LIMIT : JSON_LIMIT;
}

function textReader(limit: number) {
  return koaBody({
    // One character per byte, so that invalid UTF-8 can still be detected.
    encoding: 'binary',
    json: false,
    text: true,
    textTypes: JSON_TYPES,
    textLimit: limit,
    multipart: false,
    urlencoded: false,
    parsedMethods: ['POST', 'PUT', 'PATCH', 'DELETE'] as never,
    patchKoa: true,
    patchNode: false,
    onError: (error) => refuse(error, limit),
  });
}

/**
 * Reads a body as text; undefined if there is none.
 * @throws ServiceError unsupported_media_type, malformed_json, body_too_large
 */
export async function readBody(http: KoaContext, route: Pick<Route, 'access'>): Promise<string | undefined> {
  if (!hasBody(http)) return undefined;
  if (http.is(JSON_TYPES) === false) {
    throw new ServiceError('unsupported_media_type', 'Send the body as JSON, with Content-Type: application/json');
  }
  if (!/^(utf-?8)?$/i.test(http.request.charset))
    throw new ServiceError('unsupported_media_type', 'Send the body as UTF-8');
  const read = readers.get(bodyLimit(route)) as ReturnType<typeof textReader>;
  await read(http, async () => {});
  const { body } = http.request as { body?: unknown };
  return typeof body !== 'string' || body === '' ? undefined : body;
}

/**
 * Parses a body that was read byte by byte.
 * @throws ServiceError malformed_json; validation_failed if it has more levels or values than anybody needs
 */
export function parseBody(bytes: string): unknown {
  const text = IS_ASCII.test(bytes) ? bytes : decodeUtf8(Buffer.from(bytes, 'binary'));
  assertOutline(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ServiceError('malformed_json', 'The body is not valid JSON', { cause: error });
  }
}

const IS_ASCII = /^[^\x80-\xff]*$/;

/** Decodes a text of one character per byte. @throws ServiceError malformed_json if it is invalid */
function decodeUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new ServiceError('malformed_json', 'The body is not UTF-8');
  return bytes.toString('utf8');
}

/**
 * Reserves the maximum size of the body from the share of the company, or of the address: slowly arriving bodies hold
 * memory.
 * @returns a function that releases it; further calls have no effect
 * @throws ServiceError too_many_requests
 */
export function takeShare(
  uploads: Shares,
  route: Pick<Route, 'access'> & { readonly upload?: { readonly limit: number } },
  http: KoaContext,
): () => void {
  if (!hasBody(http)) return () => undefined;
  const most = route.upload?.limit ?? bodyLimit(route);
  const releaseShare = uploads.take(shareHolder(http), Math.min(most, Number(http.get('Content-Length') || most)));
  if (releaseShare !== null) return releaseShare;
  throw new ServiceError('too_many_requests', 'Too many bodies are being sent at once; let some of them finish first', {
    retryAfter: 5,
  });
}

/** The bytes of a JSON body; its maximum if they are not known before it has arrived. */
export function bodyBytes(http: KoaContext, route: Pick<Route, 'access' | 'upload'>): number {
  // Files are counted when they are stored.
  if (!hasBody(http) || route.upload !== undefined) return 0;
  return Math.min(bodyLimit(route), Number(http.get('Content-Length') || bodyLimit(route)));
}

function hasBody(http: KoaContext): boolean {
  return http.get('Transfer-Encoding') !== '' || Number(http.get('Content-Length') || 0) > 0;
}

function refuse(error: Error, limit: number): never {
  const status = 'status' in error ? error.status : undefined;
  if (status === 413) {
    throw new ServiceError('body_too_large', `A body may have at most ${limit} bytes`, { cause: error });
  }
  if (status === 415) throw new ServiceError('unsupported_media_type', 'Send the body as UTF-8', { cause: error });
  throw new ServiceError('bad_request', 'The body could not be read completely', { cause: error });
}
