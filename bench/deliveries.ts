/** Set-up for the benchmarks of webhooks: a worker as a separate process with Temporal's dev server, receivers, events. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { v7 as uuid } from 'uuid';
import { testTemporal } from '../test/helpers/servers.ts';
import type { Stage } from './stage.ts';

/** Receives webhooks of events that it commits. */
export interface EventReceiver {
  /** Address of the receiver. */
  readonly url: string;
  /** Registers webhooks for `event`, each with its own path below `path`. */
  register(event: string, path: string, count: number): Promise<void>;
  /** Commits a number of events at once. @returns their ids */
  commit(event: string, count: number): Promise<string[]>;
  /** Resolves after this many further requests. */
  received(count: number): Promise<void>;
  /** Arrival of each event, by `performance.now()`. */
  readonly receipts: Map<string, number>;
  stop(): Promise<void>;
}

export interface Deliveries extends EventReceiver {
  /** Runs a number of bare workflows. @returns milliseconds */
  bare(count: number): Promise<number>;
}

/** Paths with this prefix are never answered. */
export const HUNG = '/hung';

/** A receiver, and a worker that delivers to it. */
export async function openDeliveries(stage: Stage): Promise<Deliveries> {
  const { address } = await testTemporal();
  const worker = child('worker/main.ts', ['--queues', 'webhooks,documents'], {
    DATABASE_URL: stage.databaseUrl,
    TEMPORAL_ADDRESS: address,
    ENCRYPTION_KEY: 'the encryption key of the benchmarks, long enough',
    OUTBOUND_ALLOWED_TARGETS: '127.0.0.1:*',
    NODE_ENV: 'production',
    JWT_SECRET: 'the signing key of the benchmarks, long enough',
  });
  await said(worker, /Working on/);
  const measure = child('bench/bare-worker.ts', [], { TEMPORAL_ADDRESS: address });
  await said(measure, /ready/);
  const receiver = await openReceiver(stage);
  return {
    ...receiver,
    async bare(count) {
      const answer = said(measure, /^[\d.]+$/);
      measure.stdin?.write(`${count}\n`);
      return Number(await answer);
    },
    async stop() {
      await ended(measure, 'SIGTERM');
      await ended(worker, 'SIGTERM');
      await receiver.stop();
    },
  };
}

/** A receiver for a service that has workers. */
export async function openReceiver(stage: Stage): Promise<EventReceiver> {
  const receipts = new Map<string, number>();
  let expected = 0;
  let arrived: () => void = () => undefined;
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url?.startsWith(HUNG)) return;
      response.end();
      receipts.set((JSON.parse(Buffer.concat(chunks).toString()) as { id: string }).id, performance.now());
      expected -= 1;
      if (expected === 0) arrived();
    });
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const database = new pg.Client(stage.databaseUrl);
  await database.connect();
  await database.query(`select set_config('app.tenant_id', $1, false)`, [stage.tenantId]);
  return {
    url,
    receipts,
    async register(event, path, count) {
      const rows = Array.from({ length: count }, (_, index) => ({ id: uuid(), url: `${url}${path}/${index}` }));
      await stage.fill(
        `insert into webhooks (id, tenant_id, name, url, events, retry_policy, max_in_flight, rate_per_second, created_at, updated_at,
          version)
         select r.id, $1, 'bench', r.url, array[$2], '{"max_attempts": 3, "retry_delay_seconds": [60]}', $3, 1000, now(), now(), 1
         from json_to_recordset($4) as r (id uuid, url text)`,
        [stage.tenantId, event, path.startsWith(HUNG) ? 10 : 100, JSON.stringify(rows)],
      );
    },
    async commit(event, count) {
      const ids = Array.from({ length: count }, () => uuid());
      const notify = `select pg_notify('outbox', '')`;
      await database.query('begin');
      await database.query(
        `insert into outbox (id, tenant_id, event, entity_type, entity_id, payload, created_at)
         select e::uuid, $1, $2, 'Item', gen_random_uuid(), '{"item_id": "x", "code": "A", "stock": "1"}', now()
           from unnest($3::text[]) as e`,
        [stage.tenantId, event, ids],
      );
      await database.query(notify);
      await database.query('commit');
      return ids;
    },
    received(count) {
      expected = count;
      return new Promise((resolve) => {
        arrived = resolve;
      });
    },
    async stop() {
      await database.end();
      await closed(receiver);
    },
  };
}

function child(file: string, args: readonly string[], env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', file, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, LOG_LEVEL: 'info', ...env },
  });
}

const lines = new WeakMap<ChildProcess, ReturnType<typeof createInterface>>();

/** Waits for the next matching line of a process. */
async function said(process: ChildProcess, pattern: RegExp): Promise<string> {
  const reader = lines.get(process) ?? createInterface(process.stdout as NodeJS.ReadableStream);
  lines.set(process, reader);
  return new Promise((resolve, reject) => {
    const look = (line: string) => {
      if (!pattern.test(line)) return;
      reader.off('line', look);
      resolve(line);
    };
    reader.on('line', look);
    process.once('exit', (code) => reject(new Error(`A process of the benchmark ended with ${code}`)));
  });
}

async function ended(process: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (process.exitCode !== null) return;
  const exit = once(process, 'exit');
  process.kill(signal);
  await exit;
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}
