import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import type { Answer, TestClient } from '../../../helpers/client.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

describe('attachments over HTTP', () => {
  let sales: TestClient;
  let hr: TestClient;
  let partnerId: string;

  const app = useApp({ env: { ATTACHMENTS_MIB_PER_COMPANY: '21' } });
  before(async () => {
    sales = await colleague('sales');
    hr = await colleague('hr');
    partnerId = await partner('Café Sol');
  });

  async function colleague(role: string): Promise<TestClient> {
    const email = `${role}@example.test`;
    const password = 'correct horse battery';
    await app.client.post('/api/users', { email, name: role, password, role });
    return app.as((await app.anonymous.post('/api/auth/login', { email, password })).body.token);
  }
  async function partner(name: string): Promise<string> {
    const groupId = (await app.client.get('/api/partnerGroups?code=CLI')).body.data[0].id;
    return (await app.client.post('/api/partners', { name, groupId })).body.data.id;
  }
  const address = (name: string, entityId = partnerId) =>
    `/api/files?entityType=BusinessPartner&entityId=${entityId}&name=${encodeURIComponent(name)}`;
  const send = (client: TestClient, name: string, content = 'content', entityId = partnerId): Promise<Answer> =>
    client.post(address(name, entityId), content, { 'Content-Type': 'text/plain' });
  async function sent(client: TestClient, name: string, content = 'content', entityId = partnerId) {
    const answer = await send(client, name, content, entityId);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data as { id: string; version: number };
  }

  it('are stored with type, size and checksum, and come back as they were', async () => {
    const { id } = await sent(sales, 'Condiciones “2026”.csv', 'a;b\n1;ñ');
    const { data } = (await app.client.get(`/api/files/${id}/details`)).body;
    const sha256 = createHash('sha256').update('a;b\n1;ñ').digest('hex');
    const { name, contentType, size, author } = data;
    assert.deepEqual([name, contentType, size, author], ['Condiciones “2026”.csv', 'text/csv', 8, 'sales']);
    assert.equal(data.sha256, sha256);
    const file = await app.client.get(`/api/files/${id}`);
    assert.equal(file.body, 'a;b\n1;ñ');
    assert.match(file.headers.get('content-disposition') ?? '', /^attachment; .*filename\*=UTF-8''Condiciones%20/);
    assert.match(file.headers.get('content-security-policy') ?? '', /^sandbox/);
    const listed = await app.client.get(`/api/files?entityType=BusinessPartner&entityId=${partnerId}&q=condic`);
    assert.deepEqual(listed.body.data, [data]);
  });

  it('come as the part of a form, under the name that it has', async () => {
    const form = new FormData();
    form.set('file', new File(['hello'], 'greeting.txt', { type: 'text/plain' }));
    const url = `${app.address}/api/files?entityType=BusinessPartner&entityId=${partnerId}`;
    const answer = await fetch(url, { method: 'POST', body: form, headers: { Authorization: `Bearer ${app.token}` } });
    const { data } = (await answer.json()) as { data: { name: string } };
    assert.deepEqual([answer.status, data.name], [201, 'greeting.txt']);
    assertProblem(await app.client.post(address(''), 'x', { 'Content-Type': 'text/plain' }), 400, 'invalid_parameter');
  });

  it('are given to people without an account by a link, until it expires or the file is gone', async () => {
    const { id } = await sent(sales, 'offer.txt', 'the offer');
    const { url, expiresAt } = (await sales.get(`/api/files/${id}/link?seconds=60`)).body.data;
    assert.equal(new Date(expiresAt).getTime(), Math.floor(app.clock.now.getTime() / 1000) * 1000 + 60_000);
    const path = new URL(url).pathname + new URL(url).search;
    assert.equal((await app.anonymous.get(path)).body, 'the offer');
    const forged = path.replace(/expires=\d+/, 'expires=99999999999');
    for (const bad of [forged, path.replace(id, randomUUID()), path.replace(/signature=./, 'signature=_')]) {
      assertProblem(await app.anonymous.get(bad), 404, 'not_found');
    }
    assertProblem(await app.anonymous.get(path.replace(/company=[^&]+&/, '')), 400, 'invalid_parameter');
    assertProblem(await app.anonymous.get(`/api/files/${id}`), 401, 'unauthorized');
    app.clock.now = new Date(app.clock.now.getTime() + 61_000);
    assertProblem(await app.anonymous.get(path), 404, 'not_found');
    const fresh = new URL((await sales.get(`/api/files/${id}/link`)).body.data.url);
    assert.equal((await sales.del(`/api/files/${id}`)).status, 204);
    assertProblem(await app.anonymous.get(fresh.pathname + fresh.search), 404, 'not_found');
  });

  it('belong to who may read the record; others than their owner cannot change them', async () => {
    const { id, version } = await sent(app.client, 'own.txt');
    for (const path of ['', '/details', '/link']) {
      assertProblem(await hr.get(`/api/files/${id}${path}`), 404, 'not_found');
    }
    assert.equal((await hr.get('/api/files')).body.pagination.total, 0);
    const refused = await send(hr, 'theirs.txt');
    assertProblem(refused, 422, 'validation_failed');
    assert.equal(refused.body.errors[0].pointer, '/entityId');
    assertProblem(await sales.patch(`/api/files/${id}/details`, { name: 'x.txt' }), 403, 'forbidden');
    assertProblem(await sales.del(`/api/files/${id}`), 403, 'forbidden');
    const renamed = await app.client.patch(
      `/api/files/${id}/details`,
      { name: 'a/b.txt' },
      { 'If-Match': `"${version}"` },
    );
    assert.equal(renamed.body.data.name, 'b.txt');
    for (const [name, code] of [
      ['b.URL', 'link'],
      ['b.exe', 'program'],
    ]) {
      const harmful = await app.client.patch(`/api/files/${id}/details`, { name });
      assertProblem(harmful, 422, 'validation_failed');
      assert.deepEqual([harmful.body.errors[0].pointer, harmful.body.errors[0].code], ['/name', code]);
    }
    assertProblem(await app.client.del(`/api/files/${id}`, { 'If-Match': `"${version}"` }), 412, 'stale_version');
  });

  it('are refused if they are programs, empty, too large or of nothing', async () => {
    const cases = [
      [await send(sales, 'virus.exe'), '/file'],
      [await send(sales, 'x.txt', 'x', randomUUID()), '/entityId'],
    ] as const;
    for (const [answer, pointer] of cases) {
      assertProblem(answer, 422, 'validation_failed');
      assert.equal(answer.body.errors[0].pointer, pointer);
    }
    assertProblem(await send(sales, 'large.txt', 'x'.repeat(20 * 1024 ** 2 + 1)), 413, 'body_too_large');
    const unknown = await sales.post(address('x.txt').replace('BusinessPartner', 'Nothing'), 'x');
    assertProblem(unknown, 400, 'invalid_parameter');
  });

  it('have their room in all', async () => {
    const { id } = await sent(sales, 'large.txt', 'x'.repeat(20 * 1024 ** 2));
    const answer = await send(sales, 'more.txt', 'x'.repeat(1024 ** 2));
    assertProblem(answer, 422, 'validation_failed');
    assert.equal(answer.body.errors[0].code, 'no_room');
    assert.equal((await sales.del(`/api/files/${id}`)).status, 204);
    await sent(sales, 'more.txt', 'x'.repeat(1024 ** 2));
  });

  it('have no more room when many come at once', async () => {
    // 3 x 9 MiB into 21 MiB: two fit.
    const content = 'x'.repeat(9 * 1024 ** 2);
    const answers = await Promise.all(['a', 'b', 'c'].map((name) => send(sales, `${name}.txt`, content)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 422]);
    for (const { body } of answers) if (body.data !== undefined) await sales.del(`/api/files/${body.data.id}`);
  });

  it('go with their record, and leave nothing behind', async () => {
    const gone = await partner('Gone');
    const { id } = await sent(sales, 'farewell.txt', 'bye', gone);
    assert.equal((await app.client.del(`/api/partners/${gone}`)).status, 204);
    assertProblem(await app.client.get(`/api/files/${id}/details`), 404, 'not_found');
    const { rows } = await app.database.readTenant({ tenantId: app.tenantId }, (db) =>
      db.raw<{ rows: unknown[] }>('select 1 from files where entity_id = ?', [id]),
    );
    assert.deepEqual(rows, []);
  });
});
