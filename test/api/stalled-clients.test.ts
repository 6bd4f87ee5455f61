import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Type } from 'typebox';
import { listRoute } from '../../api/lists/list-route.ts';
import { defineRoute } from '../../api/route.ts';
import { ROUTES } from '../../api/routes.ts';
import { connect } from '../../runtime/postgres-client.ts';
import { binary } from '../../services/platform/validation/schemas.ts';
import type { TestApp } from '../helpers/app.ts';
import type { TestClient } from '../helpers/client.ts';
import { use, useApp } from '../helpers/hooks.ts';
import { assertProblem } from '../helpers/problem.ts';
import { type Stalled, stopReading, stopSending } from '../helpers/stalled.ts';
import { eventually } from '../helpers/worker.ts';

/** More than the buffers between two sockets hold: nobody gets it without reading. */
const ROWS = 30_000;
const many = listRoute({
  tag: 'Test',
  path: '/api/many',
  id: 'listManyRows',
  summary: 'Very many rows',
  access: 'member',
  list: { fields: { n: { type: 'integer' } }, defaultSort: 'n', key: 'n' },
  row: Type.Object({ n: Type.Integer(), note: Type.String() }),
  rows: () => ({
    from: `(select n, repeat(md5(n::text), 40) as note from generate_series(1, ${ROWS}) n) as series`,
    toJson: (row: { n: number; note: string }) => row,
  }),
});
const FILE = Buffer.alloc(40 * 1024 * 1024, 'x');
const file = defineRoute({
  method: 'GET',
  path: '/api/large-file',
  id: 'getLargeFile',
  summary: 'A large file',
  tag: 'Test',
  access: 'member',
  responses: { 200: binary('application/octet-stream') },
  handler: async () => ({ status: 200, body: FILE, headers: { 'Content-Type': 'application/octet-stream' } }),
});
const routes = [...ROUTES, many, file];
const EXPORT = '/api/many?format=csv&header=names';

async function addCompany(app: TestApp): Promise<{ client: TestClient; header: Record<string, string> }> {
  const company = { name: 'Otra SL', taxId: 'B98765431', country: 'ES', currency: 'EUR' };
  const { status, body } = await app.client.post('/api/tenants', company);
  assert.equal(status, 201, JSON.stringify(body));
  return { client: app.as(app.token, body.data.id), header: { 'x-tenant-id': body.data.id } };
}

async function answerSize(app: TestApp, path: string, header: Record<string, string> = {}): Promise<number> {
  const headers = { Authorization: `Bearer ${app.token}`, ...header };
  const response = await fetch(app.address + path, { headers });
  assert.equal(response.status, 200);
  return (await response.arrayBuffer()).byteLength;
}

const assertFree = (app: TestApp) =>
  eventually(async () => assert.equal(app.database.poolUsage().used, 0, 'a connection is held'), PATIENCE_MS);

/** An export takes seconds where other suites take the processor. */
const PATIENCE_MS = 60_000;

describe('clients that stop', function () {
  this.timeout(180_000);

  describe('while others want something', () => {
    let stalled: Stalled[] = [];
    const app = useApp({ env: { DATABASE_POOL_SIZE: '10' }, routes });
    const other = use(() => addCompany(app));
    afterEach(() => {
      for (const { socket } of stalled) socket.destroy();
      stalled = [];
      return assertFree(app);
    });

    const stop = async (path: string) => {
      const one = await stopReading(app.address, app.token, path);
      assert.match(one.head, /^HTTP\/1\.1 200 /);
      stalled.push(one);
    };

    it('reading exports, hold the places of their company and not those of another', async () => {
      await stop(EXPORT);
      await stop(EXPORT);
      assertProblem(await app.client.get(EXPORT), 429, 'too_many_requests');
      assert.ok((await answerSize(app, EXPORT, other.header)) > ROWS * 1280);
      assert.equal((await app.client.get('/api/uom')).status, 200);
      const units = await Promise.all(Array.from({ length: 20 }, () => app.client.get('/api/uom?format=csv')));
      assert.deepEqual(new Set(units.map(({ status }) => status)), new Set([200]), 'short lists take no place');
      stalled[0]?.socket.destroy();
      await eventually(async () => assert.ok((await answerSize(app, EXPORT)) > ROWS * 1280), PATIENCE_MS);
    });

    it('reading exports, hold no place when PostgreSQL has ended their sessions', async () => {
      await stop(EXPORT);
      await stop(EXPORT);
      await connect(app.databaseUrl, (client) =>
        client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and state = 'idle in transaction' and pid <> pg_backend_pid()`,
        ),
      );
      await eventually(async () => assert.ok((await answerSize(app, EXPORT)) > ROWS * 1280), PATIENCE_MS);
      await assertFree(app);
    });

    it('before their answer begins, hold nothing', async () => {
      for (let number = 0; number < 4; number++) {
        const socket = stopSending(app.address, app.token, `GET ${EXPORT}`, []);
        await new Promise((resolve) => socket.once('connect', resolve));
        socket.destroy();
      }
      await eventually(async () => assert.ok((await answerSize(app, EXPORT)) > ROWS * 1280), PATIENCE_MS);
      await assertFree(app);
    });

    it('reading files, hold memory of their company and not that of another', async () => {
      await stop('/api/large-file');
      assertProblem(await app.client.get('/api/large-file'), 429, 'too_many_requests');
      assert.equal(await answerSize(app, '/api/large-file', other.header), FILE.length);
      assert.equal((await app.client.get('/api/uom')).status, 200);
      stalled[0]?.socket.destroy();
      await eventually(async () => assert.equal(await answerSize(app, '/api/large-file'), FILE.length));
    });

    it('sending, hold memory of their company and not that of another', async () => {
      const head = ['Content-Type: text/csv', `Content-Length: ${20 * 1024 * 1024}`];
      const sockets = Array.from({ length: 7 }, () =>
        stopSending(app.address, app.token, 'POST /api/import/uom', head),
      );
      // A body of unknown length counts as the largest allowed.
      const send = async (header: Record<string, string>) => {
        const headers = { Authorization: `Bearer ${app.token}`, 'Content-Type': 'text/csv', ...header };
        const body = new Blob(['code;name\r\nX1;X\r\n']).stream();
        const sent = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
        return (await fetch(`${app.address}/api/import/uom`, sent)).status;
      };
      // Six have their place, the seventh is answered.
      await Promise.race(sockets.map((socket) => once(socket, 'data')));
      assert.equal(await send({}), 429);
      assert.notEqual(await send(other.header), 429, 'another company sends its file');
      assert.equal((await app.client.post('/api/uom', { code: 'Z1', name: 'Z' })).status, 201, 'what is small goes on');
      for (const socket of sockets) socket.destroy();
      await eventually(async () => assert.notEqual(await send({}), 429));
    });
  });

  describe('in the middle', () => {
    const env = { ANSWER_IDLE_SECONDS: '1', ANSWER_SECONDS: '3', REQUEST_SECONDS: '1', DATABASE_POOL_SIZE: '5' };
    const app = useApp({ env, routes });

    for (const path of [EXPORT, EXPORT.replace('csv', 'excel'), '/api/large-file'])
      it(`are cut off when nothing of ${path} is taken any more`, async () => {
        const { head, closed } = await stopReading(app.address, app.token, path);
        assert.match(head, /^HTTP\/1\.1 200 /);
        await assertFree(app);
        await closed();
      });

    it('are cut off when they take an answer in drops', async () => {
      const { socket } = await stopReading(app.address, app.token, EXPORT);
      let taken = 0;
      socket.on('data', (chunk: Buffer) => {
        taken += chunk.length;
        socket.pause();
        setTimeout(() => socket.resume(), 100);
      });
      socket.resume();
      await once(socket, 'close');
      assert.ok(taken < ROWS * 1280, 'it has not got everything');
      await assertFree(app);
    });

    it('are told when what they send does not arrive in time', async () => {
      const socket = stopSending(app.address, app.token, 'POST /api/uom', [
        'Content-Type: application/json',
        'Content-Length: 10',
      ]);
      const chunks: Buffer[] = [];
      socket.on('data', (chunk: Buffer) => chunks.push(chunk));
      await once(socket, 'close');
      assert.match(Buffer.concat(chunks).toString(), /^HTTP\/1\.1 408 [\s\S]*"code":"request_timeout"/);
    });
  });
});
