/** Builds the API from its route declarations; server.ts makes it listen. */
import cors from '@koa/cors';
import Router, { type RouterContext } from '@koa/router';
import Koa from 'koa';
import compress from 'koa-compress';
import { Shares } from '../db/shares.ts';
import { ServiceError } from '../domain/errors.ts';
import { invitationPages } from './access/invitations/page.ts';
import { docsRoutes } from './docs/routes.ts';
import { endConnections } from './draining.ts';
import { aliases } from './middleware/aliases.ts';
import { readDeadline, unreadShare } from './middleware/answers.ts';
import { apiVersion } from './middleware/api-version.ts';
import { caching } from './middleware/caching.ts';
import { clientAddress } from './middleware/client-address.ts';
import { problems } from './middleware/problems.ts';
import { createRateLimit } from './middleware/rate-limit.ts';
import { requestId } from './middleware/request-id.ts';
import { type RequestDetails, requestLog } from './middleware/request-log.ts';
import { tracing } from './middleware/tracing.ts';
import { createMetrics } from './operation/health/metrics.ts';
import { healthRoutes } from './operation/health/routes.ts';
import { createHandler, type Handler } from './pipeline/pipeline.ts';
import { ProcessorShares } from './pipeline/processor-shares.ts';
import { ThreadShares } from './pipeline/thread-shares.ts';
import type { Deps, Route } from './route.ts';
import { ROUTES } from './routes.ts';

const MIB = 1024 * 1024;
/** Limits for the bytes of request bodies in flight and of unread responses, over all processes. */
const ARRIVING = { whole: 512 * MIB, share: 128 * MIB };
const UNREAD = { whole: 256 * MIB, share: 64 * MIB };

const EXPOSED_HEADERS = [
  'api-version',
  'X-Request-Id',
  'ETag',
  'Content-Disposition',
  'Location',
  'Idempotent-Replayed',
  'RateLimit',
  'RateLimit-Policy',
  'Preference-Applied',
  'Retry-After',
  'Warning',
];

/**
 * Builds the application.
 * @param deps dependencies of the handlers
 * @param resources routes of the resources; health, metrics and documentation are added
 * @returns a Koa application that does not listen yet, all of its routes, and `prepare`, which does what the first answers would have to
 * wait for
 */
export function buildApp(
  deps: Deps,
  resources: readonly Route[] = ROUTES,
): Koa & { readonly routes: readonly Route[]; readonly prepare: () => Promise<void> } {
  const metrics = createMetrics(deps, deps.config.dataDir);
  const operational = [...healthRoutes(deps, metrics), ...invitationPages];
  const { uiUrl, namespace } = deps.config.temporal;
  const temporalUi = { url: uiUrl, namespace };
  const routes = [...resources, ...operational, ...docsRoutes([...resources, ...operational], temporalUi)];

  const app = new Koa();
  app.silent = true; // Our own middleware answers and logs failures.
  app.on('error', (error: Error & { code?: string }) => {
    if (!isClientGone(error)) deps.logger.error({ err: error }, 'response failed');
  });
  app.use(readDeadline({ idleMs: deps.config.api.answerIdleMs, wholeMs: deps.config.api.answerMs }));
  app.use(endConnections(deps.draining));
  app.use(clientAddress(deps.config.api.trustProxy));
  app.use(caching());
  app.use(requestId());
  app.use(requestLog(deps.accessLog, metrics.observe));
  app.use(tracing());
  app.use(problems(deps.logger));
  app.use(cors({ origin: allowedOrigin(deps.config.api.corsOrigins), exposeHeaders: EXPOSED_HEADERS, maxAge: 600 }));
  app.use(apiVersion());
  app.use(compress({ threshold: 1024 }));
  app.use(aliases());
  app.use(unreadShare(processShares(UNREAD, deps)));
  app.use(dispatcher(deps, routes));
  app.use((http) => {
    throw new ServiceError('not_found', `There is nothing at ${http.path}`);
  });
  const prepare = async () => {
    for (const route of routes) await route.prepare?.();
  };
  return Object.assign(app, { routes, prepare });
}

/** Whether the client disconnected while sending or receiving, which is no failure of the service. */
function isClientGone({ code }: { code?: string }): boolean {
  return /^(ECONNRESET|EPIPE|ERR_STREAM_PREMATURE_CLOSE|HPE_\w+)$/.test(code ?? '');
}

function allowedOrigin(origins: readonly string[]): (http: Koa.Context) => string {
  return (http) => {
    const origin = http.get('Origin');
    if (origins.includes('*')) return '*';
    return origins.includes(origin) ? origin : '';
  };
}

/** The limits of this process. */
function processShares({ whole, share }: typeof ARRIVING, { siblings: { processes } }: Deps): Shares {
  return new Shares(whole / processes, share / processes);
}

/**
 * Dispatches by one entry per path, most specific first, so that a missing method is a 405 and does not fall through to
 * another path.
 */
function dispatcher(deps: Deps, routes: readonly Route[]): Koa.Middleware {
  const { companyPercent } = deps.config;
  const processors = new ProcessorShares(companyPercent);
  const limits = {
    rate: createRateLimit(deps.config.api.rateLimitPerMinute, deps.now, deps.siblings),
    uploads: processShares(ARRIVING, deps),
    threads: new ThreadShares(companyPercent, () => processors.areBusy),
    processors,
  };
  const paths = new Map<string, Map<string, Handler>>();
  for (const route of routes) {
    const methods = paths.get(route.path) ?? new Map<string, Handler>();
    if (methods.has(route.method)) throw new Error(`${route.method} ${route.path} is declared twice`);
    methods.set(route.method, createHandler(deps, route, limits));
    paths.set(route.path, methods);
  }
  // One router per area, since a router tries its paths one after another.
  const routers = new Map<string, Router>();
  for (const path of [...paths.keys()].sort(bySpecificity)) {
    const router = routers.get(pathArea(path)) ?? new Router({ sensitive: true });
    routers.set(pathArea(path), router);
    router.all(path, dispatch(path, paths.get(path) as Map<string, Handler>));
  }
  const areas = new Map([...routers].map(([area, router]) => [area, router.routes()]));
  return (http, next) => areas.get(pathArea(http.path))?.(http as RouterContext, next) ?? next();
}

/** The first segment of a path after /api; empty for other paths. */
function pathArea(path: string): string {
  return path.startsWith('/api/') ? (path.split('/', 3)[2] ?? '') : '';
}

function dispatch(path: string, methods: ReadonlyMap<string, Handler>): (http: Koa.Context) => Promise<void> {
  const allowed = [...methods.keys(), ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  return async (http) => {
    (http.state.details as RequestDetails).route = path;
    const handler = methods.get(http.method === 'HEAD' ? 'GET' : http.method);
    if (handler !== undefined) return handler(http);
    http.set('Allow', allowed);
    if (http.method !== 'OPTIONS') {
      throw new ServiceError('method_not_allowed', `${http.path} supports ${allowed}`);
    }
    http.status = 204;
  };
}

/** Sorts literal segments before parameters, segment by segment. */
function bySpecificity(one: string, other: string): number {
  const form = (path: string) => path.replaceAll(/:\w+/g, '\uffff');
  return form(one) < form(other) ? -1 : 1;
}
