/** The HTTP server around the application: how long requests may take to arrive, and what is answered to what is no HTTP. */
import { createServer, type Server } from 'node:http';
import type Koa from 'koa';
import type { Config } from '../config/index.ts';
import { answerClientErrors } from './client-errors.ts';
import type { Logger } from './logger.ts';

/** For the address and the headers of a request. */
const HEADERS_MS = 20_000;
/** How often it is looked at who is late. */
const LOOK_MS = 5000;

/** @returns a server that does not listen yet */
export function createHttpServer(app: Koa, { api: { requestMs } }: Config, logger: Logger): Server {
  const options = {
    requestTimeout: requestMs,
    headersTimeout: Math.min(HEADERS_MS, requestMs),
    connectionsCheckingInterval: Math.min(LOOK_MS, requestMs),
  };
  const server = createServer(options, app.callback());
  answerClientErrors(server, logger);
  return server;
}
