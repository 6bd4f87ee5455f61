import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';

const SANE = /^[\w.:+/=-]{1,128}$/;

/**
 * Assigns each request an id (the client's own if it is valid), which is repeated in responses, logs and audit records.
 */
export function requestId(): Middleware {
  return (http, next) => {
    const given = http.get('X-Request-Id');
    const id = SANE.test(given) ? given : randomUUID();
    http.state.requestId = id;
    http.set('X-Request-Id', id);
    return next();
  };
}
