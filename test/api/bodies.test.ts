import assert from 'node:assert/strict';
import { useApp } from '../helpers/hooks.ts';
import { assertProblem } from '../helpers/problem.ts';

describe('request bodies', () => {
  let unit: string;
  const count = async (path: string) => (await app.client.get(path)).body.pagination.total as number;

  const app = useApp();
  before(async () => {
    unit = (await app.client.get('/api/uom?code=UD')).body.data[0].id;
  });

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

  it('takes at most 16 KB on routes that need no token', async () => {
    const { sent, refused } = { sent: 'x'.repeat(16_000), refused: 'x'.repeat(16 * 1024) };
    for (const path of ['/api/auth/login', '/api/auth/refresh', '/api/auth/forgot-password', '/api/setup/init']) {
      assertProblem(await app.anonymous.post(path, { a: sent }), 422, 'validation_failed');
      const answer = await app.anonymous.post(path, { a: refused });
      assertProblem(answer, 413, 'body_too_large');
      assert.match(answer.body.detail, /16384/);
    }
  });

  it('tells of at most 100 faults', async () => {
    const many = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`m${index}`, index]));
    const answer = await app.client.post('/api/uom', { code: 'M', name: 'Many', ...many });
    assertProblem(answer, 422, 'validation_failed');
    assert.equal(answer.body.errors.length, 100);
    assert.match(answer.body.detail, /more\)$/);
    const open = await app.anonymous.post('/api/auth/login', many);
    assertProblem(open, 422, 'validation_failed');
    assert.equal(open.body.errors.length, 100);
  });

  const refusedForShape = async (method: 'post' | 'patch', path: string, body: unknown, fault: [string, string]) => {
    const answer = await app.client[method](path, body);
    assertProblem(answer, 422, 'validation_failed');
    const faults = answer.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]);
    assert.deepEqual(faults, [fault], 'nothing else is looked at');
    assert.ok(JSON.stringify(answer.body).length < 2000, 'what was sent is not repeated');
  };

  it('refuses objects with too many members or too long names as a whole', async () => {
    const many = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`m${index}`, index]));
    const some = Object.fromEntries(Object.entries(many).slice(0, 1001));
    const long = { ['n'.repeat(100_000)]: 1 };

    for (const [method, path] of [
      ['post', '/api/uom'],
      ['patch', `/api/uom/${unit}`],
      ['post', '/api/tenants'],
    ] as const) {
      await refusedForShape(method, path, { name: 'Many', ...many }, ['', 'too_many']);
      await refusedForShape(method, path, { name: 'Many', custom: [some] }, ['/custom/0', 'too_many']);
      await refusedForShape(method, path, { name: 'Long', custom: long }, ['/custom', 'too_long']);
    }
  });

  it('refuses what is nested without end, also where a record is sent back', async () => {
    let nested: unknown = 1;
    for (let level = 0; level < 4000; level += 1) nested = { a: nested };
    const pointer = '/a'.repeat(32);
    for (const path of [`/api/uom/${unit}`, '/api/config/tax']) {
      const method = path.startsWith('/api/config') ? 'PUT' : 'PATCH';
      const answer = await app.client.request(method, path, nested, { 'Idempotency-Key': 'deep' });
      assertProblem(answer, 422, 'validation_failed');
      assert.deepEqual([answer.body.errors[0].pointer, answer.body.errors[0].code], [pointer, 'too_deep']);
    }
  });

  it('speaks of a few wrong parameters of a query only', async () => {
    const wrong = Array.from({ length: 500 }, (_, at) => `wrong${at}=1`).join('&');
    for (const path of ['/api/reports/ledger', '/api/reports/profit-customer', `/api/uom/${unit}`]) {
      const answer = await app.client.get(`${path}?${wrong}`);
      assertProblem(answer, 400, 'invalid_parameter');
      assert.match(
        answer.body.detail,
        /wrong0 is not a parameter of this route; .*; 49[01] more are wrong; known parameters are /,
      );
      assert.ok(JSON.stringify(answer.body).length < 2000);
    }
  });

  const typed = (charset: string) => ({ 'Content-Type': `application/json; charset=${charset}` });

  it('takes UTF-8 only, however it is called', async () => {
    const before = await count('/api/items');
    for (const charset of ['iso-8859-1', 'utf-16', 'klingon']) {
      const answer = await app.client.post('/api/items', { name: 'Año', uomId: unit }, typed(charset));
      assertProblem(answer, 415, 'unsupported_media_type');
    }
    assert.equal(await count('/api/items'), before);
    for (const charset of ['utf-8', 'UTF8']) {
      const answer = await app.client.post('/api/items', { name: 'Año', uomId: unit }, typed(charset));
      assert.deepEqual([answer.status, answer.body.data.name], [201, 'Año']);
    }
  });

  it('refuses bytes that are no UTF-8 instead of putting signs in their place', async () => {
    const send = (name: Buffer) =>
      fetch(`${app.address}/api/items`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${app.token}`, 'Content-Type': 'application/json' },
        body: Buffer.concat([Buffer.from('{"name":"'), name, Buffer.from(`","uomId":"${unit}"}`)]),
      });
    const before = await count('/api/items');
    // Latin-1, half a sign, an overlong form, half a surrogate pair.
    for (const bytes of [
      [0x41, 0xf1, 0x6f],
      [0xe2, 0x82],
      [0xc0, 0xaf],
      [0xed, 0xa0, 0x80],
    ]) {
      const answer = await send(Buffer.from(bytes));
      assert.equal(answer.status, 400);
      assert.equal(((await answer.json()) as { code: string }).code, 'malformed_json');
    }
    assert.equal(await count('/api/items'), before);
    const kept = 'Año €𝄞\ufffd';
    const answer = await send(Buffer.from(kept));
    assert.equal(answer.status, 201);
    assert.equal(((await answer.json()) as { data: { name: string } }).data.name, kept);
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
    ['null where a value is needed', { name: null, uomId: '$unit' }, [['/name', 'required']]],
    ['no UUID', { name: 'A', uomId: 'urn:uuid:0190f5fe-7c00-7a00-8abc-012345678901' }, [['/uomId', 'invalid_format']]],
    ['a choice that there is not', { name: 'A', uomId: '$unit', type: 'thing' }, [['/type', 'invalid_choice']]],
    [
      'numbers beyond all bounds',
      '{"name":"A","uomId":"$unit","salePrice":1e30,"minStock":1e999}',
      [
        ['/salePrice', 'out_of_range'],
        ['/minStock', 'invalid_type'],
      ],
    ],
    ['too many decimals', { name: 'A', uomId: '$unit', salePrice: 0.1234567 }, [['/salePrice', 'too_many_decimals']]],
    ['too many digits', { name: 'A', uomId: '$unit', salePrice: 12345678901.12345 }, [['/salePrice', 'out_of_range']]],
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
