import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import jsonwebtoken from 'jsonwebtoken';
import { defineRoute } from '../../api/route.ts';
import { Database } from '../../db/database.ts';
import { OWNER, startTestApp, type TestApp } from '../helpers/app.ts';
import type { Answer } from '../helpers/client.ts';

/** A problem is complete, says where it belongs, and nothing about our inside. */
function assertProblem(answer: Answer, status: number, code: string): void {
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/);
  const { body } = answer;
  assert.equal(body.code, code, JSON.stringify(body));
  assert.equal(body.status, status);
  assert.equal(body.type, `/docs/errors#${code}`);
  assert.equal(body.request_id, answer.headers.get('x-request-id'));
  for (const member of ['title', 'detail', 'instance']) assert.ok(body[member], member);
  assert.doesNotMatch(JSON.stringify(body), /select |insert |at \w+ \(|node_modules/i);
}

describe('api conventions', () => {
  let app: TestApp;
  let groupId: string;
  let unit: string;
  const count = async (path: string) => (await app.client.get(path)).body.pagination.total as number;

  before(async () => {
    app = await startTestApp({ env: { CORS_ORIGINS: 'https://shop.example' } });
    groupId = (await app.client.get('/api/partnerGroups?code=CLI')).body.data[0].id;
    unit = (await app.client.get('/api/uom?code=UD')).body.data[0].id;
  });
  after(() => app?.stop());

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

  describe('bodies', () => {
    it('refuses what is no JSON, too large, or of another type', async () => {
      assertProblem(await app.client.post('/api/uom', '{"code":'), 400, 'malformed_json');
      assertProblem(
        await app.client.post('/api/uom', '{"__proto__": {"code": "x"}, "name": "x"}'),
        400,
        'malformed_json',
      );
      assertProblem(
        await app.client.post('/api/uom', 'code=A', { 'Content-Type': 'application/x-www-form-urlencoded' }),
        415,
        'unsupported_media_type',
      );
      const large = JSON.stringify({ code: 'L', name: 'x'.repeat(1024 * 1024) });
      assertProblem(await app.client.post('/api/uom', large), 413, 'body_too_large');
      assertProblem(await app.client.post('/api/uom'), 422, 'validation_failed');
      for (const body of ['[]', '"text"', '17', 'null']) {
        assertProblem(await app.client.post('/api/uom', body), 422, 'validation_failed');
      }
      assertProblem(
        await app.client.post('/api/uom', `${'['.repeat(50_000)}${']'.repeat(50_000)}`),
        422,
        'validation_failed',
      );
    });

    const faults: [string, Record<string, unknown> | string, [pointer: string, code: string][]][] = [
      [
        'missing members',
        {},
        [
          ['/name', 'required'],
          ['/uomId', 'required'],
        ],
      ],
      ['unknown members', { name: 'A', uomId: '$unit', 'a/b~c': 1 }, [['/a~1b~0c', 'unknown_field']]],
      [
        'members that only the service sets',
        { name: 'A', uomId: '$unit', version: 3, tenantId: 'x' },
        [
          ['/version', 'unknown_field'],
          ['/tenantId', 'unknown_field'],
        ],
      ],
      [
        'wrong types',
        { name: 17, uomId: '$unit', active: 'yes', salePrice: '10' },
        [
          ['/name', 'invalid_type'],
          ['/active', 'invalid_type'],
          ['/salePrice', 'invalid_type'],
        ],
      ],
      ['null where a value is needed', { name: null, uomId: '$unit' }, [['/name', 'invalid_type']]],
      [
        'no UUID',
        { name: 'A', uomId: 'urn:uuid:0190f5fe-7c00-7a00-8abc-012345678901' },
        [['/uomId', 'invalid_format']],
      ],
      ['a choice that there is not', { name: 'A', uomId: '$unit', type: 'thing' }, [['/type', 'invalid_choice']]],
      [
        'numbers beyond all bounds',
        '{"name":"A","uomId":"$unit","salePrice":1e30,"minStock":1e999}',
        [
          ['/salePrice', 'out_of_range'],
          ['/minStock', 'invalid_type'],
        ],
      ],
      ['too many decimals', { name: 'A', uomId: '$unit', salePrice: 0.1234567 }, [['/salePrice', 'out_of_range']]],
      [
        'too many digits',
        { name: 'A', uomId: '$unit', salePrice: 12345678901.123456 },
        [['/salePrice', 'out_of_range']],
      ],
      ['negative prices', { name: 'A', uomId: '$unit', salePrice: -1 }, [['/salePrice', 'out_of_range']]],
      [
        'empty and too long texts',
        { name: '', uomId: '$unit', sku: 'x'.repeat(101) },
        [
          ['/name', 'too_short'],
          ['/sku', 'too_long'],
        ],
      ],
      ['NUL', { name: 'A\u0000B', uomId: '$unit' }, [['/name', 'invalid_text']]],
      ['half a surrogate pair', '{"name":"A\\ud800","uomId":"$unit"}', [['/name', 'invalid_text']]],
      [
        'a unit that does not exist',
        { name: 'A', uomId: '0190f5fe-7c00-7a00-8abc-012345678901' },
        [['/uomId', 'invalid_reference']],
      ],
    ];
    for (const [what, body, expected] of faults) {
      it(`points at ${what}`, async () => {
        const before = await count('/api/items');
        const sent = (typeof body === 'string' ? body : JSON.stringify(body)).replaceAll('$unit', unit);
        const answer = await app.client.post('/api/items', sent);
        assertProblem(answer, 422, 'validation_failed');
        const found = answer.body.errors.map(({ pointer, code }: Record<string, string>) => [pointer, code]);
        assert.deepEqual(found.sort(), [...expected].sort());
        for (const { message } of answer.body.errors) assert.ok(message);
        assert.equal(await count('/api/items'), before);
      });
    }

    it('knows which days exist', async () => {
      for (const from of ['2026-02-30', '2026-13-01', '26-1-1', '2026-01-01T00:00:00Z', '2023-02-29']) {
        const answer = await app.client.post('/api/periods', { code: 'D', name: 'D', from, to: '2027-01-01' });
        assertProblem(answer, 422, 'validation_failed');
        assert.deepEqual([answer.body.errors[0].pointer, answer.body.errors[0].code], ['/from', 'invalid_format']);
      }
    });

    it('points at every fault of references at once', async () => {
      const { id } = (await app.client.post('/api/partnerGroups', { code: 'REF', name: 'R' })).body.data;
      const nowhere = '0190f5fe-7c00-7a00-8abc-012345678901';
      const answer = await app.client.patch(`/api/partnerGroups/${id}`, {
        receivableAccountId: nowhere,
        payableAccountId: nowhere,
      });
      assertProblem(answer, 422, 'validation_failed');
      assert.deepEqual(
        answer.body.errors.map(({ pointer }: { pointer: string }) => pointer),
        ['/receivableAccountId', '/payableAccountId'],
      );
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

  describe('idempotency', () => {
    const key = (name: string) => ({ 'Idempotency-Key': name });

    it('does a thing once for 50 parallel requests with one key', async () => {
      const before = await count('/api/partners');
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => app.client.post('/api/partners', { name: 'Una', groupId }, key('fifty'))),
      );
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
      assert.equal(new Set(answers.map(({ body }) => body.data.id)).size, 1);
      assert.equal(new Set(answers.map(({ headers }) => `${headers.get('location')} ${headers.get('etag')}`)).size, 1);
      const fresh = answers.filter(({ headers }) => headers.get('idempotent-replayed') === null);
      assert.equal(fresh.length, 1);
      assert.equal(await count('/api/partners'), before + 1);
    });

    it('replays a 422, leaves the key free after a 409, refuses another body', async () => {
      const invalid = { name: 'X', groupId, iban: 'ES00' };
      const first = await app.client.post('/api/partners', invalid, key('k422'));
      const second = await app.client.post('/api/partners', invalid, key('k422'));
      assertProblem(first, 422, 'validation_failed');
      assert.equal(second.headers.get('idempotent-replayed'), 'true');
      assert.match(second.headers.get('content-type') ?? '', /problem\+json/);
      assert.deepEqual(second.body, first.body);
      assertProblem(
        await app.client.post('/api/partners', { name: 'Y', groupId }, key('k422')),
        422,
        'idempotency_key_reused',
      );

      const { id } = (await app.client.post('/api/uom', { code: 'IDEM', name: 'I' })).body.data;
      assertProblem(await app.client.post('/api/uom', { code: 'IDEM', name: 'J' }, key('k409')), 409, 'duplicate');
      await app.client.del(`/api/uom/${id}`);
      const free = await app.client.post('/api/uom', { code: 'IDEM', name: 'J' }, key('k409'));
      assert.equal(free.status, 201);
      // The order of members does not matter.
      const reordered = await app.client.post('/api/uom', { name: 'J', code: 'IDEM' }, key('k409'));
      assert.deepEqual(reordered.body, free.body);
    });

    it('takes a day-old key as new', async () => {
      let now = new Date();
      const other = await startTestApp({ deps: { now: () => now } });
      try {
        const first = await other.client.post('/api/uom', { code: 'DAY', name: 'D' }, key('day'));
        assert.equal(first.status, 201);
        now = new Date(now.getTime() + 25 * 60 * 60 * 1000);
        const { body } = await other.anonymous.post('/api/auth/login', {
          email: OWNER.email,
          password: OWNER.password,
        });
        const later = await other.as(body.token).post('/api/uom', { code: 'DAY2', name: 'D' }, key('day'));
        assert.equal(later.status, 201);
        assert.equal(later.headers.get('idempotent-replayed'), null);
      } finally {
        await other.stop();
      }
    });

    it('keeps answers so that nobody can read what is shown only once', async () => {
      const made = await app.client.post('/api/api-keys', { name: 'Shop', role: 'viewer' }, key('shop-key'));
      const replayed = await app.client.post('/api/api-keys', { name: 'Shop', role: 'viewer' }, key('shop-key'));
      assert.equal(replayed.headers.get('Idempotent-Replayed'), 'true');
      assert.equal(replayed.body.data.key, made.body.data.key);
      const stored = await app.database.readTenant(app, (db) =>
        db('idempotency_keys').where({ key: 'shop-key' }).first(),
      );
      assert.ok(Buffer.isBuffer(stored.body_sealed));
      assert.ok(
        !stored.body_sealed.includes(made.body.data.key) &&
          !JSON.stringify(stored.headers).includes(made.body.data.key),
      );
    });

    it('refuses keys that are too long or not visible', async () => {
      for (const bad of ['x'.repeat(256), 'a b', 'ñ']) {
        assertProblem(await app.client.post('/api/uom', { code: 'BAD', name: 'B' }, key(bad)), 400, 'bad_request');
      }
    });

    it('makes the second wait for the first no longer than it may', async () => {
      let release: () => void = () => {};
      let entered: () => void = () => {};
      const inside = new Promise<void>((resolve) => {
        entered = resolve;
      });
      const held = app.database.withTenant({ tenantId: app.tenantId }, async (trx) => {
        // Another process that has taken the key and not finished yet.
        await trx('idempotency_keys').insert({
          tenant_id: app.tenantId,
          caller: `user:${app.userId}`,
          path: '/api/uom',
          key: 'busy',
          request_hash: Buffer.alloc(32),
          created_at: new Date().toISOString(),
        });
        entered();
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        throw new Error('the other process dies');
      });
      await inside;
      const busy = await app.client.post('/api/uom', { code: 'BUSY', name: 'B' }, key('busy'));
      assertProblem(busy, 409, 'idempotency_key_in_use');
      release();
      await assert.rejects(held, /dies/);
      const { status } = await app.client.post('/api/uom', { code: 'BUSY', name: 'B' }, key('busy'));
      assert.equal(status, 201);
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
        `POST /api/uom HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${app.token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"code"`,
      );
      await new Promise((resolve) => setTimeout(resolve, 100));
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
