import type { Middleware } from 'koa';
import { isTracing, traced } from '../../services/platform/tracing/tracing.ts';
import type { RequestDetails } from './request-log.ts';

const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Records a span for each request, within the trace of its caller if it names one. Health checks and metrics have none. */
export function tracing(): Middleware {
  return (http, next) => {
    if (!isTracing() || !http.path.startsWith('/api/')) return next();
    const given = http.get('traceparent');
    const parent = TRACEPARENT.test(given) ? given : null;
    const attributes = { 'http.request.method': http.method, 'request.id': String(http.state.requestId) };
    return traced(http.method, { kind: 'server', attributes, parent }, async (span) => {
      await next();
      const { route, tenantId } = http.state.details as RequestDetails;
      if (route !== undefined) span.rename(`${http.method} ${route}`);
      span.set({ 'http.route': route, 'http.response.status_code': http.status, 'company.id': tenantId });
      if (http.status >= 500) span.fail(`status ${http.status}`);
    });
  };
}
