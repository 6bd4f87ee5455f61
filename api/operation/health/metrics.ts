/**
 * Metrics for Prometheus. Per process on this address, labelled by its number: requests and the connection pool. For the whole service,
 * identical from every process: the outbox, tasks, workers, and the workers' counters.
 */
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type OperationalMetrics, readMetrics } from '../../../services/operation/metrics/metrics.ts';
import { measureDisks } from '../../../services/operation/watch/disk.ts';
import { COUNTED, type CountedName, GAUGED, type GaugedName } from '../../../services/platform/counters/work-counts.ts';
import type { RequestDetails } from '../../middleware/request-log.ts';
import type { Deps } from '../../route.ts';

export interface Metrics {
  readonly contentType: string;
  observe(details: RequestDetails, method: string, status: number, seconds: number): void;
  /** Renders all metrics as text. */
  render(): Promise<string>;
}

/** Requests that match no route share one label, so that a scanner cannot fill the memory. */
const UNMATCHED = '(none)';

const TOPIC = 'metrics';
type ProcessMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

export function createMetrics(
  { database, siblings, backlogs }: Pick<Deps, 'database' | 'siblings' | 'backlogs'>,
  dataDir: string,
): Metrics {
  const registry = new Registry();
  // The counters of a process start over when another replaces it, so sums over processes would jump.
  if (siblings.processes > 1) registry.setDefaultLabels({ process: String(siblings.number) });
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
    help: 'Connections of the pool by state, and requests waiting for one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(database.poolUsage())) this.set({ state }, count);
    },
  });
  new Gauge({
    name: 'companies_slowed_down',
    help: 'Companies whose writes are slowed down, since their events would wait for long',
    registers: [registry],
    collect() {
      this.set(backlogs.slowed);
    },
  });
  new Gauge({
    name: 'disk_free_bytes',
    help: 'Free space on the disks that hold the service data, by path; absent if the system cannot tell',
    labelNames: ['path'],
    registers: [registry],
    async collect() {
      const spaces = await measureDisks(dataDir).catch(() => []);
      for (const { path, freeBytes } of spaces) this.set({ path }, freeBytes);
    },
  });
  const readProcessMetrics = () => registry.getMetricsAsJSON();
  siblings.answer(TOPIC, readProcessMetrics);
  const service = new Registry();
  const show = serviceMetrics(service);
  return {
    contentType: registry.contentType,
    observe: ({ route }, method, status, seconds) =>
      requests.observe({ method, route: route ?? UNMATCHED, status: String(status) }, seconds),
    async render() {
      const [current, own, others] = await Promise.all([
        readMetrics(database).catch(() => null),
        readProcessMetrics(),
        siblings.ask<ProcessMetrics>(TOPIC),
      ]);
      show(current);
      const processes = mergeProcesses([own, ...others]);
      return `${await processes.metrics()}\n${await service.metrics()}`;
    },
  };
}

/** Merges the metrics of several processes, which their labels tell apart. */
function mergeProcesses(processes: readonly ProcessMetrics[]): Registry {
  return AggregatorRegistry.aggregate(
    processes.map((metrics) => metrics.map((metric) => ({ ...metric, aggregator: 'first' }))),
  );
}

/** Registers the metrics of the whole service. @returns a function that updates them, or marks the database as down */
function serviceMetrics(registry: Registry): (current: OperationalMetrics | null) => void {
  const registers = [registry];
  const oldest = new Gauge({
    name: 'outbox_lag_seconds',
    help: 'Age of the oldest event waiting for hand-over; -1 while the database does not answer',
    registers,
  });
  const lag = new Gauge({
    name: 'outbox_event_lag_seconds',
    help: 'Age of the oldest waiting event by event name; absent when none waits',
    labelNames: ['event'],
    registers,
  });
  const dead = new Gauge({
    name: 'outbox_dead_events',
    help: 'Dead events: set aside because they cannot be handed over; npm run outbox lists and retries them',
    registers,
  });
  const tasks = new Gauge({
    name: 'tasks',
    help: 'Background tasks by kind and status',
    labelNames: ['type', 'status'],
    registers,
  });
  const workers = new Gauge({
    name: 'workers_alive',
    help: 'Worker processes with a heartbeat within 30 s, by task queue',
    labelNames: ['queue'],
    registers,
  });
  const pruned = new Gauge({
    name: 'maintenance_last_success_timestamp_seconds',
    help: 'When data past its retention was last deleted completely, by kind',
    labelNames: ['kind'],
    registers,
  });
  const unpruned = new Gauge({
    name: 'maintenance_failing',
    help: '1 if the deletion has failed since then, by kind',
    labelNames: ['kind'],
    registers,
  });
  const records = new Gauge({
    name: 'verifactu_records_waiting',
    help: 'Records of invoices that wait to be sent to the tax agency, of all companies, by what keeps them; empty for nothing',
    labelNames: ['problem'],
    registers,
  });
  const chains = new Gauge({
    name: 'verifactu_chains_waiting',
    help: 'Chains of records with some that wait, by what keeps them; empty for nothing',
    labelNames: ['problem'],
    registers,
  });
  const submissions = new Gauge({
    name: 'face_submissions',
    help: 'Invoices to public bodies that wait to be sent or are followed, of all companies, by status',
    labelNames: ['status'],
    registers,
  });
  const failing = new Gauge({
    name: 'face_submissions_failing',
    help: 'Those of them about which FACe could not be asked last',
    labelNames: ['status'],
    registers,
  });
  const counters = new Map(
    Object.entries(COUNTED).map(([name, { help, labels }]) => [
      name as CountedName,
      new Counter({ name, help, labelNames: labels, registers }),
    ]),
  );
  const gauges = new Map(
    Object.entries(GAUGED).map(([name, { help, labels }]) => [
      name as GaugedName,
      new Gauge({ name, help, labelNames: labels, registers }),
    ]),
  );
  return (current) => {
    for (const metric of [
      lag,
      tasks,
      workers,
      pruned,
      unpruned,
      records,
      chains,
      submissions,
      failing,
      ...counters.values(),
      ...gauges.values(),
    ]) {
      metric.reset();
    }
    oldest.set(current === null ? -1 : Math.max(0, ...current.lag.map(({ seconds }) => Math.round(seconds))));
    if (current === null) return;
    dead.set(current.dead);
    for (const { event, seconds } of current.lag) lag.set({ event }, seconds);
    for (const { type, status, tasks: count } of current.tasks) tasks.set({ type, status }, count);
    for (const { queue, workers: count } of current.workers) workers.set({ queue }, count);
    for (const { kind, doneAt, failing: fails } of current.prunings) {
      if (doneAt !== null) pruned.set({ kind }, doneAt);
      unpruned.set({ kind }, Number(fails));
    }
    for (const { problem, ...waiting } of current.records) {
      records.set({ problem }, waiting.records);
      chains.set({ problem }, waiting.chains);
    }
    for (const { status, ...open } of current.submissions) {
      submissions.set({ status }, open.submissions);
      failing.set({ status }, open.failing);
    }
    for (const { name, labels, value } of current.counts) counters.get(name)?.inc(labels, value);
    for (const { name, labels, value } of current.gauges) gauges.get(name)?.set(labels, value);
  };
}
