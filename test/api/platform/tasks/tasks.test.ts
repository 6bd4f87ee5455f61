import assert from 'node:assert/strict';
import type { Context } from '../../../../db/context.ts';
import { newId } from '../../../../db/ids.ts';
import { storeTaskFile } from '../../../../services/platform/files/task-files.ts';
import { endTask, recordPosition, reportProgress } from '../../../../services/platform/tasks/report.ts';
import { startTask } from '../../../../services/platform/tasks/tasks.ts';
import type { TestApp } from '../../../helpers/app.ts';
import type { TestClient } from '../../../helpers/client.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

const NOW = new Date('2026-06-15T10:00:00Z');

describe('background tasks', () => {
  let viewer: TestClient;
  let viewerId: string;
  let machine: TestClient;
  let machineId: string;

  const app = useApp();
  before(async () => {
    const user = { email: 'vera@example.test', name: 'Vera', password: 'vera views the warehouse', role: 'viewer' };
    const created = await app.client.post('/api/users', user);
    viewerId = created.body.data.id;
    const { body } = await app.anonymous.post('/api/auth/login', { email: user.email, password: user.password });
    viewer = app.as(body.token);
    const key = await app.client.post('/api/api-keys', { name: 'Shop', role: 'viewer' });
    machineId = key.body.data.id;
    machine = app.as(key.body.data.key);
  });

  const userContext = (userId: string | null, actor: string | null = null): Context => ({
    tenantId: app.tenantId,
    userId,
    actor,
    requestId: 'test',
    now: NOW,
  });
  const run: TestApp['database']['withTenant'] = (scope, work) => app.database.withTenant(scope, work);
  async function start(ctx = userContext(app.userId)): Promise<string> {
    const work = {
      kind: 'import',
      permission: null,
      input: { secret: 'the upload' },
      message: 'Waiting',
      title: 'Import',
    } as const;
    return (await run(ctx, (trx) => startTask(trx, ctx, work))).id;
  }

  it('keeps links that need no token out of the audit log', async () => {
    const id = await start();
    const resultUrl = `/api/files/${newId()}?company=${app.tenantId}&expires=1&signature=abc`;
    const ctx = userContext(app.userId);
    await run(ctx, (trx) => endTask(trx, ctx, id, { message: 'Done', resultUrl }));
    const { result_url: path, result_link: link } = (await app.client.get(`/api/tasks/${id}`)).body.data;
    assert.equal(path, resultUrl);
    assert.ok(URL.canParse(link) && link.endsWith(resultUrl), link);
    assert.equal((await app.client.del(`/api/tasks/${id}`)).status, 204);
    const { body } = await app.client.get(`/api/audit-logs?entityId=${id}`);
    assert.equal(body.data.length, 3);
    assert.doesNotMatch(JSON.stringify(body), /signature/);
  });

  it('shows a task that waits for a worker, in snake_case, without what it works with', async () => {
    const id = await start();
    const { body, headers } = await app.client.get(`/api/tasks/${id}`);
    const at = NOW.toISOString();
    assert.deepEqual(body.data, {
      id,
      type: 'sync',
      kind: 'import',
      status: 'waiting',
      progress: 0,
      message: 'Waiting',
      created_by: app.userId,
      version: 1,
      created_at: at,
      updated_at: at,
    });
    assert.equal(headers.get('etag'), `"${id}-1"`);
    assert.deepEqual((await app.client.get(`/api/tasks/${id}/progress`)).body, {
      id,
      status: 'waiting',
      progress: 0,
      message: 'Waiting',
    });
    assertProblem(await app.client.get(`/api/tasks/${id}/result`), 404, 'not_found');
  });

  it('tells its progress, which never goes back, and its end once', async () => {
    const id = await start();
    const ctx = userContext(app.userId);
    const report = (progress: number, message: string) =>
      run(ctx, (trx) => reportProgress(trx, ctx, id, { progress, message }));
    assert.equal(await report(40, 'Rows 400 of 1000'), true);
    assert.equal(await report(30, 'A repeated attempt'), true);
    const { body } = await app.client.get(`/api/tasks/${id}/progress`);
    assert.deepEqual([body.progress, body.message], [40, 'A repeated attempt']);

    const content = Buffer.from('{"data":{}}');
    const file = { taskId: id, name: 'result.json', contentType: 'application/json', content };
    await run(ctx, (trx) => storeTaskFile(trx, ctx, { ...file, kind: 'task_result' }));
    const end = { message: 'Done', resultUrl: `/api/tasks/${id}/result` };
    assert.equal(await run(ctx, (trx) => endTask(trx, ctx, id, end)), true);
    assert.equal(await run(ctx, (trx) => endTask(trx, ctx, id, { message: 'Twice', error: 'no' })), false);
    assert.equal(await report(50, 'late'), false);
    assert.equal(await run(ctx, (trx) => recordPosition(trx, id, { rows: 3 }, 0)), false);
    const ended = (await app.client.get(`/api/tasks/${id}`)).body.data;
    assert.deepEqual(
      {
        status: ended.status,
        progress: ended.progress,
        message: ended.message,
        result_url: ended.result_url,
        completed_at: ended.completed_at,
        error: ended.error,
      },
      {
        status: 'completed',
        progress: 100,
        message: 'Done',
        result_url: end.resultUrl,
        completed_at: NOW.toISOString(),
        error: undefined,
      },
    );
    assert.deepEqual((await app.client.get(ended.result_url)).body, { data: {} });
  });

  it('a failure says why', async () => {
    const id = await start();
    const ctx = userContext(app.userId);
    await run(ctx, (trx) => endTask(trx, ctx, id, { message: 'Failed', error: 'Line 7: is required' }));
    const { status, error, progress } = (await app.client.get(`/api/tasks/${id}`)).body.data;
    assert.deepEqual({ status, error, progress }, { status: 'failed', error: 'Line 7: is required', progress: 0 });
  });

  it('lists, filters and sorts them, the newest first', async () => {
    const first = await start();
    const last = await start();
    const { body } = await app.client.get('/api/tasks?status=waiting&type=sync&limit=500');
    const ids = (body.data as { id: string }[]).map(({ id }) => id);
    assert.equal(ids[0], last);
    assert.ok(ids.indexOf(first) > 0, 'the older one follows');
    assert.equal((await app.client.get('/api/tasks?type=backup')).body.pagination.total, 0);
    assertProblem(await app.client.get('/api/tasks?type=nonsense'), 400, 'invalid_parameter');
    assertProblem(await app.client.get('/api/tasks?input=x'), 400, 'invalid_parameter');
    const imports = (await app.client.get('/api/tasks?kind=import&status=waiting&limit=500')).body.data;
    assert.ok(imports.some((task: { id: string }) => task.id === last));
    assert.equal((await app.client.get('/api/tasks?kind=payroll')).body.pagination.total, 0);
    assert.equal((await app.client.get('/api/tasks?kind=import&status=running')).body.pagination.total, 0);
  });

  it('shows people their own, and all to those who run the company', async () => {
    const mine = await start();
    const hers = await start(userContext(viewerId));
    const its = await start(userContext(null, `api_key:${machineId}`));
    const seen = async (client: TestClient) => {
      const { body } = await client.get('/api/tasks?limit=500');
      return [mine, hers, its].filter((id) => (body.data as { id: string }[]).some((task) => task.id === id));
    };
    assert.deepEqual(await seen(app.client), [mine, hers, its]);
    assert.deepEqual(await seen(viewer), [hers]);
    assert.deepEqual(await seen(machine), [its]);
    for (const path of [`/api/tasks/${mine}`, `/api/tasks/${mine}/progress`, `/api/tasks/${mine}/result`]) {
      assertProblem(await viewer.get(path), 404, 'not_found');
    }
    assertProblem(await viewer.del(`/api/tasks/${mine}`), 404, 'not_found');
    assert.equal((await viewer.del(`/api/tasks/${hers}`)).status, 204);
    assert.equal((await app.client.del(`/api/tasks/${its}`)).status, 204);
    assert.equal((await app.client.get(`/api/tasks/${mine}`)).status, 200);
  });

  it('is deleted with its files; a running one is cancelled through the relay', async () => {
    const running = await start();
    const ended = await start();
    const ctx = userContext(app.userId);
    for (const taskId of [running, ended]) {
      const file = { taskId, name: 'x', contentType: 'text/csv', content: Buffer.from('code') };
      await run(ctx, (trx) => storeTaskFile(trx, ctx, { ...file, kind: 'task_input' }));
    }
    await run(ctx, (trx) => endTask(trx, ctx, ended, { message: 'Done' }));
    assertProblem(await app.client.del(`/api/tasks/${running}`, { 'If-Match': '"9"' }), 412, 'stale_version');
    for (const id of [running, ended]) {
      assert.equal((await app.client.del(`/api/tasks/${id}`)).status, 204);
      assertProblem(await app.client.get(`/api/tasks/${id}`), 404, 'not_found');
      assertProblem(await app.client.del(`/api/tasks/${id}`), 404, 'not_found');
    }
    const events = (id: string) =>
      run(ctx, (trx) => trx('outbox').where({ entity_id: id }).orderBy('seq').pluck('event'));
    assert.deepEqual(await events(running), ['internal.task_started', 'internal.task_cancelled']);
    assert.deepEqual(await events(ended), ['internal.task_started', 'internal.task_ended']);
    const files = await run(ctx, (trx) => trx('files').whereIn('entity_id', [running, ended]));
    assert.deepEqual(files, []);
  });

  it('belongs to one company', async () => {
    const id = await start();
    const company = { name: 'Otra SL', taxId: 'B98765431', country: 'ES', currency: 'EUR' };
    const { body } = await app.client.post('/api/tenants', company);
    const other = app.as(app.token, body.data.id);
    assertProblem(await other.get(`/api/tasks/${id}`), 404, 'not_found');
    assert.equal((await other.get('/api/tasks')).body.pagination.total, 0);
    assertProblem(await other.del(`/api/tasks/${id}`), 404, 'not_found');
    assertProblem(await app.client.get(`/api/tasks/${newId()}`), 404, 'not_found');
  });
});
