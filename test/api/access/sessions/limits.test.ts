import assert from 'node:assert/strict';
import { Counters } from '../../../../api/middleware/rate-limit.ts';
import { OWNER } from '../../../helpers/app.ts';
import type { Answer, TestClient } from '../../../helpers/client.ts';
import { NOW } from '../../../helpers/clock.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { eventually } from '../../../helpers/worker.ts';

const PASSWORD = 'correct horse battery';
const at = (address: string) => ({ 'X-Forwarded-For': address });

describe('api: login limits', () => {
  const app = useApp({ env: { TRUST_PROXY: '1' } });
  before(async () => {
    const { body } = await app.client.post('/api/tenants', { name: 'Second', taxId: 'B87654323' });
    const people = [app.client, app.as(app.token, body.data.id)];
    for (const [index, client] of people.entries()) {
      const person = { email: `person${index}@example.com`, name: 'Person', password: PASSWORD, role: 'admin' };
      assert.equal((await client.post('/api/users', person)).status, 201);
    }
  });

  const logIn = (email: string, password: string, address: string) =>
    app.anonymous.post('/api/auth/login', { email, password }, at(address));
  const told = ({ status, body }: Answer) => [status, body.code, body.detail];

  it('block a guessing stranger from an e-mail, but not its owner', async () => {
    const [known, unknown] = ['person1@example.com', 'nobody@example.com'];
    for (let attempt = 1; attempt <= 5; attempt++) {
      const answers = [await logIn(known, 'wrong', '203.0.113.1'), await logIn(unknown, 'wrong', '203.0.113.2')];
      for (const answer of answers) assertProblem(answer, 401, 'invalid_credentials');
      assert.deepEqual(told(answers[0] as Answer), told(answers[1] as Answer));
    }
    const locked = [await logIn(known, PASSWORD, '203.0.113.1'), await logIn(unknown, PASSWORD, '203.0.113.2')];
    for (const answer of locked) assertProblem(answer, 429, 'too_many_requests');
    assert.deepEqual(told(locked[0] as Answer), told(locked[1] as Answer));
    assert.equal(locked[0]?.headers.get('Retry-After'), locked[1]?.headers.get('Retry-After'));
    assert.equal((await logIn(known, PASSWORD, '203.0.113.3')).status, 200);
  });

  it('cannot be evaded by forged client addresses', async () => {
    for (let attempt = 1; attempt <= 5; attempt++) {
      assertProblem(
        await logIn('person0@example.com', 'wrong', `198.51.100.${attempt}, 203.0.113.9`),
        401,
        'invalid_credentials',
      );
    }
    assertProblem(await logIn('person0@example.com', PASSWORD, '198.51.100.9, 203.0.113.9'), 429, 'too_many_requests');
  });

  it('let the owner reset a password although strangers request it too', async () => {
    const forget = async (email: string, address: string) =>
      (await app.anonymous.post('/api/auth/forgot-password', { email }, at(address))).status;
    const often = async (times: number, email: (nth: number) => string, address: string) =>
      (await Promise.all(Array.from({ length: times }, (_, nth) => forget(email(nth), address)))).sort();
    assert.equal((await logIn('person0@example.com', PASSWORD, '203.0.113.30')).status, 200);
    const strange = await often(6, () => 'person0@example.com', '203.0.113.31');
    assert.deepEqual(strange, [204, 204, 204, 204, 204, 429]);
    assert.equal(await forget('person0@example.com', '203.0.113.32'), 429);
    assert.equal(await forget('person0@example.com', '203.0.113.30'), 204);
    // Requests over the limit of their address do not count towards the limit of an e-mail.
    await often(20, (nth) => `nobody${nth}@example.com`, '203.0.113.33');
    assert.deepEqual(new Set(await often(6, () => 'person1@example.com', '203.0.113.33')), new Set([429]));
    assert.equal(await forget('person1@example.com', '203.0.113.34'), 204);
  });

  it('stop attempts with one password on many e-mails', async () => {
    for (let attempt = 1; attempt <= 20; attempt++) {
      assertProblem(await logIn(`spray${attempt}@example.com`, PASSWORD, '203.0.113.20'), 401, 'invalid_credentials');
    }
    assertProblem(await logIn('spray21@example.com', PASSWORD, '203.0.113.20'), 429, 'too_many_requests');
    assertProblem(await logIn(OWNER.email, OWNER.password, '203.0.113.20'), 429, 'too_many_requests');
    assert.equal((await logIn(OWNER.email, OWNER.password, '203.0.113.21')).status, 200);
  });

  it('let no more guesses through when they run in parallel', async () => {
    const guesses = Array.from({ length: 40 }, (_, index) =>
      logIn(`many${index}@example.com`, 'wrong', '203.0.113.30'),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    assert.deepEqual(
      [401, 429].map((status) => statuses.filter((one) => one === status).length),
      [20, 20],
    );
  });
});

describe('api: rate limits', () => {
  const app = useApp({ env: { TRUST_PROXY: '1', RATE_LIMIT_PER_MINUTE: '4' } });
  /** A minute without any counted request. */
  beforeEach(() => {
    app.clock.now = new Date(app.clock.now.getTime() + 60_000);
  });

  const statuses = async (client: TestClient, headers: readonly Record<string, string>[]) => {
    const answers: number[] = [];
    for (const header of headers) answers.push((await client.get('/api/uom', header)).status);
    return answers;
  };
  const logIn = async () => {
    const { body } = await app.anonymous.post('/api/auth/login', OWNER_LOGIN, at('192.0.2.200'));
    return body as { token: string; refresh_token: string };
  };
  const OWNER_LOGIN = { email: OWNER.email, password: OWNER.password };

  it('count per session, regardless of token form, address and company', async () => {
    const { token, refresh_token } = await logIn();
    const spellings = [
      `Bearer ${token}`,
      `bearer ${token}`,
      `BEARER  ${token}`,
      ` bEaReR\t${token}`,
      `Bearer   ${token}`,
    ];
    const sent = spellings.map((Authorization, index) => ({ Authorization, ...at(`192.0.2.${index}`) }));
    assert.deepEqual(await statuses(app.anonymous, sent), [200, 200, 200, 200, 429]);
    const next = await app.anonymous.post('/api/auth/refresh', { refresh_token }, at('192.0.2.201'));
    assert.deepEqual(await statuses(app.as(next.body.token), [at('192.0.2.202')]), [429]);
    assert.deepEqual(await statuses(app.as((await logIn()).token), [at('192.0.2.202')]), [200]);
  });

  it('count per API key, however it is sent', async () => {
    const { token } = await logIn();
    const { body } = await app.as(token).post('/api/api-keys', { name: 'shop', role: 'viewer' });
    const { key } = body.data;
    const sent = ['Bearer ', 'bearer ', 'BEARER  ', ''].map((scheme) => ({ Authorization: scheme + key }));
    assert.deepEqual(await statuses(app.anonymous, [...sent, sent[0] ?? {}]), [200, 200, 200, 200, 429]);
  });

  it('count unauthenticated callers by address, and an IPv6 network as one', async () => {
    const wrong = ['x', 'bms_x', 'eyJ.eyJ.x', 'bms_y', 'bms_z'];
    const sent = wrong.map((token, index) => ({ Authorization: `Bearer ${token}`, ...at(`2001:db8::${index + 1}`) }));
    assert.deepEqual(await statuses(app.anonymous, sent), [401, 401, 401, 401, 429]);
    assert.deepEqual(await statuses(app.anonymous, [at('2001:db8:0:0:ffff::1'), at('2001:db8:0:1::1')]), [429, 401]);
    // Sessions from the same address are not affected.
    assert.deepEqual(await statuses(app.as((await logIn()).token), [at('2001:db8::1')]), [200]);
  });

  it('refuse requests before any query', async () => {
    const { token } = await logIn();
    const { body } = await app.as(token).post('/api/api-keys', { name: 'flood', role: 'viewer' });
    const floods = [app.as(token), app.as(body.data.key)];
    for (const client of floods) await statuses(client, Array(5).fill({}));
    const { poolSize } = app.deps.config.database;
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    let held = 0;
    const hold = async () => {
      held += 1;
      await ended;
    };
    const holding = Promise.all(Array.from({ length: poolSize }, () => app.database.withSystem(hold)));
    await eventually(async () => assert.equal(held, poolSize));
    try {
      for (const client of floods) assert.deepEqual(await statuses(client, [{}]), [429]);
    } finally {
      end();
      await holding;
    }
  });

  it("start over after a minute, by the service's clock", async () => {
    const { token } = await logIn();
    assert.deepEqual(await statuses(app.as(token), Array(5).fill(at('192.0.2.9'))), [200, 200, 200, 200, 429]);
    app.clock.now = new Date(app.clock.now.getTime() + 60_000);
    assert.deepEqual(await statuses(app.as(token), [at('192.0.2.9')]), [200]);
  });

  it('keep a bounded number of names', () => {
    const counters = new Counters();
    const time = NOW.getTime();
    assert.equal(counters.count('first', time).count, 1);
    for (let name = 0; name < 60_000; name++) counters.count(`name ${name}`, time);
    assert.equal(counters.count('first', time).count, 2);
    assert.ok(counters.count('one more', time).count > 10_000);
    assert.deepEqual(counters.count('one more', time + 60_000), { count: 1, seconds: 60 });
    assert.deepEqual(counters.count('one more', time - 3_600_000), { count: 1, seconds: 60 });
  });
});
