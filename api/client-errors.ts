/** Answers requests that are not valid HTTP, and therefore reach no route, with problems like all others. */
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { newId } from '../db/ids.ts';
import { ServiceError } from '../domain/errors.ts';
import { TINY_CHUNKS } from './chunks.ts';
import type { Logger } from './logger.ts';
import { problemJson } from './middleware/problems.ts';

interface ParserError extends Error {
  readonly code?: string;
}

/** The newest response of each connection of a server. */
export type Responses = Pick<WeakMap<Duplex, ServerResponse>, 'get'>;

/** Remembers the newest response of each connection. */
export function newestResponses(server: Server): Responses {
  const responses = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => responses.set(request.socket, response));
  return responses;
}

/**
 * Answers requests that node's parser rejects and closes the connection, since it is unknown where the next request
 * begins.
 */
export function answerClientErrors(server: Server, logger: Logger, responses = newestResponses(server)): void {
  server.on('clientError', (error: ParserError, socket: Duplex) => {
    const response = responses.get(socket);
    const isAnswering = response?.headersSent === true && !response.writableFinished;
    // Nothing can be inserted into a response that has begun.
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) {
      socket.destroy();
      return;
    }
    const refusal = toRefusal(error);
    const requestId = answerRaw(socket, refusal, '/');
    logger.info({ requestId, status: refusal.status, reason: error.code }, 'request is not HTTP');
  });
}

function toRefusal({ code }: ParserError): ServiceError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ServiceError('headers_too_large', 'The request line and headers must not exceed 16 KiB');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ServiceError('body_too_large', 'The extensions of a chunk must not exceed 16 KiB');
    case TINY_CHUNKS:
      return new ServiceError('bad_request', 'The chunks of a long body must have at least 100 bytes on average');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServiceError('request_timeout', 'The request did not arrive completely in time');
    default:
      return new ServiceError('bad_request', 'The request is not valid HTTP');
  }
}

/** Writes a problem to a bare socket and ends the connection. @returns the id of the request */
export function answerRaw(socket: Duplex, refusal: ServiceError, instance: string): string {
  const requestId = newId();
  const body = JSON.stringify(problemJson(refusal, { instance, requestId }));
  socket.end(
    [
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
      'Content-Type: application/problem+json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      `X-Request-Id: ${requestId}`,
      ...(refusal.retryAfter === undefined ? [] : [`Retry-After: ${refusal.retryAfter}`]),
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
    () => socket.destroy(),
  );
  return requestId;
}
