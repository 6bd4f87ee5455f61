import assert from 'node:assert/strict';
import { defineRoute } from '../../api/route.ts';
import { ROUTES } from '../../api/routes.ts';
import { newId } from '../../db/ids.ts';
import { OWNER, startTestApp } from '../helpers/app.ts';
import type { TestClient } from '../helpers/client.ts';
import { NOW } from '../helpers/clock.ts';
import { useApp } from '../helpers/hooks.ts';
import { assertProblem } from '../helpers/problem.ts';
import { eventually } from '../helpers/worker.ts';

describe('Idempotency-Key', () => {
  let groupId: string;
  const count = async (path: string) => (await app.client.get(path)).body.pagination.total as number;

  const app = useApp();
  before(async () => {
    groupId = (await app.client.get('/api/partnerGroups?code=CLI')).body.data[0].id;
  });

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

  it('replays the 422 of a body that the schema refuses, too', async () => {
    const before = await count('/api/uom');
    const first = await app.client.post('/api/uom', { code: 5 }, key('schema'));
    const second = await app.client.post('/api/uom', { code: 5 }, key('schema'));
    assertProblem(first, 422, 'validation_failed');
    assert.equal(second.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual(second.body, first.body);
    const corrected = { code: 'SCH', name: 'S' };
    assertProblem(await app.client.post('/api/uom', corrected, key('schema')), 422, 'idempotency_key_reused');
    assert.equal(await count('/api/uom'), before);
    // Malformed JSON leaves the key free, and so does a body nested too deeply to compare.
    assertProblem(await app.client.post('/api/uom', '{', key('free')), 400, 'malformed_json');
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    assertProblem(await app.client.post('/api/uom', deep, key('free')), 422, 'validation_failed');
    assert.equal((await app.client.post('/api/uom', corrected, key('free'))).status, 201);
  });

  it('takes a day-old key as new', async () => {
    const other = await startTestApp();
    try {
      const first = await other.client.post('/api/uom', { code: 'DAY', name: 'D' }, key('day'));
      assert.equal(first.status, 201);
      other.clock.now = new Date(NOW.getTime() + 25 * 60 * 60 * 1000);
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

  it('knows the keys of each caller apart', async () => {
    const user = { email: 'second@example.test', name: 'Second', password: OWNER.password, role: 'admin' };
    await app.client.post('/api/users', user);
    const { body: login } = await app.anonymous.post('/api/auth/login', {
      email: user.email,
      password: user.password,
    });
    const { body: made } = await app.client.post('/api/api-keys', { name: 'Till', role: 'admin' });
    const callers = [app.client, app.as(login.token), app.as(made.data.key)];
    const post = (index: number) =>
      callers[index]?.post('/api/partners', { name: `Of caller ${index}`, groupId }, key('everybody-has-one'));
    const first = [await post(0), await post(1), await post(2)];
    assert.deepEqual(
      first.map((answer) => [answer?.status, answer?.headers.get('idempotent-replayed'), answer?.body.data?.name]),
      [0, 1, 2].map((index) => [201, null, `Of caller ${index}`]),
    );
    for (const index of [2, 0, 1]) {
      const again = await post(index);
      assert.equal(again?.headers.get('idempotent-replayed'), 'true');
      assert.deepEqual(again?.body, first[index]?.body);
    }
  });

  it('is free again after a day for its caller alone', async () => {
    const hoursOn = (hours: number) => {
      app.clock.now = new Date(NOW.getTime() + hours * 3_600_000);
    };
    const [one, other] = await Promise.all(
      ['One', 'Other'].map(async (name) => {
        const { body } = await app.client.post('/api/api-keys', { name, role: 'admin' });
        return app.as(body.data.key);
      }),
    );
    const send = async (client: TestClient | undefined, code: string) => {
      const answer = await client?.post('/api/uom', { code, name: code }, key('own'));
      return [answer?.status, answer?.body.data?.code, answer?.headers.get('idempotent-replayed') ?? 'new'];
    };
    try {
      assert.deepEqual(await send(one, 'ONE'), [201, 'ONE', 'new']);
      hoursOn(2);
      assert.deepEqual(await send(other, 'OTHER'), [201, 'OTHER', 'new']);
      hoursOn(25);
      assert.deepEqual(await send(one, 'ONE2'), [201, 'ONE2', 'new']);
      assert.deepEqual(await send(other, 'OTHER'), [201, 'OTHER', 'true']);
      assert.deepEqual(await send(one, 'ONE2'), [201, 'ONE2', 'true']);
    } finally {
      app.clock.now = NOW;
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
      !stored.body_sealed.includes(made.body.data.key) && !JSON.stringify(stored.headers).includes(made.body.data.key),
    );
  });

  it('does not do again what was answered at too great a length to be kept', async () => {
    const partner = await app.client.post('/api/partners', { name: 'Long', groupId });
    const line = { description: 'x'.repeat(500), quantity: 1, price: 1 };
    const order = { partnerId: partner.body.data.id, lines: Array.from({ length: 1000 }, () => line) };
    const before = await count('/api/sales');
    const first = await app.client.post('/api/sales', order, key('long'));
    assert.equal(first.status, 201);
    assert.ok(JSON.stringify(first.body).length > 1024 ** 2);
    const second = await app.client.post('/api/sales', order, key('long'));
    assertProblem(second, 409, 'answer_not_kept');
    assert.match(second.body.detail, /was answered 201, and was not done again/);
    assert.equal(await count('/api/sales'), before + 1);
  });

  it('refuses keys that are empty, too long or not visible', async () => {
    for (const bad of ['', 'x'.repeat(256), 'a b', 'ñ']) {
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
        created_at: NOW.toISOString(),
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

  describe('where the effect is no single transaction', () => {
    let release: () => void = () => {};
    let released: Promise<void>;
    let begun = 0;
    const waiting = defineRoute({
      method: 'POST',
      path: '/api/slow/:id',
      id: 'waitForSomebodyElse',
      summary: 'Waits for something outside',
      tag: 'Test',
      access: 'member',
      transaction: 'none',
      responses: { 200: null },
      async handler() {
        begun += 1;
        await released;
        return { status: 200, body: { done: begun } };
      },
    });
    const hold = () => {
      released = new Promise((resolve) => {
        release = resolve;
      });
      begun = 0;
    };

    const slow = useApp({ routes: [...ROUTES, waiting], env: { DATABASE_POOL_SIZE: '5' } });

    it('no request holds a connection while it waits', async () => {
      hold();
      const keys = Array.from({ length: 40 }, newId);
      const answers = keys.map((id) => slow.client.post(`/api/slow/${id}`, undefined, key(id)));
      await eventually(() => assert.equal(begun, keys.length));
      assert.equal((await slow.client.get('/api/uom')).status, 200, 'others are served meanwhile');
      release();
      for (const answer of answers) assert.equal((await answer).status, 200);
      const [first] = keys;
      const again = await slow.client.post(`/api/slow/${first}`, undefined, key(String(first)));
      assert.equal(again.headers.get('idempotent-replayed'), 'true');
      assert.equal(begun, keys.length, 'it was not done again');
    });

    it('a repeat waits for the first, and is done again only when the first has died', async () => {
      hold();
      const id = newId();
      const post = () => slow.client.post(`/api/slow/${id}`, undefined, key(id));
      const first = post();
      await eventually(() => assert.equal(begun, 1));
      assertProblem(await post(), 409, 'idempotency_key_in_use');
      const second = post();
      release();
      assert.equal((await first).status, 200);
      assert.equal((await second).headers.get('idempotent-replayed'), 'true');
      assert.equal(begun, 1);

      const minutesAgo = (count: number) => new Date(NOW.getTime() - count * 60_000).toISOString();
      const age = (created_at: string) =>
        slow.database.withTenant(slow, (trx) =>
          trx('idempotency_keys').where({ key: id }).update({ status: null, owner: newId(), created_at }),
        );
      await age(minutesAgo(1));
      assertProblem(await post(), 409, 'idempotency_key_in_use');
      await age(minutesAgo(3));
      assert.equal((await post()).headers.get('idempotent-replayed'), null);
      assert.equal(begun, 2);
    });
  });
});
