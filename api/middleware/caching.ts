import type { Middleware } from 'koa';

/**
 * Sets the caching headers of every response, including errors, unless the route is stricter. Only the client may cache
 * API responses, revalidating each time: responses for one token or company must not serve another.
 */
export function caching(): Middleware {
  return (http, next) => {
    if (http.path === '/api' || http.path.startsWith('/api/')) {
      http.set('Cache-Control', 'private, no-cache');
      http.vary('Authorization, X-Tenant-Id, Accept-Language');
    } else {
      http.set('Cache-Control', 'no-store');
    }
    return next();
  };
}
