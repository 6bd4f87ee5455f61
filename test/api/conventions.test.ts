import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import jsonwebtoken from 'jsonwebtoken';
import { defineRoute } from '../../api/route.ts';
import { Database } from '../../db/database.ts';
import { startTestApp } from '../helpers/app.ts';
import type { Answer } from '../helpers/client.ts';
import { useApp } from '../helpers/hooks.ts';
import { assertProblem } from '../helpers/problem.ts';

describe('api conventions', () => {
  let groupId: string;
  let _unit: string;
  const _count = async (path: string) => (await app.client.get(path)).body.pagination.total as number;

  const app = useApp({ env: { CORS_ORIGINS: 'https://shop.example' } });
  before(async () => {
    groupId = (await app.client.get('/api/partnerGroups?code=CLI')).body.data[0].id;
    _unit = (await app.client.get('/api/uom?code=UD')).body.data[0].id;
  });

  describe('request ids', () => {
    it('repeats a sane one, replaces others, and writes it to the audit log', async () => {
      const made = await app.client.post('/api/uom', { code: 'RID', name: 'R' }, { 'X-Request-Id': 'order-17' });
      assert.equal(made.headers.get('x-request-id'), 'order-17');
      const { body } = await app.client.get(`/api/audit-logs?entityId=${made.body.data.id}`);
      assert.equal(body.data[0].requestId, 'order-17');
      for (const insane of ['a b', 'x'.repeat(129), '<script>']) {
        const { headers } = await app.client.get('/health/live', { 'X-Request-Id': insane });
        assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
      }
    });
  });

  describe('addresses', () => {
    it('answers unknown paths, methods and formats', async () => {
      assertProblem(await app.client.get('/api/nothing'), 404, 'not_found');
      assertProblem(await app.client.get('/api/partners/%E0%A4%A'), 400, 'invalid_parameter');
      const wrong = await app.client.request('PUT', '/api/partners', {});
      assertProblem(wrong, 405, 'method_not_allowed');
      assert.equal(wrong.headers.get('allow'), 'GET, POST, HEAD, OPTIONS');
      // A fixed path is not another path's :id.
      assertProblem(await app.client.patch('/api/sales/invoices', {}), 405, 'method_not_allowed');
      assertProblem(await app.client.get('/api/partners', { Accept: 'text/csv' }), 406, 'not_acceptable');
      // The address of a file is answered with it, or with what is wrong.
      const file = '/api/sales/invoices/01a20000-0000-7000-8000-000000000000/pdf';
      assertProblem(await app.client.get(file, { Accept: 'application/json' }), 404, 'not_found');
      const options = await app.client.request('OPTIONS', '/api/partners');
      assert.equal(options.status, 204);
      assert.equal((await app.client.request('HEAD', '/api/partners')).status, 200);
    });

    it('refuses ids and parameters of the wrong form', async () => {
      assertProblem(await app.client.get('/api/partners/17'), 400, 'invalid_parameter');
      for (const bad of [
        'page=0',
        'page=x',
        'limit=501',
        'limit=-1',
        'foo=1',
        'sort=foo',
        'name[like]=a',
        'name=a&name=b',
        'q=%00',
      ]) {
        const answer = await app.client.get(`/api/partners?${bad}`);
        assertProblem(answer, 400, 'invalid_parameter');
      }
      assert.match((await app.client.get('/api/partners?foo=1')).body.detail, /foo .* name/);
      assertProblem(await app.client.get('/api/auth/me?x=1'), 400, 'invalid_parameter');
    });
  });

  describe('credentials', () => {
    it('wants a token that is valid', async () => {
      for (const client of [app.anonymous, app.as('nonsense'), app.as(`${app.token.slice(0, -4)}AAAA`)]) {
        const answer = await client.get('/api/partners');
        assert.equal(answer.status, 401);
        assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
      }
      assertProblem(await app.anonymous.get('/api/partners'), 401, 'unauthorized');
      const claims = jsonwebtoken.decode(app.token) as Record<string, unknown>;
      const forged = jsonwebtoken.sign(claims, 'another key of thirty-two characters or more');
      assertProblem(await app.as(forged).get('/api/partners'), 401, 'invalid_token');
      const unsigned = jsonwebtoken.sign(claims, '', { algorithm: 'none' });
      assertProblem(await app.as(unsigned).get('/api/partners'), 401, 'invalid_token');
    });

    it('refuses other companies and permissions that the role lacks', async () => {
      assertProblem(await app.as(app.token, 'no-uuid').get('/api/partners'), 400, 'bad_request');
      assertProblem(
        await app.as(app.token, '0190f5fe-7c00-7a00-8abc-012345678901').get('/api/partners'),
        403,
        'not_a_member',
      );
      const viewer = { email: 'viewer@example.test', name: 'Vera', password: 'vera views the warehouse' };
      assert.equal((await app.client.post('/api/users', viewer)).status, 201);
      const { body } = await app.anonymous.post('/api/auth/login', { email: viewer.email, password: viewer.password });
      const refused = await app.as(body.token).post('/api/partners', { name: 'X', groupId });
      assertProblem(refused, 403, 'forbidden');
      assert.match(refused.body.detail, /partners:create/);
      assert.equal((await app.as(body.token).get('/api/partners')).status, 200);
    });
  });

  describe('versions', () => {
    it('takes If-Match and If-None-Match', async () => {
      const made = await app.client.post('/api/uom', { code: 'VER', name: 'Uno' });
      const path = `/api/uom/${made.body.data.id}`;
      const etag = made.headers.get('etag') as string;
      assert.equal((await app.client.get(path, { 'If-None-Match': etag })).status, 304);
      assert.equal((await app.client.patch(path, { name: 'Dos' }, { 'If-Match': etag })).status, 200);
      assertProblem(await app.client.patch(path, { name: 'Tres' }, { 'If-Match': etag }), 412, 'stale_version');
      assertProblem(await app.client.del(path, { 'If-Match': etag }), 412, 'stale_version');
      for (const bad of ['2', 'W/"2"', '"x"', '"1", "2"']) {
        assertProblem(await app.client.patch(path, { name: 'X' }, { 'If-Match': bad }), 400, 'bad_request');
      }
      assert.equal((await app.client.patch(path, { name: 'Cuatro' }, { 'If-Match': '*' })).status, 200);
      const current = (await app.client.get(path, { 'If-None-Match': etag })).headers.get('etag') as string;
      assert.equal((await app.client.del(path, { 'If-Match': current })).status, 204);
    });

    it('lets one of many changes of the same version through', async () => {
      const { id } = (await app.client.post('/api/uom', { code: 'RACE', name: 'Uno' })).body.data;
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          app.client.patch(`/api/uom/${id}`, { name: `Nombre ${index}` }, { 'If-Match': '"1"' }),
        ),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array<number>(9).fill(412)]);
    });
  });

  describe('the connection', () => {
    it('compresses, and lets known origins in', async () => {
      const { headers } = await app.client.get('/api/openapi.json', { 'Accept-Encoding': 'gzip' });
      assert.equal(headers.get('content-encoding'), 'gzip');
      const allowed = await app.client.get('/api/uom', { Origin: 'https://shop.example' });
      assert.equal(allowed.headers.get('access-control-allow-origin'), 'https://shop.example');
      const problem = await app.client.get('/api/nothing', { Origin: 'https://shop.example' });
      assert.equal(problem.headers.get('access-control-allow-origin'), 'https://shop.example');
      const foreign = await app.client.get('/api/uom', { Origin: 'https://evil.example' });
      assert.equal(foreign.headers.get('access-control-allow-origin'), null);
    });

    it('survives a client that goes away within its body', async () => {
      const { hostname, port } = new URL(app.address);
      const socket: Socket = connect(Number(port), hostname);
      socket.on('error', () => {}); // the reset is what the test is about
      socket.write(
        `POST /api/uom HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${app.token}\r\nContent-Type: application/json\r\nContent-Length: ` +
          `100\r\nExpect: 100-continue\r\n\r\n`,
      );
      const [answer] = (await once(socket, 'data')) as [Buffer];
      assert.match(answer.toString(), /^HTTP\/1.1 100 /, 'the service reads on');
      await new Promise((resolve) => socket.write('{"code"', resolve));
      socket.destroy();
      assert.equal((await app.client.get('/api/uom')).status, 200);
    });

    it('limits requests by token', async () => {
      const limited = await startTestApp({ env: { RATE_LIMIT_PER_MINUTE: '3' } });
      try {
        const answers: Answer[] = [];
        for (let request = 0; request < 4; request++) answers.push(await limited.client.get('/api/uom'));
        assert.deepEqual(
          answers.map(({ status }) => status),
          [200, 200, 200, 429],
        );
        assertProblem(answers[3] as Answer, 429, 'too_many_requests');
        assert.match(answers[0]?.headers.get('ratelimit-policy') ?? '', /q=3;w=60/);
        assert.match(answers[1]?.headers.get('ratelimit') ?? '', /r=1;/);
        assert.ok(Number(answers[3]?.headers.get('retry-after')) > 0);
        // Tokens that are none count for the address, whatever they are.
        const guesses: number[] = [];
        for (const guess of ['a', 'b', 'c', 'd', 'e']) guesses.push((await limited.as(guess).get('/api/uom')).status);
        assert.deepEqual(guesses.slice(-2), [429, 429]);
        assert.equal(guesses[0], 401);
      } finally {
        await limited.stop();
      }
    });
  });

  describe('failures', () => {
    it('are opaque', async () => {
      const failing = defineRoute({
        method: 'GET',
        path: '/api/fail',
        id: 'fail',
        summary: '',
        tag: 'T',
        access: 'public',
        responses: {},
        handler: () => Promise.reject(new Error('password=hunter2 at secret.ts')),
      });
      const broken = await startTestApp({ setUp: false, routes: [failing] });
      try {
        const answer = await broken.anonymous.get('/api/fail');
        assertProblem(answer, 500, 'internal_error');
        assert.doesNotMatch(JSON.stringify(answer.body), /hunter2|secret/);
      } finally {
        await broken.stop();
      }
    });

    it('say when the database is away', async () => {
      const away = new Database({ url: 'postgres://nobody@127.0.0.1:1/none', poolSize: 2, applicationName: 'away' });
      const broken = await startTestApp({ setUp: false, deps: { database: away } });
      try {
        assertProblem(await broken.as(app.token).get('/api/partners'), 503, 'unavailable');
        const { status, body } = await broken.anonymous.get('/health/ready');
        assert.equal(status, 503);
        assert.deepEqual(body, {
          status: 'down',
          checks: { database: 'down', temporal: 'down', worker: 'down', outbox_lag_seconds: null },
        });
        assert.equal((await broken.anonymous.get('/health/live')).status, 200);
      } finally {
        await away.close();
        await broken.stop();
      }
    });
  });
});
