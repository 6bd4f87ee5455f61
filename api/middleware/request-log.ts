import type { Middleware } from 'koa';
import type { Logger } from '../logger.ts';

/** Facts about a request found by inner layers, for its log line and metrics. */
export interface RequestDetails {
  /** The declared path, e.g. /api/partners/:id; undefined if nothing matched. */
  route?: string;
  tenantId?: string;
  userId?: string | null;
  /** Called once the answer is complete, a file's too, or its client has gone. */
  over?: () => void;
}

/** Logs one line per request, at its end. Health checks and metrics are logged only at level debug. */
export function requestLog(
  logger: Logger,
  onEnd: (details: RequestDetails, method: string, status: number, seconds: number) => void,
): Middleware {
  return async (http, next) => {
    const started = process.hrtime.bigint();
    const details: RequestDetails = {};
    http.state.details = details;
    http.res.once('close', () => {
      const ms = Number(process.hrtime.bigint() - started) / 1e6;
      details.over?.();
      onEnd(details, http.method, http.status, ms / 1000);
      const level = details.route?.startsWith('/health') || details.route === '/metrics' ? 'debug' : 'info';
      logger[level](
        {
          requestId: http.state.requestId,
          tenant: details.tenantId,
          user: details.userId ?? undefined,
          method: http.method,
          route: details.route ?? http.path,
          status: http.status,
          ms: Math.round(ms * 10) / 10,
          ...(http.res.writableFinished ? {} : { aborted: true }),
        },
        'request',
      );
    });
    await next();
  };
}
