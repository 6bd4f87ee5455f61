import type { Middleware } from 'koa';

/**
 * What every answer says to caches, errors among them, unless its route is stricter. Of the interface nobody but the client may keep
 * anything, and that only by asking again each time; and what one token or company gets is no answer to another.
 */
export function caching(): Middleware {
  return (http, next) => {
    if (http.path === '/api' || http.path.startsWith('/api/')) {
      http.set('Cache-Control', 'private, no-cache');
      http.vary('Authorization, X-Tenant-Id');
    } else {
      http.set('Cache-Control', 'no-store');
    }
    return next();
  };
}
