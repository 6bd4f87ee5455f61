import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiClient, ApiProblem, Unreachable } from '../../demo/api-client.ts';

interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

describe("the demo's REST client", () => {
  let server: Server;
  let client: ApiClient;
  let requests: { method: string; path: string; key: string | undefined; token: string | undefined }[];
  let replies: (Reply | 'broken')[];

  beforeEach(async () => {
    requests = [];
    server = createServer((request: IncomingMessage, response) => {
      const { method = '', url: path = '', headers } = request;
      requests.push({
        method,
        path,
        key: headers['idempotency-key'] as string | undefined,
        token: headers.authorization,
      });
      const reply = replies.shift() ?? { status: 500 };
      if (reply === 'broken') return void response.destroy();
      response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
      response.end(JSON.stringify(reply.body ?? {}));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    client = new ApiClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    client.useToken('old', 'tenant', { email: 'a@example.test', password: 'p' });
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('repeats a POST with its key after a broken connection, a limit or an outage, and while the first is still running', async () => {
    replies = [
      'broken',
      { status: 503 },
      { status: 429, headers: { 'retry-after': '0.01' } },
      { status: 409, body: { code: 'idempotency_key_in_use' } },
      { status: 201, body: { data: { id: 'x' } } },
    ];
    assert.deepEqual(await client.create('/api/sales', {}, 'key-1'), { id: 'x' });
    assert.deepEqual(
      requests.map(({ key }) => key),
      Array(5).fill('key-1'),
    );
  });

  it('does not repeat a POST without a key once it may have had its effect', async () => {
    replies = ['broken', { status: 201 }];
    await assert.rejects(client.post('/api/sales', {}), Unreachable);
    assert.equal(requests.length, 1);
  });

  it('logs in again when the token has expired, and goes on', async () => {
    replies = [
      { status: 401, body: { code: 'token_expired' } },
      { status: 200, body: { token: 'new', tenants: [{ id: 'other' }] } },
      { status: 200, body: { data: [] } },
    ];
    assert.deepEqual(await client.get('/api/items'), { data: [] });
    assert.deepEqual(
      requests.map(({ path }) => path),
      ['/api/items', '/api/auth/login', '/api/items'],
    );
    assert.deepEqual([requests[2]?.token, client.tenantId], ['Bearer new', 'tenant']);
  });

  it('reads lists page after page', async () => {
    const page = (ids: number[], has_more: boolean) => ({ status: 200, body: { data: ids, pagination: { has_more } } });
    replies = [page([1, 2], true), page([3], false)];
    assert.deepEqual(await client.all('/api/items', { type: 'product' }), [1, 2, 3]);
    assert.deepEqual(
      requests.map(({ path }) => /[?&]page=(\d)/.exec(path)?.[1]),
      ['1', '2'],
    );
  });

  it("fails with the problem's own words", async () => {
    replies = [{ status: 409, body: { code: 'period_closed', detail: 'The period 2026-01 is closed' } }];
    await assert.rejects(client.post('/api/sales', {}), (error: unknown) => {
      assert.ok(error instanceof ApiProblem);
      assert.deepEqual([error.status, error.code], [409, 'period_closed']);
      assert.match(error.message, /POST \/api\/sales → 409 period_closed: The period 2026-01 is closed/);
      return true;
    });
  });
});
