import assert from 'node:assert/strict';
import type { TestClient } from '../../../helpers/client.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { pushBrowser } from '../../../helpers/push-browser.ts';

const PATH = '/api/notifications/push-subscriptions';

describe('api: browsers for Web Push', () => {
  let colleague: TestClient;

  const app = useApp();
  before(async () => {
    const person = { email: 'bea@example.test', password: 'correct horse battery' };
    await app.client.post('/api/users', { ...person, name: 'Bea', role: 'viewer' });
    colleague = app.as((await app.anonymous.post('/api/auth/login', person)).body.token);
  });
  const at = (name: string) => pushBrowser(`https://push.example.com/${name}`).subscription;
  const services = async (client: TestClient) => (await client.get(PATH)).body.pagination.total;

  it('offers a key that never changes', async () => {
    const first = await app.client.get('/api/notifications/push-key');
    assert.equal(Buffer.from(first.body.public_key, 'base64url').length, 65);
    assert.deepEqual((await colleague.get('/api/notifications/push-key')).body, first.body);
  });

  it("lists a user's browsers without their secrets, and renews the keys of a known browser", async () => {
    const { status, body } = await app.client.post(PATH, at('one'));
    assert.equal(status, 201, JSON.stringify(body));
    assert.equal(body.data.service, 'push.example.com');
    assert.doesNotMatch(JSON.stringify(body), /endpoint|p256dh|auth/);
    const again = await app.client.post(PATH, at('one'));
    assert.deepEqual([again.body.data.id, again.body.data.version], [body.data.id, 2]);
    assert.deepEqual([await services(app.client), await services(colleague)], [1, 0]);
    const logs = (await app.client.get(`/api/audit-logs?entityId=${body.data.id}`)).body;
    assert.doesNotMatch(JSON.stringify(logs), /p256dh|push\.example\.com\/one/);
  });

  it("unsubscribes only the user's own browsers, by id or address", async () => {
    const mine = at('two');
    const { id } = (await app.client.post(PATH, mine)).body.data;
    assertProblem(await colleague.del(`${PATH}/${id}`), 404, 'not_found');
    const address = `${PATH}?endpoint=${encodeURIComponent(mine.endpoint)}`;
    assertProblem(await colleague.del(address), 404, 'not_found');
    assert.equal((await app.client.del(address)).status, 204);
    assertProblem(await app.client.del(`${PATH}/${id}`), 404, 'not_found');
  });

  it('assigns a shared browser to the user who subscribed last', async () => {
    await app.client.post(PATH, at('shared'));
    const before = [await services(app.client), await services(colleague)];
    assert.equal((await colleague.post(PATH, at('shared'))).status, 201);
    assert.deepEqual([await services(app.client), await services(colleague)], [before[0] - 1, before[1] + 1]);
    assert.equal((await colleague.del(`${PATH}?endpoint=${at('shared').endpoint}`)).status, 204);
  });

  it('ends a subscription with the session that created it, and no other', async () => {
    const person = { email: 'cleo@example.test', password: 'correct horse battery' };
    await app.client.post('/api/users', { ...person, name: 'Cleo', role: 'viewer' });
    const signIn = async () => app.as((await app.anonymous.post('/api/auth/login', person)).body.token);
    const [office, home] = [await signIn(), await signIn()];
    assert.equal((await office.post(PATH, at('office'))).status, 201);
    assert.equal((await home.post(PATH, at('home'))).status, 201);
    const others = await services(app.client);
    assert.equal((await office.post('/api/auth/logout', {})).status, 204);
    assert.equal((await home.del(`${PATH}?endpoint=${at('office').endpoint}`)).status, 404);
    assert.deepEqual([await services(home), await services(app.client)], [1, others]);
    const kept = await signIn();
    await kept.post(PATH, at('kept'));
    const change = { currentPassword: person.password, newPassword: 'battery horse correct' };
    assert.equal((await kept.post('/api/auth/change-password', change)).status, 204);
    const left = async (name: string) => (await kept.del(`${PATH}?endpoint=${at(name).endpoint}`)).status;
    assert.deepEqual([await left('home'), await left('kept')], [404, 204]);
  });

  it('keeps at most ten browsers, replacing the oldest', async () => {
    for (let nth = 0; nth < 12; nth++) {
      app.clock.now = new Date(app.clock.now.getTime() + 1000);
      assert.equal((await colleague.post(PATH, at(`browser-${nth}`))).status, 201);
    }
    assert.equal(await services(colleague), 10);
    const left = async (name: string) => (await colleague.del(`${PATH}?endpoint=${at(name).endpoint}`)).status;
    assert.deepEqual([await left('browser-1'), await left('browser-2'), await left('browser-11')], [404, 204, 204]);
  });

  it('refuses addresses and keys that cannot be pushed to', async () => {
    const { keys } = at('three');
    const wrong = [
      [{ endpoint: 'http://push.example.com/x', keys }, '/endpoint'],
      [{ endpoint: 'https://127.0.0.1/x', keys }, '/endpoint'],
      [{ endpoint: 'https://169.254.169.254/x', keys }, '/endpoint'],
      [{ endpoint: 'https://push.example.com/x', keys: { ...keys, auth: 'AAAA' } }, '/keys/auth'],
      [{ endpoint: 'https://push.example.com/x', keys: { ...keys, p256dh: keys.p256dh.slice(4) } }, '/keys/p256dh'],
      [{ endpoint: 'https://push.example.com/x', keys: { ...keys, p256dh: `B${'A'.repeat(86)}` } }, '/keys/p256dh'],
    ] as const;
    for (const [body, pointer] of wrong) {
      const answer = await app.client.post(PATH, body);
      assertProblem(answer, 422, 'validation_failed');
      assert.equal(answer.body.errors[0].pointer, pointer);
    }
    const key = (await app.client.post('/api/api-keys', { name: 'Shop', role: 'admin' })).body.data.key;
    assertProblem(await app.as(key).post(PATH, at('four')), 403, 'forbidden');
  });
});
