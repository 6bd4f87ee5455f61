import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { TestClient } from '../../../helpers/client.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

describe('comments', () => {
  let sales: TestClient;
  let salesId: string;
  let hr: TestClient;
  let partnerId: string;

  const app = useApp();
  before(async () => {
    [sales, salesId] = await colleague('sales', 'Sara');
    [hr] = await colleague('hr', 'Hugo');
    const groupId = (await app.client.get('/api/partnerGroups?code=CLI')).body.data[0].id;
    partnerId = (await app.client.post('/api/partners', { name: 'Café Sol', groupId })).body.data.id;
  });

  async function colleague(role: string, name: string): Promise<[TestClient, string]> {
    const email = `${role}@example.test`;
    const password = 'correct horse battery';
    const { body } = await app.client.post('/api/users', { email, name, password, role });
    const login = await app.anonymous.post('/api/auth/login', { email, password });
    return [app.as(login.body.token), body.data.id];
  }

  const about = (entityId = partnerId) => ({ entityType: 'BusinessPartner', entityId });
  async function comment(client: TestClient, body: string): Promise<{ id: string; version: number }> {
    const answer = await client.post('/api/comments', { ...about(), body });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data;
  }
  async function assertRefused(client: TestClient, body: object, pointer: string): Promise<void> {
    const answer = await client.post('/api/comments', body);
    assertProblem(answer, 422, 'validation_failed');
    assert.equal(answer.body.errors[0].pointer, pointer);
  }
  const mentionNotices = async (client: TestClient) =>
    (await client.get('/api/notifications?type=mention')).body.data as { metadata: { comment_id: string } }[];

  it('say who wrote them; those of a record are listed, newest first', async () => {
    const first = await comment(sales, 'They pay late.');
    const second = await comment(app.client, 'Not any more.');
    const { body } = await app.client.get(`/api/comments?entityType=BusinessPartner&entityId=${partnerId}`);
    const [newest, oldest] = body.data;
    assert.deepEqual([newest.id, oldest.id], [second.id, first.id]);
    assert.deepEqual(
      [oldest.body, oldest.userId, oldest.author, oldest.actor],
      ['They pay late.', salesId, 'Sara', null],
    );
    assert.equal((await app.client.get('/api/comments?q=any+more')).body.data[0].id, second.id);
  });

  it('notify whom they mention, once, if they may read the record', async () => {
    const written = await comment(app.client, 'Ask @Sales@example.test, @hr@example.test or @nobody@example.test.');
    const { body } = await app.client.get(`/api/comments/${written.id}`);
    assert.deepEqual(body.data.mentions, [salesId]);
    const told = (await mentionNotices(sales)).filter(({ metadata }) => metadata.comment_id === written.id);
    assert.equal(told.length, 1);
    assert.equal((await mentionNotices(hr)).length, 0);
    await app.client.patch(`/api/comments/${written.id}`, { body: 'Ask @sales@example.test again.' });
    assert.equal((await mentionNotices(sales)).filter(({ metadata }) => metadata.comment_id === written.id).length, 1);
  });

  it('are shown to whom they mention up to a whole character', async () => {
    const body = `@sales@example.test ${'x'.repeat(479)}\u{1F600}\u{1F600}`;
    const { id } = await comment(app.client, body);
    const { body: inbox } = await sales.get('/api/notifications?type=mention');
    const told = inbox.data.find(({ metadata }: { metadata: { comment_id: string } }) => metadata.comment_id === id);
    assert.equal(told.body, `${body.slice(0, 499)}…`);
  });

  it('are changed by their author, and deleted by them or an administrator', async () => {
    const { id, version } = await comment(sales, 'Draft');
    assertProblem(await app.client.patch(`/api/comments/${id}`, { body: 'Mine' }), 403, 'forbidden');
    const changed = await sales.patch(`/api/comments/${id}`, { body: 'Final' }, { 'If-Match': `"${version}"` });
    assert.deepEqual([changed.body.data.body, changed.body.data.version], ['Final', version + 1]);
    const stale = await sales.patch(`/api/comments/${id}`, { body: 'Late' }, { 'If-Match': `"${version}"` });
    assertProblem(stale, 412, 'stale_version');
    const own = await comment(app.client, 'Of the owner');
    assertProblem(await sales.del(`/api/comments/${own.id}`), 403, 'forbidden');
    assert.equal((await app.client.del(`/api/comments/${id}`)).status, 204);
    assertProblem(await sales.get(`/api/comments/${id}`), 404, 'not_found');
  });

  it('are there only for those who may read the record', async () => {
    const { id } = await comment(sales, 'Between us');
    assert.equal((await hr.get('/api/comments')).body.pagination.total, 0);
    assertProblem(await hr.get(`/api/comments/${id}`), 404, 'not_found');
    assertProblem(await hr.del(`/api/comments/${id}`), 404, 'not_found');
    await assertRefused(hr, { ...about(), body: 'Hello' }, '/entityId');
  });

  it('refuse what is no record, and what is no text', async () => {
    const refused = (body: object, pointer: string) => assertRefused(app.client, body, pointer);
    await refused({ ...about(randomUUID()), body: 'Hello' }, '/entityId');
    await refused({ entityType: 'SalesInvoice', entityId: partnerId, body: 'Hello' }, '/entityId');
    await refused({ entityType: 'Nothing', entityId: partnerId, body: 'Hello' }, '/entityType');
    await refused({ ...about(), body: '  ' }, '/body');
    await refused({ ...about(), body: 'x'.repeat(10_001) }, '/body');
    const everybody = Array.from({ length: 51 }, (_, index) => `@p${index}@example.test`).join(' ');
    await refused({ ...about(), body: everybody }, '/body');
  });

  it('go when their record goes', async () => {
    const groupId = (await app.client.get('/api/partnerGroups?code=CLI')).body.data[0].id;
    const { id: gone } = (await app.client.post('/api/partners', { name: 'Gone', groupId })).body.data;
    const { body } = await app.client.post('/api/comments', { ...about(gone), body: 'Farewell' });
    assert.equal((await app.client.del(`/api/partners/${gone}`)).status, 204);
    assertProblem(await app.client.get(`/api/comments/${body.data.id}`), 404, 'not_found');
  });
});
