/**
 * A thousand clients of `/ws/notifications`: people of several companies, each with several tabs. All get a notification at once, by one
 * transaction per company. Compared with a bare WebSocket server that sends the same message to as many clients.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { Database } from '../db/database.ts';
import { notifyUsers } from '../services/messages/notifications/notify.ts';
import { createClient } from '../test/helpers/client.ts';
import { cpuSeconds } from './processes.ts';
import { type Check, median, percentile } from './report.ts';
import type { ApiStage } from './stage.ts';

const COMPANIES = 5;
const PEOPLE = 10;
const TABS = 20;
const CLIENTS = COMPANIES * PEOPLE * TABS;
const ROUNDS = 5;
/** Connections opened concurrently. */
const AT_A_TIME = 50;
/** Maximum time to reach all clients, relative to the bare server; maximum kilobytes per client more than the bare server. */
const LIMITS = { times: 10, kilobytes: 50 };
const NOTICE = { title: 'Payment received', body: '1,250.00 € from Talleres García, for F2026-0001' };

interface Company {
  readonly tenantId: string;
  readonly userIds: readonly string[];
}

/** A server with its usage. */
interface Server {
  /** Resident memory in bytes; seconds of CPU. */
  memory(): number;
  cpu(): number;
}

interface Reached {
  readonly kilobytes: number;
  readonly p50: number;
  readonly p95: number;
  readonly last: number;
  readonly cpuMs: number;
}

export async function sockets(stage: ApiStage): Promise<Check> {
  const database = new Database({ url: stage.databaseUrl, poolSize: COMPANIES, applicationName: 'bench' });
  try {
    const { companies, tokens } = await hirePeople(stage);
    const offers = tokens.flatMap((token) => Array.from({ length: TABS }, () => ['bearer', token]));
    const api = { memory: () => stage.memory().now, cpu: stage.cpu };
    const own = await reach(api, `${stage.address}/ws/notifications`, offers, () => tell(database, companies));
    const message = JSON.stringify({ type: 'notification', data: NOTICE, unread_count: 1 }).padEnd(own.bytes, ' ');
    const bare = await onBareServer((server, address, send) =>
      reach(server, address, Array(CLIENTS).fill([]), async () => send(message)),
    );
    const ms = ({ p50, p95, last }: Reached) => `${p50.toFixed(0)}, ${p95.toFixed(0)}, ${last.toFixed(0)} ms`;
    const cost = ({ kilobytes, cpuMs }: Reached) => `${kilobytes.toFixed(0)} KB each, ${cpuMs.toFixed(0)} ms CPU`;
    return {
      name: `a notification to each of ${CLIENTS} connected clients (half, 95 %, all of them reached; memory; CPU of the API)`,
      measured: `${ms(own)}, ${cost(own)}; a bare server ${ms(bare)}, ${cost(bare)}`,
      limit: `all within ${LIMITS.times} × the bare server's time, ${LIMITS.kilobytes} KB each on top of its`,
      passed: own.last <= LIMITS.times * bare.last && own.kilobytes - bare.kilobytes <= LIMITS.kilobytes,
      figures: { lastMs: own.last, p95Ms: own.p95, kilobytes: own.kilobytes, cpuMs: own.cpuMs, bareLastMs: bare.last },
    };
  } finally {
    await database.close();
  }
}

/** Connects a client for each offer of subprotocols, and measures the cost of reaching them all. */
async function reach(
  server: Server,
  address: string,
  offers: readonly (readonly string[])[],
  sendAll: () => Promise<unknown>,
): Promise<Reached & { readonly bytes: number }> {
  const before = server.memory();
  const arrivals: number[] = [];
  let bytes = 0;
  const clients: WebSocket[] = [];
  try {
    for (let from = 0; from < offers.length; from += AT_A_TIME) {
      const opened = offers.slice(from, from + AT_A_TIME).map(async (protocols) => {
        const client = new WebSocket(address.replace('http', 'ws'), [...protocols], { perMessageDeflate: false });
        clients.push(client);
        client.on('message', (data) => {
          if (String(data).includes('"ready"')) return;
          arrivals.push(performance.now());
          bytes = (data as Buffer).length;
        });
        await once(client, protocols.length > 0 ? 'message' : 'open');
      });
      await Promise.all(opened);
    }
    await sleep(3000); // Wait until the work of connecting is done.
    const kilobytes = (server.memory() - before) / offers.length / 1024;
    const rounds: Omit<Reached, 'kilobytes'>[] = [];
    for (let round = -1; round < ROUNDS; round++) {
      arrivals.length = 0;
      const cpu = server.cpu();
      const started = performance.now();
      await sendAll();
      while (arrivals.length < offers.length) await sleep(5);
      await sleep(300);
      const taken = arrivals.map((at) => at - started).sort((one, other) => one - other);
      const [p50, p95] = [percentile(taken, 0.5), percentile(taken, 0.95)];
      if (round >= 0) rounds.push({ p50, p95, last: percentile(taken, 1), cpuMs: (server.cpu() - cpu) * 1000 });
    }
    const of = (name: keyof (typeof rounds)[number]) => median(rounds.map((round) => round[name]));
    return { kilobytes, bytes, p50: of('p50'), p95: of('p95'), last: of('last'), cpuMs: of('cpuMs') };
  } finally {
    for (const client of clients) client.terminate();
  }
}

async function tell(database: Database, companies: readonly Company[]): Promise<void> {
  await Promise.all(
    companies.map(async ({ tenantId, userIds }) => {
      const ctx = { tenantId, userId: null, actor: 'bench', requestId: 'bench', now: new Date() };
      await database.withTenant(ctx, (trx) =>
        notifyUsers(trx, ctx, userIds, 'payment_received', { ...NOTICE, es: NOTICE }),
      );
    }),
  );
}

/** Creates the companies with their people, and returns a token of each person. */
async function hirePeople({ address, client, token, tenantId }: ApiStage) {
  const companies: Company[] = [];
  const tokens: string[] = [];
  const password = 'correct horse battery staple';
  for (let company = 0; company < COMPANIES; company++) {
    const others = { name: `Bench ${company} SL`, taxId: 'B12345674', country: 'ES' };
    const id = company === 0 ? tenantId : (await client.post('/api/tenants', others)).body.data.id;
    const owner = createClient(address, token, id);
    const hired = Array.from({ length: PEOPLE }, async (_, person) => {
      const email = `person${person}@company${company}.example`;
      const { status, body } = await owner.post('/api/users', { email, name: 'P', password, role: 'accountant' });
      if (status !== 201) throw new Error(`The person was answered ${status}: ${JSON.stringify(body)}`);
      const session = (await createClient(address).post('/api/auth/login', { email, password })).body;
      tokens.push(session.token);
      return body.data.id as string;
    });
    companies.push({ tenantId: id, userIds: await Promise.all(hired) });
  }
  return { companies, tokens };
}

async function onBareServer<T>(
  work: (server: Server, address: string, send: (message: string) => void) => Promise<T>,
): Promise<T> {
  const server: ChildProcess = spawn(process.execPath, ['--import', 'tsx', 'bench/bare-sockets.ts'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
  });
  const pid = server.pid as number;
  try {
    const [port] = (await once(server.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
    const memory = () => Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
    const send = (message: string) => server.stdin?.write(`${message}\n`);
    return await work({ memory, cpu: () => cpuSeconds(pid) }, `http://127.0.0.1:${String(port).trim()}`, send);
  } finally {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
}
