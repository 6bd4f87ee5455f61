/**
 * Limits for unread responses, which hold memory, and exports, which hold a connection: each has a time limit, and each
 * company a share.
 */
import type { ServerResponse } from 'node:http';
import type { Context as KoaContext, Middleware } from 'koa';
import type { Shares } from '../../db/shares.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { RequestDetails } from './request-log.ts';

/**
 * A streamed response has about a dozen listeners, a fixed number: our layers, Koa and the compression each wait for its end. Beyond ten
 * Node.js would warn of a leak with every export.
 */
const MOST_LISTENERS = 20;

/** Aborts a response if nothing of it was read for `idleMs`, or if it was not read completely within `wholeMs`. */
export function readDeadline({ idleMs, wholeMs }: { idleMs: number; wholeMs: number }): Middleware {
  return async ({ req: { socket }, res }, next) => {
    res.setMaxListeners(MOST_LISTENERS);
    await next();
    if (res.closed) return; // The reader is gone.
    // Node tracks sent data, even parts of a write, and closes the connection if nothing is sent. The next request on
    // it starts over.
    socket.setTimeout(idleMs);
    const deadline = setTimeout(() => socket.destroy(), wholeMs);
    res.once('close', () => clearTimeout(deadline));
  };
}

/** Limits the memory for unread responses by shares. Responses to changes are always sent. */
export function unreadShare(unread: Shares): Middleware {
  return async (http, next) => {
    await next();
    const { body } = http as { body: unknown };
    const length = body instanceof Uint8Array || typeof body === 'string' ? body.length : 0;
    if (http.method !== 'GET' || length === 0) return;
    const releaseShare = unread.take(shareHolder(http), length);
    if (releaseShare === null) {
      throw new ServiceError('too_many_requests', 'Too many responses are unread; read them before requesting more', {
        retryAfter: 5,
      });
    }
    whenClosed(http.res, releaseShare);
  };
}

/**
 * Calls `act` when the response's connection closes, or at once if it is already closed: the reader may be gone before
 * the response is ready.
 */
export function whenClosed(res: ServerResponse, act: () => void): void {
  if (res.closed) act();
  else res.once('close', act);
}

/** The owner of the share that a request uses: the company, or else the address. */
export function shareHolder(http: KoaContext): string {
  return (http.state.details as RequestDetails).tenantId ?? `address:${http.ip}`;
}
