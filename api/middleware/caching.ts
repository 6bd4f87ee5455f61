import type { Middleware } from 'koa';

/**
 * Caching headers of every answer, including errors, unless its route is stricter. Only the client may cache API answers, revalidating each
 * time; answers for one token or company must not serve another.
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
