import assert from 'node:assert/strict';
import type { TSchema } from 'typebox';
import { newId } from '../../../../db/ids.ts';
import { EVENT_NAMES } from '../../../../domain/integrations/webhooks/events.ts';
import { valueValidator } from '../../../../services/platform/validation/validate.ts';
import type { Answer } from '../../../helpers/client.ts';
import { NOW } from '../../../helpers/clock.ts';
import { useApp } from '../../../helpers/hooks.ts';

const HOOK = { name: 'ERP', url: 'https://hooks.example.com/in', events: ['document.created', 'document.locked'] };

describe('/api/webhooks', function () {
  this.timeout(30_000);
  const app = useApp();

  const create = (input: Record<string, unknown> = {}) => app.client.post('/api/webhooks', { ...HOOK, ...input });
  const faults = ({ body }: Answer) =>
    (body.errors as { pointer: string; code: string }[]).map(({ pointer, code }) => [pointer, code]);

  describe('registers, shows, lists, changes and deletes', () => {
    let id: string;
    let read: Answer;
    let changed: Answer;

    it('registers and shows', async () => {
      const made = await create({ headers: { Authorization: 'Bearer x' }, secret: 'a secret text' });
      assert.equal(made.status, 201);
      ({ id } = made.body.data as { id: string });
      assert.equal(made.headers.get('location'), `/api/webhooks/${id}`);
      assert.equal(made.body.data.secret, 'a secret text');
      assert.deepEqual(made.body.data.retry_policy, {
        max_attempts: 8,
        retry_delay_seconds: [5, 60, 300, 1800, 7200, 28800, 86400],
      });
      const { secret: _shownOnce, ...rest } = made.body.data as Record<string, unknown>;
      read = await app.client.get(`/api/webhooks/${id}`);
      assert.deepEqual(read.body.data, rest);
      assert.deepEqual(
        { method: rest.method, status: rest.status, secret_set: rest.secret_set, created_by: rest.created_by },
        { method: 'POST', status: 'active', secret_set: true, created_by: app.userId },
      );
    });

    it('changes the named members, and nothing else', async () => {
      changed = await app.client.patch(
        `/api/webhooks/${id}`,
        { status: 'inactive', retry_policy: { max_attempts: 2 }, secret: null },
        { 'If-Match': read.headers.get('etag') ?? '' },
      );
      assert.equal(changed.status, 200);
      assert.deepEqual(
        {
          status: changed.body.data.status,
          max_attempts: changed.body.data.retry_policy.max_attempts,
          secret_set: changed.body.data.secret_set,
          version: changed.body.data.version,
        },
        { status: 'inactive', max_attempts: 2, secret_set: false, version: 2 },
      );
      assert.equal(changed.body.data.retry_policy.retry_delay_seconds.length, 7);
    });

    it('lists with filters', async () => {
      const listed = await app.client.get('/api/webhooks?status=inactive&limit=1');
      assert.deepEqual(listed.body.data, [changed.body.data]);
      assert.deepEqual(listed.body.pagination, { total: 1, page: 1, per_page: 1, has_more: false });
      const sorted = await app.client.get('/api/webhooks?sort=name&created_at[gte]=2020-01-01');
      assert.deepEqual(
        sorted.body.data.map((webhook: { name: string }) => webhook.name),
        sorted.body.data.map((webhook: { name: string }) => webhook.name).sort(),
      );
      assert.equal((await app.client.get('/api/webhooks?secret=x')).status, 400);
    });

    it('deletes', async () => {
      assert.equal((await app.client.del(`/api/webhooks/${id}`)).status, 204);
      assert.equal((await app.client.get(`/api/webhooks/${id}`)).status, 404);
    });
  });

  it('never stores a secret in plain text', async () => {
    const secret = 'words that nobody may read';
    const made = await create({ secret, headers: { 'X-Token': 'hidden value' } });
    const { id } = made.body.data as { id: string };
    const text = await app.database.withTenant({ tenantId: app.tenantId }, async (trx) => {
      const { rows } = (await trx.raw(
        `select encode(w.secret_encrypted, 'escape') || (select json_agg(a)::text from audit_logs a where a.entity_id = w.id) as text
          from webhooks w where w.id = ?`,
        [id],
      )) as { rows: { text: string }[] };
      return rows[0]?.text ?? '';
    });
    assert.ok(text.length > 100);
    assert.ok(!text.includes('nobody may read') && !text.includes('hidden value'));
  });

  describe('rotates secrets, and shows each once', () => {
    let id: string;
    let rotate: (body?: object, headers?: Record<string, string>) => Promise<Answer>;
    let generated: Answer;

    it('shows a new one once, generated or given', async () => {
      const made = await create({ secret: 'the old secret' });
      ({ id } = made.body.data as { id: string });
      assert.equal(made.body.data.secret_rotated_at, null);
      rotate = (body?: object, headers = {}) =>
        app.client.post(`/api/webhooks/${id}/rotate-secret`, body as object, headers);
      generated = await rotate();
      assert.equal(generated.status, 200);
      assert.match(generated.body.data.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
      const until = Date.parse(generated.body.data.previous_valid_until);
      assert.equal(until, NOW.getTime() + 86_400_000);
      const given = await rotate({ secret: 'given by the customer' });
      assert.equal(given.body.data.secret, 'given by the customer');
    });

    it('stores and shows none in plain text afterwards', async () => {
      const read = await app.client.get(`/api/webhooks/${id}`);
      assert.equal(read.body.data.secret_set, true);
      assert.equal(Date.parse(read.body.data.secret_rotated_at), NOW.getTime());
      const secrets = ['the old secret', generated.body.data.secret, 'given by the customer'];
      const audit = await app.client.get(`/api/audit-logs?entity_id=${id}`);
      const listed = await app.client.get('/api/webhooks');
      const [row] = await app.database.withTenant({ tenantId: app.tenantId }, async (trx) =>
        trx('webhooks')
          .where({ id })
          .select(trx.raw(`encode(secret_encrypted, 'escape') || encode(retired_secrets_encrypted, 'escape') as text`)),
      );
      for (const secret of secrets) {
        for (const shown of [read, audit, listed]) assert.ok(!JSON.stringify(shown.body).includes(secret), secret);
        assert.ok(!String(row.text).includes(secret), secret);
      }
      assert.ok(!JSON.stringify(read.body).includes('encrypted'));
    });

    it('refuses invalid ones, and ends the previous ones when one is set', async () => {
      assert.equal((await rotate({ secret: 'short' })).status, 422);
      assert.match((await rotate({ secret: null })).body.data.secret, /^whsec_/);
      assert.equal((await rotate({ other: 1 })).status, 422);
      assert.equal((await rotate({}, { 'If-Match': '"1"' })).status, 412);
      assert.equal((await app.client.post(`/api/webhooks/${newId()}/rotate-secret`, {})).status, 404);
      // A secret by PATCH is the only one from then on.
      await app.client.patch(`/api/webhooks/${id}`, { secret: 'the only secret' });
      const [only] = await app.database.withTenant({ tenantId: app.tenantId }, async (trx) =>
        trx('webhooks').where({ id }).select('retired_secrets_encrypted'),
      );
      assert.equal(only.retired_secrets_encrypted, null);
    });
  });

  it('takes the share of an endpoint within its limits', async () => {
    const made = await create();
    assert.deepEqual([made.body.data.max_in_flight, made.body.data.rate_per_second], [10, 100]);
    const { id } = made.body.data as { id: string };
    const changed = await app.client.patch(`/api/webhooks/${id}`, { max_in_flight: 1, rate_per_second: 1000 });
    assert.deepEqual([changed.body.data.max_in_flight, changed.body.data.rate_per_second], [1, 1000]);
    for (const input of [
      { max_in_flight: 0 },
      { max_in_flight: 101 },
      { rate_per_second: 1.5 },
      { rate_per_second: 1001 },
    ])
      assert.equal((await create(input)).status, 422, JSON.stringify(input));
  });

  for (const url of [
    'http://127.0.0.1/x',
    'http://localhost:3000/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://10.1.2.3/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://100.64.0.1/',
    'http://[fe80::1]/',
    'http://printer.local/',
    'http://0.0.0.0/',
  ]) {
    it(`refuses the private target ${url}`, async () => {
      const answer = await create({ url });
      assert.equal(answer.status, 422);
      assert.deepEqual(faults(answer), [['/url', 'private_address']]);
    });
  }

  const bad: [string, Record<string, unknown>, [string, string][]][] = [
    [
      'unknown events',
      { events: ['document.created', 'document.burnt', 'foo.*'] },
      [
        ['/events/1', 'unknown_event'],
        ['/events/2', 'unknown_event'],
      ],
    ],
    ['a URL of another kind', { url: 'ftp://example.com/' }, [['/url', 'invalid_url']]],
    ['credentials in the URL', { url: 'https://user:word@example.com/' }, [['/url', 'invalid_url']]],
    [
      'reserved headers',
      { headers: { Host: 'x', 'X-Service-Signature': 'y' } },
      [
        ['/headers/Host', 'reserved_header'],
        ['/headers/X-Service-Signature', 'reserved_header'],
      ],
    ],
    ['line ends in headers', { headers: { 'X-A': 'a\r\nX-B: b' } }, [['/headers/X-A', 'invalid_header']]],
    ['names that are none', { headers: { 'a b': 'c' } }, [['/headers/a b', 'invalid_header']]],
  ];
  for (const [what, input, expected] of bad) {
    it(`refuses ${what}`, async () => {
      const answer = await create(input);
      assert.equal(answer.status, 422);
      assert.deepEqual(faults(answer), expected);
    });
  }

  for (const input of [
    { retry_policy: { max_attempts: 0 } },
    { retry_policy: { max_attempts: 21 } },
    { retry_policy: { retry_delay_seconds: [86_401] } },
    { retry_policy: { retry_delay_seconds: [-1] } },
    { retry_policy: { retry_delay_seconds: ['soon'] } },
    { retry_policy: { backoff: 2 } },
    { events: [] },
    { method: 'PUT' },
    { url: null },
    { name: '' },
    { unknown: 1 },
    { headers: { 'X-A': 1 } },
  ]) {
    it(`refuses ${JSON.stringify(input)}`, async () => {
      assert.equal((await create(input)).status, 422);
    });
  }

  it('asks for the values of headers again when its address leads to another host', async () => {
    const made = await create({ headers: { 'X-Token': 'of one server' } });
    assert.deepEqual(made.body.data.headers, { 'X-Token': '•••' });
    const path = `/api/webhooks/${made.body.data.id}`;
    const moved = { url: 'https://other.example.net/in' };
    const refused = await app.client.patch(path, moved);
    assert.deepEqual([refused.status, faults(refused)], [422, [['/headers', 'required']]]);
    const mask = await app.client.patch(path, { ...moved, headers: made.body.data.headers });
    assert.deepEqual(
      [mask.status, faults(mask)],
      [422, [['/headers', 'required']]],
      'what was shown is not given anew',
    );
    const mixed = await app.client.patch(path, { headers: { ...made.body.data.headers, 'X-A': 'b' } });
    assert.deepEqual([mixed.status, faults(mixed)], [422, [['/headers/X-Token', 'invalid_header']]]);
    const { origin } = new URL(made.body.data.url);
    assert.equal((await app.client.patch(path, { url: `${origin}/another/path` })).status, 200);
    assert.equal((await app.client.patch(path, { ...moved, headers: {} })).status, 200);
  });

  it('answers 404 for what is not there and 412 for what has changed', async () => {
    const { id } = (await create()).body.data as { id: string };
    assert.equal((await app.client.get(`/api/webhooks/${newId()}/logs`)).status, 404);
    const stale = await app.client.patch(`/api/webhooks/${id}`, { name: 'x' }, { 'If-Match': '"7"' });
    assert.equal(stale.status, 412);
  });

  it('answers the catalogue of events, each with its schema and a sample', async () => {
    const { status, body } = await app.client.get('/api/webhooks/events');
    assert.equal(status, 200);
    const events = body.data as { event: string; forms: string[]; schema: object; sample: Record<string, unknown> }[];
    assert.deepEqual(
      events.map(({ event }) => event),
      EVENT_NAMES,
    );
    for (const { event, schema, sample } of events) {
      const findFaults = valueValidator(schema as TSchema);
      assert.deepEqual(findFaults(sample), [], event);
      assert.ok(findFaults({}).length > 0, event);
    }
    assert.deepEqual(events.at(0)?.forms, ['events', 'event']);
    assert.deepEqual(events.at(-1)?.forms, ['event']);
    const { body: description } = await app.client.get('/api/openapi.json');
    assert.deepEqual(Object.keys(description.webhooks), EVENT_NAMES);
  });

  it('lists attempts with their filters', async () => {
    const { id } = (await create()).body.data as { id: string };
    const [created, locked] = [newId(), newId()];
    const log = (eventId: string, attempt: number, status: string, event: string, sentAt: string) =>
      app.database.withTenant({ tenantId: app.tenantId }, (trx) =>
        trx.raw(
          `insert into webhook_attempts (id, tenant_id, webhook_id, event_id, event, attempt, status, http_status, sent_at)
           values (?, ?, ?, ?, ?, ?, ?, 500, ?)`,
          [newId(), app.tenantId, id, eventId, event, attempt, status, sentAt],
        ),
      );
    await log(created, 1, 'failed', 'document.created', '2026-03-01T22:30:00Z');
    await log(created, 2, 'success', 'document.created', '2026-03-01T23:30:00Z'); // 2 March in Madrid
    await log(locked, 1, 'success', 'document.locked', '2026-03-03T10:00:00Z');
    const attempts = async (query: string) => {
      const { status, body } = await app.client.get(`/api/webhooks/${id}/logs${query}`);
      assert.equal(status, 200, JSON.stringify(body));
      return (body.data as { sent_at: string }[]).map((entry) => entry.sent_at.slice(0, 16));
    };
    const [first, second, third] = ['2026-03-01T22:30', '2026-03-01T23:30', '2026-03-03T10:00'];
    assert.deepEqual(await attempts(''), [third, second, first]);
    assert.deepEqual(await attempts('?from=2026-03-02&to=2026-03-02'), [second]);
    assert.deepEqual(await attempts('?to=2026-03-01'), [first]);
    assert.deepEqual(await attempts('?status=success'), [third, second]);
    assert.deepEqual(await attempts('?event=document.created&limit=1&page=2'), [first]);
    for (const query of ['?from=yesterday', '?status=lost', '?limit=501', '?page=0', '?foo=1', '?event=foo']) {
      assert.equal((await app.client.get(`/api/webhooks/${id}/logs${query}`)).status, 400, query);
    }
  });
});
