import { createHash, timingSafeEqual } from 'node:crypto';
import { Type } from 'typebox';
import { ServiceError } from '../../../domain/errors.ts';
import { WriteProbe } from '../../../services/operation/metrics/write-probe.ts';
import { binary, choice, nullable } from '../../../services/platform/validation/schemas.ts';
import { type Deps, defineRoute, type Route } from '../../route.ts';
import { checkReadiness } from './checks.ts';
import type { Metrics } from './metrics.ts';

const TAG = 'Operation';
/** Seconds after which a client should retry while the service is down. */
const RETRY_AFTER = 5;
const NO_STORE = { 'Cache-Control': 'no-store' };
const part = () => choice(['ok', 'down']);
const readiness = Type.Object(
  {
    status: choice(['ok', 'degraded', 'down', 'stopping']),
    checks: Type.Object({
      database: part(),
      temporal: part(),
      worker: part(),
      outbox_lag_seconds: nullable(Type.Number()),
    }),
  },
  { title: 'Readiness' },
);

/** Routes of health checks for load balancers, and of metrics for Prometheus. */
export function healthRoutes(deps: Deps, metrics: Metrics): Route[] {
  const probe = new WriteProbe(deps.database);
  return [
    defineRoute({
      method: 'GET',
      path: '/health/live',
      id: 'isLive',
      summary: 'Whether the process runs',
      description: 'Checks nothing else; restart a process that does not respond.',
      tag: TAG,
      access: 'public',
      responses: { 200: Type.Object({ status: choice(['ok']) }) },
      handler: async () => ({ status: 200, body: { status: 'ok' }, headers: NO_STORE }),
    }),
    defineRoute({
      method: 'GET',
      path: '/health/ready',
      id: 'isReady',
      summary: 'Whether requests can be served, and which parts respond',
      description:
        '503 while the database is down or read-only, and before the process ends (`stopping`): send it nothing more. Without Temporal ' +
        'or workers it is `degraded`: requests are served, background work waits.',
      tag: TAG,
      access: 'public',
      responses: { 200: readiness, 503: readiness },
      handler: async () => {
        const state = await checkReadiness(deps, probe);
        if (state.status === 'ok' || state.status === 'degraded')
          return { status: 200, body: state, headers: NO_STORE };
        return { status: 503, body: state, headers: { ...NO_STORE, 'Retry-After': String(RETRY_AFTER) } };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/metrics',
      id: 'metrics',
      summary: 'Metrics in the text format of Prometheus',
      problems: ['unauthorized'],
      description:
        'Requires METRICS_TOKEN as Bearer token, except in development for requests from the same machine that do not pass a proxy.',
      tag: TAG,
      access: 'public',
      responses: { 200: binary('text/plain') },
      handler: async ({ fromThisMachine, header }) => {
        const { production, api } = deps.config;
        if (production || !fromThisMachine) assertToken(api.metricsToken, header('Authorization'));
        const body = Buffer.from(await metrics.render());
        return { status: 200, body, headers: { 'Content-Type': metrics.contentType } };
      },
    }),
  ];
}

function assertToken(expected: string | undefined, authorization: string | undefined): void {
  const given = authorization?.trim().replace(/^bearer\s+/i, '') ?? '';
  // Hashes have equal length, so the comparison time does not reveal the token's length.
  if (expected === undefined || !timingSafeEqual(hashText(given), hashText(expected))) {
    throw new ServiceError('unauthorized', 'Metrics require METRICS_TOKEN, as configured here, as Bearer token');
  }
}

function hashText(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
