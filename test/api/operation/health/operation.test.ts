import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { startTestApp } from '../../../helpers/app.ts';
import { inherited } from '../../../helpers/environment.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { createTestDatabase } from '../../../helpers/servers.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const SECRETS = { JWT_SECRET: 'k'.repeat(40), ENCRYPTION_KEY: 'e'.repeat(40) };

describe('api: operation', () => {
  const app = useApp();

  it('reports which parts answer', async () => {
    await app.database.withSystem((trx) => trx('workers').del());
    const degraded = await app.anonymous.get('/health/ready');
    assert.equal(degraded.status, 200);
    assert.equal(degraded.body.status, 'degraded');
    assert.deepEqual([degraded.body.checks.database, degraded.body.checks.worker], ['ok', 'down']);
    const now = new Date().toISOString();
    await app.database.withSystem((trx) =>
      trx('workers').insert({ id: app.userId, queues: ['documents'], started_at: now, seen_at: now }),
    );
    assert.equal((await app.anonymous.get('/health/ready')).body.checks.worker, 'ok');
  });

  it('measures requests, pool and outbox', async () => {
    await app.client.get('/api/uom');
    await app.client.get('/api/no/such/path');
    const { status, headers, body } = await app.anonymous.get('/metrics');
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^text\/plain/);
    assert.match(body, /http_request_duration_seconds_count\{method="GET",route="\/api\/uom",status="200"\} [1-9]/);
    assert.match(body, /route="\(none\)",status="404"/);
    assert.match(body, /database_pool_connections\{state="used"\} \d/);
    assert.match(body, /^companies_slowed_down 0$/m);
    assert.match(body, /^outbox_lag_seconds \d+$/m);
  });

  it('shows metrics without the token only to this machine, and never through a proxy', async () => {
    const token = 'm'.repeat(20);
    const headers = [
      { 'X-Forwarded-For': '203.0.113.7' },
      { 'X-Forwarded-For': '127.0.0.1' },
      { 'X-Forwarded-For': '127.0.0.1, 203.0.113.7' },
      { 'X-Forwarded-For': '' },
      { 'X-Real-IP': '127.0.0.1' },
      { Forwarded: 'for=127.0.0.1' },
      { Via: '1.1 proxy' },
    ];
    for (const TRUST_PROXY of ['0', '1', '127.0.0.1, ::1']) {
      const proxied = await startTestApp({ setUp: false, env: { TRUST_PROXY, METRICS_TOKEN: token } });
      try {
        for (const from of headers) {
          assertProblem(await proxied.anonymous.get('/metrics', from), 401, 'unauthorized');
          for (const wrong of ['wrong', `${token}m`]) {
            assertProblem(await proxied.as(wrong).get('/metrics', from), 401, 'unauthorized');
          }
          assert.equal((await proxied.as(token).get('/metrics', from)).status, 200);
        }
        assert.equal((await proxied.anonymous.get('/metrics')).status, 200);
      } finally {
        await proxied.stop();
      }
    }
  });

  it('requires the token for metrics in production', async () => {
    for (const METRICS_TOKEN of ['', 'm'.repeat(20)]) {
      const production = await startTestApp({ setUp: false, env: { NODE_ENV: 'production', METRICS_TOKEN } });
      try {
        assertProblem(await production.anonymous.get('/metrics'), 401, 'unauthorized');
        assertProblem(await production.anonymous.get('/metrics', { Authorization: 'Bearer ' }), 401, 'unauthorized');
        assertProblem(await production.as('undefined').get('/metrics'), 401, 'unauthorized');
        if (METRICS_TOKEN !== '') assert.equal((await production.as(METRICS_TOKEN).get('/metrics')).status, 200);
      } finally {
        await production.stop();
      }
    }
  });
});

describe('the API process', function () {
  // Each case starts one or two processes, which first compile themselves.
  this.timeout(90_000);
  let child: ChildProcess | undefined;
  afterEach(() => {
    child?.kill('SIGKILL');
    child = undefined;
  });

  function start(env: Record<string, string>): {
    output: () => string;
    ended: Promise<number | null>;
    process: ChildProcess;
  } {
    const started = spawn(process.execPath, ['--import=tsx', 'api/server.ts'], {
      cwd: ROOT,
      // Separate from a service that runs in this folder.
      env: { ...inherited(), NODE_ENV: 'test', PORT: '0', DATA_DIR: '/nowhere', ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    child = started;
    let output = '';
    for (const stream of [started.stdout, started.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk));
    const ended = once(started, 'exit').then(([code]) => code as number | null);
    return { output: () => output, ended, process: started };
  }

  async function listening(output: () => string): Promise<string> {
    for (;;) {
      const port = /"port":(\d+)/.exec(output())?.[1];
      if (port !== undefined) return `http://127.0.0.1:${port}`;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  it('names each missing setting on a line of its own', async () => {
    const { output, ended } = start({ PORT: 'x', JWT_SECRET: 'short' });
    assert.equal(await ended, 1);
    assert.deepEqual(
      output()
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[0]),
      ['PORT', 'JWT_SECRET'],
    );
    const bare = start({});
    assert.equal(await bare.ended, 1);
    assert.deepEqual(
      bare
        .output()
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[0]),
      ['DATABASE_URL', 'JWT_SECRET', 'ENCRYPTION_KEY'],
    );
    assert.match(bare.output(), /start the service first \(npm start\), so that this process can join it/);
  });

  it('reports that the database is down or the port is taken', async () => {
    const away = start({ ...SECRETS, DATABASE_URL: 'postgres://me:hidden@127.0.0.1:1/none' });
    assert.equal(await away.ended, 1);
    assert.match(away.output().trim(), /^The database 127\.0\.0\.1:1\/none cannot be reached.*$/);
    assert.doesNotMatch(away.output(), /hidden/);

    const { url, drop } = await createTestDatabase();
    const occupant = createServer().listen(0, '127.0.0.1');
    await once(occupant, 'listening');
    try {
      const { port } = occupant.address() as { port: number };
      const taken = start({ ...SECRETS, DATABASE_URL: url, PORT: String(port) });
      assert.equal(await taken.ended, 1);
      assert.equal(
        taken.output().trim(),
        `Port ${port} is in use: stop the process that uses it, or set PORT to another one`,
      );
    } finally {
      occupant.close();
      await drop();
    }
  });

  it('exits cleanly on SIGTERM and when its parent is gone, logging each request without secrets', async () => {
    const { url, drop } = await createTestDatabase();
    try {
      const first = start({ ...SECRETS, DATABASE_URL: url });
      const address = await listening(first.output);
      const { status } = await fetch(`${address}/api/partners`, {
        headers: { Authorization: 'Bearer very.secret.token' },
      });
      assert.equal(status, 401);
      first.process.kill('SIGTERM');
      assert.equal(await first.ended, 0);
      const line =
        first
          .output()
          .split('\n')
          .find((text) => text.includes('"route":"/api/partners"')) ?? '';
      const entry = JSON.parse(line);
      assert.equal(entry.status, 401);
      assert.ok(entry.requestId);
      assert.doesNotMatch(first.output(), /very\.secret\.token/);

      const second = start({ ...SECRETS, DATABASE_URL: url });
      await listening(second.output);
      second.process.disconnect();
      assert.equal(await second.ended, 0);
    } finally {
      await drop();
    }
  });
});
