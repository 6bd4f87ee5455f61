/** Requests that are not valid HTTP reach no route; they are answered here, as problems like all others. */
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { newId } from '../db/ids.ts';
import { ServiceError } from '../domain/errors.ts';
import type { Logger } from './logger.ts';
import { problemOf } from './middleware/problems.ts';

interface ParserError extends Error {
  readonly code?: string;
}

/** Answers what node's parser rejects, and closes the connection: it is unknown where the next request begins. */
export function answerClientErrors(server: Server, logger: Logger): void {
  const responses = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => responses.set(request.socket, response));
  server.on('clientError', (error: ParserError, socket: Duplex) => {
    const response = responses.get(socket);
    const isAnswering = response?.headersSent === true && !response.writableFinished;
    // Nothing can be written into an answer that has begun.
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) {
      socket.destroy();
      return;
    }
    const refusal = refusalOf(error);
    const requestId = answerRaw(socket, refusal, '/');
    logger.info({ requestId, status: refusal.status, reason: error.code }, 'request is not HTTP');
  });
}

function refusalOf({ code }: ParserError): ServiceError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ServiceError('headers_too_large', 'Address and headers have more than 16 KiB');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ServiceError('body_too_large', 'The extensions of a chunk have more than 16 KiB');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServiceError('request_timeout', 'The request did not arrive completely in time');
    default:
      return new ServiceError('bad_request', 'The request is not valid HTTP');
  }
}

/** Answers with a problem where there is only a socket, and ends the connection. @returns the id of the request */
export function answerRaw(socket: Duplex, refusal: ServiceError, instance: string): string {
  const requestId = newId();
  const body = JSON.stringify(problemOf(refusal, { instance, requestId }));
  socket.end(
    [
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
      'Content-Type: application/problem+json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      `X-Request-Id: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
    () => socket.destroy(),
  );
  return requestId;
}
