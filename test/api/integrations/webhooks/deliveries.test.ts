import assert from 'node:assert/strict';
import { newId } from '../../../../db/ids.ts';
import type { Answer, TestClient } from '../../../helpers/client.ts';
import { useApp } from '../../../helpers/hooks.ts';

const HOOK = { name: 'ERP', url: 'https://hooks.example.com/in', events: ['document.created'] };
const NOW = new Date('2026-06-15T10:00:00Z');

describe('/api/webhooks/:id: stats, test, redeliver and recover', function () {
  this.timeout(60_000);
  let other: TestClient;
  const app = useApp({ clock: { now: NOW } });
  before(async () => {
    const made = await app.client.post('/api/tenants', { name: 'Another SL', taxId: 'B12345674', country: 'ES' });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    other = app.as(app.token, made.body.data.id);
  });

  const create = async (input: Record<string, unknown> = {}, client = app.client) => {
    const { body } = await client.post('/api/webhooks', { ...HOOK, ...input });
    return String(body.data.id);
  };
  interface Entry {
    readonly status?: string;
    readonly attempt?: number;
    readonly http_status?: number | null;
    readonly ms?: number | null;
    readonly sent_at?: string;
    readonly event_id?: string;
    readonly test?: boolean;
    readonly error?: string | null;
  }
  async function log(webhookId: string, entries: readonly Entry[]): Promise<string[]> {
    const rows = entries.map((entry) => ({
      id: newId(),
      tenant_id: app.tenantId,
      webhook_id: webhookId,
      event_id: entry.event_id ?? newId(),
      event: 'document.created',
      attempt: entry.attempt ?? 1,
      status: entry.status ?? 'success',
      http_status: entry.http_status === undefined ? 200 : entry.http_status,
      response_time_ms: entry.ms ?? null,
      error: entry.error ?? null,
      sent_at: entry.sent_at ?? '2026-06-15T09:00:00Z',
      test: entry.test ?? false,
    }));
    await app.database.withTenant({ tenantId: app.tenantId }, (trx) => trx('webhook_attempts').insert(rows));
    return rows.map(({ id }) => id);
  }
  const rows = (sql: string, bindings: unknown[]) =>
    app.database.readTenant(
      { tenantId: app.tenantId },
      async (db) => ((await db.raw(sql, bindings as never)) as { rows: Record<string, unknown>[] }).rows,
    );
  const pointers = ({ body }: Answer) =>
    (body.errors as { pointer: string; code: string }[]).map(({ pointer, code }) => [pointer, code]);

  describe('returns the statistics of a webhook', () => {
    let id: string;

    let ids: string[];
    before(async () => {
      id = await create();
      const entries: Entry[] = Array.from({ length: 20 }, (_, n) => ({
        ms: (n + 1) * 10,
        sent_at: `2026-06-10T10:00:${String(n).padStart(2, '0')}Z`,
      }));
      ids = await log(id, [
        ...entries,
        { status: 'failed', http_status: 500, ms: 5000, sent_at: '2026-06-11T10:00:00Z', error: 'HTTP 500' },
        {
          status: 'failed',
          http_status: null,
          ms: 15_000,
          sent_at: '2026-06-12T10:00:00Z',
          error: 'No complete answer',
        },
        { status: 'skipped', attempt: 0, http_status: null, sent_at: '2026-06-13T10:00:00Z' },
        { status: 'success', test: true, ms: 1, sent_at: '2026-06-14T10:00:00Z' },
        { status: 'failed', http_status: 404, ms: 1, sent_at: '2026-05-16T21:59:59Z' },
        { status: 'failed', http_status: 404, ms: 1, sent_at: '2026-06-15T22:00:00Z' },
      ]);
      await app.database.withTenant({ tenantId: app.tenantId }, (trx) =>
        trx('webhook_health').insert({
          webhook_id: id,
          tenant_id: app.tenantId,
          failing_since: '2026-06-11T10:00:00Z',
          failures: 2,
        }),
      );
    });

    it('before anything was sent', async () => {
      const empty = await app.client.get(`/api/webhooks/${await create()}/stats`);
      assert.deepEqual(empty.body.data, {
        from: '2026-05-17',
        to: '2026-06-15',
        attempts: 0,
        success_rate: null,
        by_status: { success: 0, failed: 0, skipped: 0 },
        by_http_status: [],
        response_time_ms: { p50: null, p95: null },
        last_success_at: null,
        last_error: null,
        failing: null,
        disabled: null,
      });
    });

    it('in thirty days, tests and other days aside', async () => {
      const { status, body } = await app.client.get(`/api/webhooks/${id}/stats`);
      assert.equal(status, 200);
      assert.deepEqual(body.data, {
        from: '2026-05-17',
        to: '2026-06-15',
        attempts: 22,
        success_rate: 90.91,
        by_status: { success: 20, failed: 2, skipped: 1 },
        by_http_status: [
          { http_status: 200, count: 20 },
          { http_status: null, count: 1 },
          { http_status: 500, count: 1 },
        ],
        response_time_ms: { p50: 110, p95: 5000 },
        last_success_at: '2026-06-10T10:00:19.000Z',
        last_error: {
          id: ids[21],
          event: 'document.created',
          http_status: null,
          error: 'No complete answer',
          sent_at: '2026-06-12T10:00:00.000Z',
        },
        failing: { since: '2026-06-11T10:00:00.000Z', failures: 2, switched_off_at: '2026-06-16T10:00:00.000Z' },
        disabled: null,
      });
    });

    it('on the requested days', async () => {
      const day = await app.client.get(`/api/webhooks/${id}/stats?from=2026-06-11&to=2026-06-11`);
      assert.deepEqual([day.body.data.attempts, day.body.data.success_rate], [1, 0]);
      const older = await app.client.get(`/api/webhooks/${id}/stats?to=2026-05-16`);
      assert.deepEqual(
        [older.body.data.from, older.body.data.by_http_status],
        ['2026-04-17', [{ http_status: 404, count: 1 }]],
      );
      for (const query of ['from=yesterday', 'to=2026-02-30', 'from=2026-06-02&to=2026-06-01', 'days=3']) {
        assert.equal((await app.client.get(`/api/webhooks/${id}/stats?${query}`)).status, 400, query);
      }
    });
  });

  it('redelivers an event, and never waits for Temporal', async () => {
    const id = await create();
    const eventId = newId();
    const [logId] = await log(id, [{ event_id: eventId }]);
    const answer = await app.client.post(`/api/webhooks/${id}/logs/${logId}/redeliver`);
    assert.equal(answer.status, 202);
    assert.deepEqual([answer.body.event_id, answer.body.status], [eventId, 'queued']);
    assert.equal(answer.headers.get('location'), `/api/webhooks/${id}/logs?event_id=${eventId}`);
    assert.deepEqual(await rows('select event, payload from outbox where entity_id = ?', [eventId]), [
      {
        event: 'internal.redelivery_due',
        payload: { webhook_id: id, document_id: null, title: 'document.created to ERP, redelivered' },
      },
    ]);
    const elsewhere = await create({ name: 'second' });
    for (const path of [
      `${id}/logs/${newId()}/redeliver`,
      `${elsewhere}/logs/${logId}/redeliver`,
      `${newId()}/logs/${logId}/redeliver`,
    ]) {
      assert.equal((await app.client.post(`/api/webhooks/${path}`)).status, 404, path);
    }
    assert.equal((await app.client.post(`/api/webhooks/${id}/logs/17/redeliver`)).status, 400);
    const stale = await app.client.post(`/api/webhooks/${id}/logs/${logId}/redeliver`, {}, { 'If-Match': '"9"' });
    assert.equal(stale.status, 412);
    await app.client.patch(`/api/webhooks/${id}`, { status: 'inactive' });
    const inactive = await app.client.post(`/api/webhooks/${id}/logs/${logId}/redeliver`);
    assert.deepEqual([inactive.status, inactive.body.code], [409, 'invalid_transition']);
  });

  it('starts a recovery as a task', async () => {
    const id = await create();
    const request = { since: '2026-06-14T00:00:00Z', until: '2026-06-20T12:00:00+02:00', status: 'failed' };
    const answer = await app.client.post(`/api/webhooks/${id}/recover`, request);
    assert.equal(answer.status, 202, JSON.stringify(answer.body));
    const task = await app.client.get(`/api/tasks/${answer.body.task_id}`);
    assert.equal(answer.headers.get('location'), `/api/tasks/${answer.body.task_id}`);
    assert.deepEqual(
      { type: task.body.data.type, status: task.body.data.status, message: task.body.data.message },
      { type: 'sync', status: 'waiting', message: 'Waiting to deliver what ERP has missed' },
    );
    assert.deepEqual(await rows('select kind, input from tasks where id = ?', [answer.body.task_id]), [
      {
        kind: 'webhook_recovery',
        input: {
          webhook_id: id,
          since: '2026-06-14T00:00:00Z',
          until: NOW.toISOString(),
          statuses: ['failed'],
        },
      },
    ]);
  });

  for (const [what, body, expected] of [
    ['nothing', {}, [['/since', 'required']]],
    ['a start in the future', { since: '2026-06-15T10:00:01Z' }, [['/since', 'in_future']]],
    [
      'an end before the start',
      { since: '2026-06-14T00:00:00Z', until: '2026-06-13T00:00:00Z' },
      [['/until', 'invalid_range']],
    ],
    ['a day', { since: '2026-06-14' }, [['/since', 'invalid_format']]],
    ['another status', { since: '2026-06-14T00:00:00Z', status: 'success' }, [['/status', 'invalid_choice']]],
    ['null', { since: null }, [['/since', 'required']]],
    ['more', { since: '2026-06-14T00:00:00Z', events: ['*'] }, [['/events', 'unknown_field']]],
  ] as const) {
    it(`refuses a recovery from ${what}`, async () => {
      const id = await create();
      const answer = await app.client.post(`/api/webhooks/${id}/recover`, body);
      assert.equal(answer.status, 422, JSON.stringify(answer.body));
      assert.deepEqual(pointers(answer), expected);
      assert.deepEqual(await rows(`select id from tasks where input ->> 'webhook_id' = ?`, [id]), []);
    });
  }

  it('refuses to recover or test what is inactive, has changed or is not there', async () => {
    const id = await create();
    const since = { since: '2026-06-14T00:00:00Z' };
    assert.equal((await app.client.post(`/api/webhooks/${id}/recover`, since, { 'If-Match': '"2"' })).status, 412);
    assert.equal((await app.client.post(`/api/webhooks/${id}/test`, {}, { 'If-Match': '"2"' })).status, 412);
    assert.equal((await app.client.post(`/api/webhooks/${newId()}/recover`, since)).status, 404);
    assert.equal((await app.client.post(`/api/webhooks/${newId()}/test`)).status, 404);
    assert.equal((await app.client.get(`/api/webhooks/${newId()}/stats`)).status, 404);
    assert.equal((await app.client.post(`/api/webhooks/${id}/test`, { event: 'x' })).status, 422);
    await app.client.patch(`/api/webhooks/${id}`, { status: 'inactive' });
    assert.equal((await app.client.post(`/api/webhooks/${id}/recover`, since)).status, 409);
    assert.equal((await app.client.get(`/api/webhooks/${id}/stats`)).status, 200);
  });

  it('reports that nothing can be tested without Temporal', async () => {
    const id = await create();
    const answer = await app.client.post(`/api/webhooks/${id}/test`);
    assert.deepEqual([answer.status, answer.body.code], [503, 'unavailable']);
    const [event] = await rows(`select test, processed_at is not null as done from outbox where entity_id = ?`, [id]);
    assert.deepEqual(event, { test: true, done: true });
  });

  it('shows nothing of another company', async () => {
    const id = await create();
    const [logId] = await log(id, [{}]);
    for (const [method, path] of [
      ['get', `${id}/stats`],
      ['get', `${id}/logs`],
      ['post', `${id}/test`],
      ['post', `${id}/logs/${logId}/redeliver`],
    ] as const) {
      assert.equal((await other[method](`/api/webhooks/${path}`)).status, 404, path);
    }
    const recovered = await other.post(`/api/webhooks/${id}/recover`, { since: '2026-06-14T00:00:00Z' });
    assert.equal(recovered.status, 404);
  });

  it('is for owners and administrators', async () => {
    const id = await create();
    const [logId] = await log(id, [{}]);
    for (const [role, expected] of [
      ['accountant', 403],
      ['viewer', 403],
    ] as const) {
      const email = `${role}@example.test`;
      const password = 'correct horse battery staple';
      await app.client.post('/api/users', { email, name: role, password, role });
      const { body } = await app.anonymous.post('/api/auth/login', { email, password });
      const client = app.as(String(body.token), app.tenantId);
      const answers = [
        await client.post(`/api/webhooks/${id}/test`),
        await client.post(`/api/webhooks/${id}/recover`, { since: '2026-06-14T00:00:00Z' }),
        await client.post(`/api/webhooks/${id}/logs/${logId}/redeliver`),
      ];
      assert.deepEqual(
        answers.map(({ status }) => status),
        [expected, expected, expected],
        role,
      );
    }
  });

  it('describes them', async () => {
    const { body } = await app.client.get('/api/openapi.json');
    for (const path of ['stats', 'test', 'recover', 'logs/{logId}/redeliver']) {
      assert.ok(body.paths[`/api/webhooks/{id}/${path}`], path);
    }
  });
});
