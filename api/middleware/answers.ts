/** Answers whose readers do not read: they hold memory, and exports hold a connection, so each has its time and each company its share. */
import type { ServerResponse } from 'node:http';
import type { Context as KoaContext, Middleware } from 'koa';
import { Shares } from '../../db/shares.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { RequestFacts } from './request-log.ts';

const MIB = 1024 * 1024;
/** Bytes of answers that are not read yet, in each process. */
const UNREAD = { whole: 256 * MIB, share: 64 * MIB };

/** Ends an answer of which nothing was taken for so long, or which is not taken whole within its time. */
export function timeToRead({ idleMs, wholeMs }: { idleMs: number; wholeMs: number }): Middleware {
  return async ({ req: { socket }, res }, next) => {
    await next();
    if (res.closed) return; // its reader has gone meanwhile
    // Node knows what leaves, down to parts of a write, and closes the connection when nothing does. With the next request it starts anew.
    socket.setTimeout(idleMs);
    const deadline = setTimeout(() => socket.destroy(), wholeMs);
    res.once('close', () => clearTimeout(deadline));
  };
}

/** Keeps to a share of the memory that unread answers take. What has changed something is always answered. */
export function shareOfUnread(unread = new Shares(UNREAD.whole, UNREAD.share)): Middleware {
  return async (http, next) => {
    await next();
    const { body } = http as { body: unknown };
    const length = body instanceof Uint8Array || typeof body === 'string' ? body.length : 0;
    if (http.method !== 'GET' || length === 0) return;
    const giveBack = unread.take(holderOf(http), length);
    if (giveBack === null) {
      throw new ServiceError(
        'too_many_requests',
        'Too many answers wait to be read; read those before you ask for more',
        {
          retryAfter: 5,
        },
      );
    }
    whenClosed(http.res, giveBack);
  };
}

/** Acts when an answer's connection is done with it, or at once when it is already: its reader may have gone before it was made. */
export function whenClosed(res: ServerResponse, act: () => void): void {
  if (res.closed) act();
  else res.once('close', act);
}

/** Whose share a request takes: the company's, or the address's where there is none. */
export function holderOf(http: KoaContext): string {
  return (http.state.facts as RequestFacts).tenantId ?? `address:${http.ip}`;
}
