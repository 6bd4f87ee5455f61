/** Unread answers hold memory, and exports hold a connection, so each has a time limit and each company a share. */
import type { ServerResponse } from 'node:http';
import type { Context as KoaContext, Middleware } from 'koa';
import type { Shares } from '../../db/shares.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { RequestFacts } from './request-log.ts';

/** Aborts an answer of which nothing was read for `idleMs`, or that was not read completely within `wholeMs`. */
export function readDeadline({ idleMs, wholeMs }: { idleMs: number; wholeMs: number }): Middleware {
  return async ({ req: { socket }, res }, next) => {
    await next();
    if (res.closed) return; // The reader has gone meanwhile.
    // Node tracks what is sent, down to parts of a write, and closes the connection when nothing is. The next request on it starts over.
    socket.setTimeout(idleMs);
    const deadline = setTimeout(() => socket.destroy(), wholeMs);
    res.once('close', () => clearTimeout(deadline));
  };
}

/** Limits the memory for unread answers to shares. Answers to changes are always sent. */
export function unreadShare(unread: Shares): Middleware {
  return async (http, next) => {
    await next();
    const { body } = http as { body: unknown };
    const length = body instanceof Uint8Array || typeof body === 'string' ? body.length : 0;
    if (http.method !== 'GET' || length === 0) return;
    const giveBack = unread.take(holderOf(http), length);
    if (giveBack === null) {
      throw new ServiceError('too_many_requests', 'Too many answers are unread; read those before you ask for more', {
        retryAfter: 5,
      });
    }
    whenClosed(http.res, giveBack);
  };
}

/**
 * Calls `act` when the answer's connection is closed, or at once if it already is: the reader may have gone before the answer was ready.
 */
export function whenClosed(res: ServerResponse, act: () => void): void {
  if (res.closed) act();
  else res.once('close', act);
}

/** The owner of the share that a request uses: the company, or else the address. */
export function holderOf(http: KoaContext): string {
  return (http.state.facts as RequestFacts).tenantId ?? `address:${http.ip}`;
}
