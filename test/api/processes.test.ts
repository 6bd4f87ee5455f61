import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../runtime/ports.ts';
import { ServiceProcess } from '../e2e/service-process.ts';
import type { Answer as ClientAnswer } from '../helpers/client.ts';
import { createTestDatabase } from '../helpers/servers.ts';
import { eventually } from '../helpers/worker.ts';

const ADMIN = { email: 'olga@example.test', name: 'Olga', password: 'correct horse battery staple' };
const GUEST = { email: 'gert@example.test', name: 'Gert', password: 'another horse battery staple' };
const LIMIT = 1000;
const MINUTE_MS = 60_000;

type Answer = Pick<ClientAnswer, 'status' | 'body'>;

describe('API processes on one address', function () {
  this.timeout(120_000);
  let api: ServiceProcess;
  let drop: () => Promise<void>;
  let port: number;
  let token: string;
  const agents: Agent[] = [];

  before(async () => {
    const database = await createTestDatabase();
    drop = database.drop;
    port = await freePort();
    api = new ServiceProcess('api/server', [], {
      LOG_LEVEL: 'info',
      DATABASE_URL: database.url,
      JWT_SECRET: randomBytes(24).toString('hex'),
      ENCRYPTION_KEY: randomBytes(24).toString('hex'),
      RATE_LIMIT_PER_MINUTE: String(LIMIT),
      API_PROCESSES: '2',
      PORT: String(port),
    });
    await eventually(() => assert.equal(pids().length, 2), 60_000);
    const company = { name: 'Frutas García SL', taxId: 'B12345674', country: 'ES' };
    ({ token } = (await send('POST', '/api/setup/init', { body: { company, admin: ADMIN } })).body);
  });
  after(async () => {
    for (const agent of agents) agent.destroy();
    await api?.stop();
    await drop?.();
  });

  /** Returns the ids of the processes that have listened, in this order. */
  const pids = () => [...api.output.matchAll(/"pid":(\d+),.*"msg":"Listening on/g)].map(([, pid]) => Number(pid));

  interface Sent {
    readonly token?: string;
    readonly body?: unknown;
    /** Whose connection is used; a new one without it. */
    readonly agent?: Agent;
  }

  async function send(method: string, path: string, { token, body, agent }: Sent = {}): Promise<Answer> {
    const headers = {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    };
    return new Promise((resolve, reject) => {
      const sending = request({ port, method, path, headers, agent: agent ?? false }, (response) => {
        const answer = (found: string) => {
          const isJson = /json/.test(response.headers['content-type'] ?? '');
          resolve({ status: response.statusCode ?? 0, body: isJson ? JSON.parse(found) : found });
        };
        text(response).then(answer, reject);
      });
      sending.on('error', reject);
      sending.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /** Returns the number of requests to a route that each process has answered. */
  async function served(route: string): Promise<Record<string, number>> {
    const { body } = await send('GET', '/metrics');
    const lines = (body as string).matchAll(/^http_request_duration_seconds_count\{(.*)\} (\d+)$/gm);
    const counts: Record<string, number> = {};
    for (const [, labels = '', count] of lines) {
      if (!labels.includes(`route="${route}"`)) continue;
      const [, process = ''] = /process="(\d)"/.exec(labels) ?? [];
      counts[process] = (counts[process] ?? 0) + Number(count);
    }
    return counts;
  }

  /** A connection to each of both, kept open. */
  async function connections(): Promise<[Agent, Agent]> {
    const found = new Map<string, Agent>();
    while (found.size < 2) {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      agents.push(agent);
      const before = await served('/health/live');
      await send('GET', '/health/live', { agent });
      // A request is counted only when its answer is closed.
      const process = await eventually(async () => {
        const after = await served('/health/live');
        const [one] = Object.keys(after).filter((name) => after[name] !== before[name]);
        assert.ok(one);
        return one;
      });
      found.set(process, agent);
    }
    return [found.get('1') as Agent, found.get('2') as Agent];
  }

  it('share its connections, and each tells the metrics of both', async () => {
    for (let sent = 0; sent < 10; sent++) assert.equal((await send('GET', '/docs')).status, 200);
    await eventually(async () => {
      for (let asked = 0; asked < 4; asked++) assert.deepEqual(await served('/docs'), { 1: 5, 2: 5 });
    });
  });

  it('forget a member at once, whichever has removed them', async () => {
    const [one, other] = await connections();
    const person = { ...GUEST, role: 'viewer' };
    assert.equal((await send('POST', '/api/users', { agent: one, token, body: person })).status, 201);
    const { email, password } = GUEST;
    const session = await send('POST', '/api/auth/login', { agent: other, body: { email, password } });
    const guest = session.body.token;
    for (const agent of [one, other]) {
      assert.equal((await send('GET', '/api/uom', { agent, token: guest })).status, 200);
    }
    const { body } = await send('GET', '/api/memberships?limit=100', { agent: one, token });
    const { id } = body.data.find((membership: { role: string }) => membership.role === 'viewer');
    assert.equal((await send('DELETE', `/api/memberships/${id}`, { agent: one, token })).status, 204);
    for (const agent of [other, one]) {
      const { status } = await send('GET', '/api/uom', { agent, token: guest });
      assert.ok(status === 401 || status === 403, String(status));
    }
  });

  it('hold the limit of requests together', async () => {
    const [one, other] = await connections();
    const { email, password } = ADMIN;
    for (;;) {
      const minute = Math.floor(Date.now() / MINUTE_MS);
      const { body } = await send('POST', '/api/auth/login', { body: { email, password } });
      let allowed = 0;
      const ask = (agent: Agent) => send('GET', '/api/uom', { agent, token: body.token });
      for (; (await ask(allowed % 2 === 0 ? one : other)).status === 200; allowed++);
      const refused = await Promise.all([one, other].map((agent) => eventuallyRefused(() => ask(agent))));
      // Otherwise it began anew meanwhile.
      if (Math.floor(Date.now() / MINUTE_MS) > minute) continue;
      assert.deepEqual(refused, [429, 429]);
      assert.ok(allowed >= LIMIT - LIMIT / 20 && allowed <= LIMIT + LIMIT / 20 + 10, String(allowed));
      return;
    }
  });

  async function eventuallyRefused(ask: () => Promise<Answer>): Promise<number> {
    for (let asked = 0; asked < LIMIT / 20; asked++) if ((await ask()).status === 429) return 429;
    return (await ask()).status;
  }

  it('lock out who guesses passwords, at whichever of them', async () => {
    const [one, other] = await connections();
    const guess = (agent: Agent) => {
      const body = { email: 'nobody@example.test', password: 'wrong' };
      return send('POST', '/api/auth/login', { agent, body });
    };
    const statuses: number[] = [];
    for (let tries = 0; tries < 3; tries++)
      for (const agent of [one, other]) statuses.push((await guess(agent)).status);
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429]);
  });

  it('are fewer while one is dead, and refuse nobody', async () => {
    const dead = pids()[0] as number;
    process.kill(dead, 'SIGKILL');
    await api.says(/Process \d died \(SIGKILL\): restarting it in 0\.25 s/);
    for (let sent = 0; pids().length < 3; sent++) {
      assert.equal((await send('GET', '/health/live')).status, 200, `request ${sent}`);
      await delay(100);
    }
    const [one, other] = await connections();
    for (const agent of [one, other]) assert.equal((await send('GET', '/health/live', { agent })).status, 200);
  });

  it('finish what they do before they end', async () => {
    const socket = connect(port);
    const body = JSON.stringify({ email: ADMIN.email, password: ADMIN.password });
    const head = [
      'POST /api/auth/login HTTP/1.1',
      'Host: api',
      'Content-Type: application/json',
      'Expect: 100-continue',
    ];
    socket.write(`${[...head, `Content-Length: ${body.length}`].join('\r\n')}\r\n\r\n`);
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    await eventually(() => assert.match(answer, /100 Continue/));
    const ended = api.stop();
    await eventually(() => assert.equal(api.output.match(/"msg":"Stopping"/g)?.length, 2));
    socket.write(body);
    assert.equal(await ended, 0, api.output);
    assert.match(answer, /^HTTP\/1\.1 200 OK/m);
  });
});
