/** Reads JSON bodies, and reports precisely why one cannot be read. */
import { isUtf8 } from 'node:buffer';
import type { Context as KoaContext } from 'koa';
import { koaBody } from 'koa-body';
import type { Shares } from '../../db/shares.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Route } from '../route.ts';
import { shareHolder } from './answers.ts';

/** Maximum bytes of a JSON body. */
const JSON_LIMIT = 1024 * 1024;
/** Maximum bytes of a JSON body on routes that anybody may call. */
const PUBLIC_JSON_LIMIT = 16 * 1024;

const parsers = new Map([JSON_LIMIT, PUBLIC_JSON_LIMIT].map((limit) => [limit, bodyParser(limit)]));

/** The maximum bytes of a JSON body on a route. */
function bodyLimit({ access }: Pick<Route, 'access'>): number {
  return access === 'public' ? PUBLIC_JSON_LIMIT : JSON_LIMIT;
}

function bodyParser(limit: number) {
  return koaBody({
    // One character per byte, so that invalid UTF-8 can still be detected.
    encoding: 'binary',
    includeUnparsed: true,
    jsonLimit: limit,
    jsonStrict: false,
    multipart: false,
    urlencoded: false,
    text: false,
    parsedMethods: ['POST', 'PUT', 'PATCH', 'DELETE'] as never,
    patchKoa: true,
    patchNode: false,
    onError: (error) => refuse(error, limit),
  });
}

/**
 * Reads the parsed body; undefined if there is none.
 * @throws ServiceError unsupported_media_type, malformed_json, body_too_large
 */
export async function readBody(http: KoaContext, route: Pick<Route, 'access'>): Promise<unknown> {
  if (!hasBody(http)) return undefined;
  const parse = parsers.get(bodyLimit(route)) as ReturnType<typeof bodyParser>;
  if (http.is('application/json', '+json') === false) {
    throw new ServiceError('unsupported_media_type', 'Send the body as JSON, with Content-Type: application/json');
  }
  if (!/^(utf-?8)?$/i.test(http.request.charset))
    throw new ServiceError('unsupported_media_type', 'Send the body as UTF-8');
  await parse(http, async () => {});
  const { body, rawBody = '' } = http.request as { body?: unknown; rawBody?: string };
  if (rawBody === '') return undefined;
  return IS_ASCII.test(rawBody) ? body : decodeUtf8(Buffer.from(rawBody, 'binary'));
}

const IS_ASCII = /^[^\x80-\xff]*$/;

/** Decodes a body parsed byte by byte as UTF-8. @throws ServiceError malformed_json if it is invalid */
function decodeUtf8(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new ServiceError('malformed_json', 'The body is not UTF-8');
  return JSON.parse(bytes.toString('utf8'));
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
  if (error instanceof SyntaxError) {
    throw new ServiceError('malformed_json', 'The body is not valid JSON', { cause: error });
  }
  throw new ServiceError('bad_request', 'The body could not be read completely', { cause: error });
}
