/** The HTTP server, with limits for connections, time limits for incoming requests and answers to invalid HTTP. */
import { createServer, type Server } from 'node:http';
import type Koa from 'koa';
import type { Config } from '../config/index.ts';
import { limitChunks } from './chunks.ts';
import { answerClientErrors, newestResponses } from './client-errors.ts';
import { Connections } from './connections.ts';
import type { Logger } from './logger.ts';

/** Time limit for the request line and headers. */
const HEADERS_MS = 20_000;
/** Interval for checking late requests. */
const CHECK_INTERVAL_MS = 5000;

/** Creates a server that does not listen yet. Requests for an upgrade are left to `Sockets`. */
export function createHttpServer(app: Koa, config: Config, logger: Logger): Server {
  const { requestMs } = config.api;
  const options = {
    requestTimeout: requestMs,
    headersTimeout: Math.min(HEADERS_MS, requestMs),
    connectionsCheckingInterval: Math.min(CHECK_INTERVAL_MS, requestMs),
  };
  const server = createServer(options, app.callback());
  const responses = newestResponses(server);
  new Connections(config, logger, responses).limit(server);
  limitChunks(server);
  answerClientErrors(server, logger, responses);
  return server;
}
