import assert from 'node:assert/strict';
import type { Context } from '../../../../db/context.ts';
import { newId } from '../../../../db/ids.ts';
import { alertAdmins, notifyUser } from '../../../../services/messages/notifications/notify.ts';
import type { TestClient } from '../../../helpers/client.ts';
import { NOW } from '../../../helpers/clock.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

describe('api: notifications', () => {
  const app = useApp();
  let viewer: TestClient;
  let viewerId: string;
  before(async () => {
    const user = { email: 'vera@example.test', name: 'Vera', password: 'vera views the warehouse', role: 'viewer' };
    viewerId = (await app.client.post('/api/users', user)).body.data.id;
    const { body } = await app.anonymous.post('/api/auth/login', { email: user.email, password: user.password });
    viewer = app.as(body.token);
  });

  const context = (): Context => ({ tenantId: app.tenantId, userId: null, actor: 'test', requestId: 'test', now: NOW });
  const tell = (title: string, userId = app.userId) =>
    app.database.withTenant(context(), (trx) =>
      notifyUser(trx, context(), userId, 'task_completed', {
        title,
        body: 'Ready',
        actionUrl: '/x',
        actionLabel: 'Show',
        es: { title, body: 'Ready', actionLabel: 'Show' },
      }),
    );
  const path = '/api/notifications';
  const titles = (answer: { body: { data: { title: string }[] } }) => answer.body.data.map(({ title }) => title);
  const first = async (query = '') => (await app.client.get(`${path}?limit=1${query}`)).body.data[0];
  const clear = () => app.client.post(`${path}/read-all`);

  it('lists notifications newest first, twenty per page, with the number of unread ones', async () => {
    for (let number = 1; number <= 23; number++) await tell(`Report ${number}`);
    const page = await app.client.get(path);
    assert.deepEqual(page.body.pagination, { total: 23, page: 1, per_page: 20, has_more: true });
    assert.equal(page.body.unread_count, 23);
    assert.deepEqual(titles(page).slice(0, 2), ['Report 23', 'Report 22']);
    const last = await app.client.get(`${path}?limit=10&offset=20`);
    assert.deepEqual(last.body.pagination, { total: 23, page: 3, per_page: 10, has_more: false });
    assert.deepEqual(titles(last), ['Report 3', 'Report 2', 'Report 1']);
    // Offset 18 of 23 with 5 on a page ends at the last one.
    const odd = await app.client.get(`${path}?limit=5&offset=18`);
    assert.deepEqual([odd.body.pagination.has_more, titles(odd).length], [false, 5]);
    assert.deepEqual((await app.client.get(`${path}?page=2`)).body.data.length, 3);
    await clear();
  });

  it('shows the record that a notification is about', async () => {
    await tell('Report');
    const { id, version, created_at, updated_at, ...shown } = await first();
    assert.deepEqual(shown, {
      type: 'task_completed',
      title: 'Report',
      body: 'Ready',
      read: false,
      user_id: app.userId,
      tenant_id: app.tenantId,
      action_url: '/x',
      action_label: 'Show',
    });
    assert.deepEqual([version, created_at, updated_at], [1, NOW.toISOString(), NOW.toISOString()]);
    assert.equal((await app.client.get(`${path}/${id}`)).body.data.title, 'Report');
    await clear();
  });

  it('filters notifications by type and read state', async () => {
    await tell('Report');
    await app.database.withTenant(context(), (trx) =>
      alertAdmins(trx, context(), { title: 'Alert', body: 'Look', es: { title: 'Alert', body: 'Look' } }),
    );
    assert.deepEqual(titles(await app.client.get(`${path}?type=system_alert`)), ['Alert']);
    assert.deepEqual(titles(await app.client.get(`${path}?read=false`)), ['Alert', 'Report']);
    const none = await app.client.get(`${path}?read=false&type=mention`);
    assert.deepEqual([none.body.data, none.body.unread_count], [[], 2]);
    for (const bad of [
      'type=gossip',
      'read=perhaps',
      'limit=501',
      'offset=-1',
      'offset=x',
      'offset=1&page=2',
      'foo=1',
    ]) {
      assertProblem(await app.client.get(`${path}?${bad}`), 400, 'invalid_parameter');
    }
    assertProblem(await app.client.get('/api/tasks?offset=1'), 400, 'invalid_parameter');
    await clear();
  });

  it('marks notifications as read, as unread, and all as read', async () => {
    await tell('One');
    await tell('Two');
    const { id } = await first();
    const counted = async () => (await app.client.get(`${path}/unread-count`)).body;
    assert.deepEqual(await counted(), { unread_count: 2 });
    const read = await app.client.post(`${path}/${id}/read`);
    assert.deepEqual([read.status, read.body.data.read, read.body.data.read_at], [200, true, NOW.toISOString()]);
    assert.equal(read.body.data.version, 2);
    assert.equal((await app.client.post(`${path}/${id}/read`)).body.data.version, 2);
    assert.deepEqual(await counted(), { unread_count: 1 });
    assertProblem(
      await app.client.post(`${path}/${id}/unread`, undefined, { 'If-Match': `"${id}-1"` }),
      412,
      'stale_version',
    );
    const unread = await app.client.post(`${path}/${id}/unread`);
    assert.deepEqual([unread.body.data.read, unread.body.data.read_at], [false, undefined]);
    const all = await app.client.post(`${path}/read-all`);
    assert.deepEqual([all.status, all.body], [200, { updated: 2 }]);
    assert.deepEqual((await app.client.post(`${path}/read-all`)).body, { updated: 0 });
    assert.deepEqual(await counted(), { unread_count: 0 });
  });

  it('deletes a notification', async () => {
    await tell('Gone soon');
    const { id } = await first();
    assert.equal((await app.client.del(`${path}/${id}`)).status, 204);
    assertProblem(await app.client.get(`${path}/${id}`), 404, 'not_found');
    assertProblem(await app.client.del(`${path}/${id}`), 404, 'not_found');
  });

  it('shows notifications only to their user, who alone can change them', async () => {
    await tell('For the owner');
    const { id } = await first();
    for (const answer of [
      await viewer.get(`${path}/${id}`),
      await viewer.post(`${path}/${id}/read`),
      await viewer.del(`${path}/${id}`),
      await app.client.get(`${path}/${newId()}`),
    ]) {
      assertProblem(answer, 404, 'not_found');
    }
    assert.deepEqual((await viewer.get(path)).body.data, []);
    assert.deepEqual((await viewer.post(`${path}/read-all`)).body, { updated: 0 });
    assert.equal((await first()).read, false);
    await tell('For Vera', viewerId);
    assert.deepEqual(titles(await viewer.get(path)), ['For Vera']);
    await clear();
  });

  it('has notifications for users, not for programs', async () => {
    const key = await app.client.post('/api/api-keys', { name: 'Shop', role: 'admin' });
    const machine = app.as(key.body.data.key);
    for (const answer of [
      await machine.get(path),
      await machine.get(`${path}/unread-count`),
      await machine.get(`${path}/settings`),
      await machine.patch(`${path}/settings`, { mention: false }),
      await machine.post(`${path}/read-all`),
    ]) {
      assertProblem(answer, 403, 'forbidden');
    }
  });
});
