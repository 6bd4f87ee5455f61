/** What Prometheus reads: requests by route and status, the connection pool, the outbox. One registry for each application. */
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from '../../db/database.ts';
import { outboxLagSeconds } from '../../services/outbox/lag.ts';
import type { RequestFacts } from '../middleware/request-log.ts';

export interface Metrics {
  readonly contentType: string;
  observe(facts: RequestFacts, method: string, status: number, seconds: number): void;
  /** All metrics as text. */
  render(): Promise<string>;
}

/** Requests that match no route share one label, so that a scanner cannot fill the memory. */
const UNMATCHED = '(none)';

export function createMetrics(database: Database): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of requests by method, route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  new Gauge({
    name: 'database_pool_connections',
    help: 'Connections of the pool by state, and requests that wait for one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(database.poolUsage())) this.set({ state }, count);
    },
  });
  new Gauge({
    name: 'outbox_lag_seconds',
    help: 'Age of the oldest event that was not handed on yet; -1 while the database does not answer',
    registers: [registry],
    async collect() {
      this.set(await outboxLagSeconds(database).catch(() => -1));
    },
  });
  return {
    contentType: registry.contentType,
    observe: ({ route }, method, status, seconds) =>
      requests.observe({ method, route: route ?? UNMATCHED, status: String(status) }, seconds),
    render: () => registry.metrics(),
  };
}
