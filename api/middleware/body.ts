/** Reads JSON bodies, and says precisely why one cannot be read. */
import type { Context as KoaContext } from 'koa';
import { koaBody } from 'koa-body';
import { ServiceError } from '../../domain/errors.ts';

/** Bytes of a JSON body at most. */
export const JSON_LIMIT = 1024 * 1024;

const parse = koaBody({
  jsonLimit: JSON_LIMIT,
  jsonStrict: false,
  multipart: false,
  urlencoded: false,
  text: false,
  parsedMethods: ['POST', 'PUT', 'PATCH', 'DELETE'] as never,
  patchKoa: true,
  patchNode: false,
  onError: refuse,
});

/**
 * The parsed body; undefined when there is none.
 * @throws ServiceError unsupported_media_type, malformed_json, body_too_large
 */
export async function readBody(http: KoaContext): Promise<unknown> {
  if (!hasBody(http)) return undefined;
  if (http.is('application/json', '+json') === false) {
    throw new ServiceError('unsupported_media_type', 'Send the body as JSON, with Content-Type: application/json');
  }
  if (!/^(utf-?8)?$/i.test(http.request.charset))
    throw new ServiceError('unsupported_media_type', 'Send the body as UTF-8');
  await parse(http, async () => {});
  const body: unknown = (http.request as { body?: unknown }).body;
  return body === '' ? undefined : body;
}

function hasBody(http: KoaContext): boolean {
  return http.get('Transfer-Encoding') !== '' || Number(http.get('Content-Length') || 0) > 0;
}

function refuse(error: Error): never {
  const status = 'status' in error ? error.status : undefined;
  if (status === 413) {
    throw new ServiceError('body_too_large', `A body has at most ${JSON_LIMIT} bytes`, { cause: error });
  }
  if (status === 415) throw new ServiceError('unsupported_media_type', 'Send the body as UTF-8', { cause: error });
  if (error instanceof SyntaxError) {
    throw new ServiceError('malformed_json', 'The body is not valid JSON', { cause: error });
  }
  throw new ServiceError('bad_request', 'The body could not be read to its end', { cause: error });
}
