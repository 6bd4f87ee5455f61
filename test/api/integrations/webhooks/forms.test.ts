import assert from 'node:assert/strict';
import type { Answer } from '../../../helpers/client.ts';
import { useApp } from '../../../helpers/hooks.ts';

const URL_ = 'https://hooks.example.com/in';
const SECOND = { event: 'payment.registered', url: URL_, method: 'POST', active: true };
const FIRST = { name: 'ERP', url: URL_, events: ['document.created'] };

type Members = Record<string, unknown>;

describe('forms of webhooks', () => {
  const app = useApp();

  const create = (body: Members) => app.client.post('/api/webhooks', body);
  const made = async (body: Members): Promise<Members> => {
    const answer = await create(body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data as Members;
  };
  const patch = (id: unknown, body: Members) => app.client.patch(`/api/webhooks/${id}`, body);
  const faults = ({ status, body }: Answer) => {
    assert.equal(status, 422, JSON.stringify(body));
    return (body.errors as { pointer: string; code: string }[]).map(({ pointer, code }) => [pointer, code]);
  };

  it('take one event, and also show it with the members of that form', async () => {
    const webhook = await made(SECOND);
    const { event, active, filter_types, events, name, status, filters } = webhook;
    assert.deepEqual(
      { event, active, filter_types, events, name, status, filters },
      {
        event: 'payment.registered',
        active: true,
        filter_types: null,
        events: ['payment.registered'],
        name: 'payment.registered',
        status: 'active',
        filters: [],
      },
    );
    const { body } = await app.client.get(`/api/webhooks/${webhook.id}`);
    assert.deepEqual(body.data, webhook);
    const listed = await app.client.get('/api/webhooks?limit=1');
    assert.deepEqual(listed.body.data, [webhook]);
  });

  it('take the members that both forms share', async () => {
    const webhook = await made({
      event: 'notification.created',
      url: URL_,
      method: 'GET',
      active: false,
      filter_types: ['payment_received', 'mention', 'mention'],
      name: 'Avisos',
      headers: { 'X-A': 'b' },
      secret: 'a secret text',
      retry_policy: { max_attempts: 2 },
    });
    assert.deepEqual(
      {
        active: webhook.active,
        status: webhook.status,
        filter_types: webhook.filter_types,
        name: webhook.name,
        secret_set: webhook.secret_set,
      },
      {
        active: false,
        status: 'inactive',
        filter_types: ['payment_received', 'mention'],
        name: 'Avisos',
        secret_set: true,
      },
    );
  });

  it('keep active and status in step', async () => {
    const { id } = await made(SECOND);
    const off = await patch(id, { active: false });
    assert.deepEqual([off.body.data.active, off.body.data.status], [false, 'inactive']);
    const on = await patch(id, { status: 'active' });
    assert.deepEqual([on.body.data.active, on.body.data.status], [true, 'active']);
    const both = await app.client.post('/api/webhooks', { ...SECOND, status: 'active', active: false });
    assert.deepEqual(faults(both), [['/active', 'contradiction']]);
    // Of two contradicting members, the one that differs from the stored value counts.
    assert.equal((await patch(id, { status: 'active', active: false })).body.data.status, 'inactive');
    assert.equal((await patch(id, { ...on.body.data, version: undefined, updated_at: undefined })).status, 200);
    assert.equal((await patch(id, { status: 'inactive', active: false })).body.data.active, false);
    const first = await made({ ...FIRST, active: false });
    assert.equal(first.status, 'inactive');
    assert.equal('active' in first, false);
    assert.equal((await patch(first.id, { active: true })).body.data.status, 'active');
  });

  it('are each changed by their own members', async () => {
    const { id } = await made({ event: 'notification.created', url: URL_, filter_types: ['mention'] });
    assert.deepEqual((await patch(id, { filter_types: ['system_alert'] })).body.data.filter_types, ['system_alert']);
    assert.equal((await patch(id, { filter_types: null })).body.data.filter_types, null);
    assert.deepEqual((await patch(id, { filter_types: ['mention'] })).body.data.filter_types, ['mention']);
    const other = await patch(id, { event: 'user.created' });
    assert.deepEqual([other.body.data.events, other.body.data.filter_types], [['user.created'], null]);
    assert.deepEqual(faults(await patch(id, { filter_types: ['mention'] })), [['/filter_types', 'not_applicable']]);
    assert.deepEqual(faults(await patch(id, { events: ['document.created'] })), [['/events', 'mixed_forms']]);
    const first = await made(FIRST);
    assert.deepEqual(faults(await patch(first.id, { event: 'user.created' })), [['/event', 'mixed_forms']]);
    assert.deepEqual(faults(await patch(first.id, { filter_types: ['mention'] })), [
      ['/filter_types', 'not_applicable'],
    ]);
    const both = await patch(first.id, { events: ['user.*', 'user.*', '*'] });
    assert.deepEqual(both.body.data.events, ['user.*', '*']);
    // Members not sent stay unchanged.
    assert.deepEqual((await patch(first.id, { name: 'x' })).body.data.events, ['user.*', '*']);
  });

  it('cannot be switched to or from payment.registered, whose data has its own shape: retries keep their bytes', async () => {
    const paid = await made(SECOND);
    assert.deepEqual(faults(await patch(paid.id, { event: 'payment.received' })), [['/event', 'read_only']]);
    assert.equal((await patch(paid.id, { event: 'payment.registered', name: 'Paid' })).body.data.name, 'Paid');
    const created = await made({ event: 'document.created', url: URL_ });
    assert.deepEqual(faults(await patch(created.id, { event: 'payment.registered' })), [['/event', 'read_only']]);
    assert.equal((await patch(created.id, { event: 'document.updated' })).body.data.event, 'document.updated');
  });

  const wrong: [string, Members, string[][]][] = [
    [
      'both at once',
      { ...FIRST, event: 'user.created' },
      [
        ['/events', 'mixed_forms'],
        ['/event', 'mixed_forms'],
      ],
    ],
    [
      'neither',
      { url: URL_ },
      [
        ['/events', 'required'],
        ['/name', 'required'],
      ],
    ],
    ['events without a name', { url: URL_, events: ['*'] }, [['/name', 'required']]],
    [
      'payment.registered in a list',
      { ...FIRST, events: ['*', 'payment.registered'] },
      [['/events/1', 'unknown_event']],
    ],
    ['an unknown event', { ...SECOND, event: 'payment.burnt' }, [['/event', 'unknown_event']]],
    ['all as one event', { ...SECOND, event: '*' }, [['/event', 'unknown_event']]],
    ['a group as one event', { ...SECOND, event: 'payment.*' }, [['/event', 'unknown_event']]],
    [
      'types of notifications elsewhere',
      { ...SECOND, filter_types: ['mention'] },
      [['/filter_types', 'not_applicable']],
    ],
    [
      'types of notifications in a list',
      { ...FIRST, events: ['notification.created'], filter_types: ['mention'] },
      [['/filter_types', 'not_applicable']],
    ],
    [
      'unknown types',
      { event: 'notification.created', url: URL_, filter_types: ['mention', 'fire'] },
      [['/filter_types/1', 'invalid_choice']],
    ],
    ['an active that is none', { ...SECOND, active: 'yes' }, [['/active', 'invalid_type']]],
    ['a script as target', { ...SECOND, url: 'javascript:alert(1)' }, [['/url', 'invalid_url']]],
    ['a file as target', { ...FIRST, url: 'file:///etc/passwd' }, [['/url', 'invalid_url']]],
    ['no address at all', { ...FIRST, url: 'hooks' }, [['/url', 'invalid_url']]],
    ['25 attempts', { ...FIRST, retry_policy: { max_attempts: 25 } }, [['/retry_policy/max_attempts', 'out_of_range']]],
    [
      'negative delays',
      { ...SECOND, retry_policy: { retry_delay_seconds: [5, -1] } },
      [['/retry_policy/retry_delay_seconds/1', 'out_of_range']],
    ],
    ['line ends in headers', { ...SECOND, headers: { 'X-A': 'a\nb' } }, [['/headers/X-A', 'invalid_header']]],
    [
      'an unknown operator',
      { ...FIRST, filters: [{ field: 'total', operator: 'like', value: 1 }] },
      [['/filters/0/operator', 'invalid_choice']],
    ],
    [
      'in without a list',
      { ...FIRST, filters: [{ field: 'status', operator: 'in', value: 'O' }] },
      [['/filters/0/value', 'invalid_type']],
    ],
    [
      'paths into the language',
      { ...FIRST, filters: [{ field: 'a.__proto__', operator: 'is_empty' }] },
      [['/filters/0/field', 'invalid_path']],
    ],
    [
      'paths that are none',
      { ...FIRST, filters: [{ field: 'a..b', operator: 'equals', value: 1 }] },
      [['/filters/0/field', 'invalid_path']],
    ],
    [
      'a condition without a value',
      { ...SECOND, filters: [{ field: 'amount', operator: 'greater_than' }] },
      [['/filters/0/value', 'required']],
    ],
    [
      'conditions with more',
      { ...FIRST, filters: [{ field: 'a', operator: 'is_empty', or: [] }] },
      [['/filters/0/or', 'unknown_field']],
    ],
    ['filters that are no list', { ...FIRST, filters: { field: 'a' } }, [['/filters', 'invalid_type']]],
    [
      '51 conditions',
      { ...FIRST, filters: Array(51).fill({ field: 'a', operator: 'is_empty' }) },
      [['/filters', 'too_many']],
    ],
  ];
  for (const [what, body, expected] of wrong) {
    it(`refuse ${what}, and nothing is written`, async () => {
      const total = async () => (await app.client.get('/api/webhooks?limit=1')).body.pagination.total as number;
      const before = await total();
      assert.deepEqual(faults(await create(body)), expected);
      assert.equal(await total(), before);
    });
  }

  it('warn of filters on fields that none of their events has', async () => {
    const filters = (...fields: string[]) => fields.map((field) => ({ field, operator: 'is_empty' }));
    const pointers = ({ warnings = [] }: Members) => (warnings as { pointer: string }[]).map(({ pointer }) => pointer);
    const known = ['total', 'data.total', 'document.total', 'event', 'changed_fields', 'changed_fields.0'];
    const webhook = await made({ ...FIRST, events: ['document.*'], filters: filters(...known) });
    assert.equal('warnings' in webhook, false);
    const wrong = filters('totl', 'total', 'document.totl', 'payment.amount', 'total.net', 'toString');
    const changed = (await patch(webhook.id, { filters: wrong })).body.data as Members;
    assert.deepEqual(
      pointers(changed),
      [0, 2, 3, 4, 5].map((index) => `/filters/${index}/field`),
    );
    assert.equal('warnings' in (await app.client.get(`/api/webhooks/${webhook.id}`)).body.data, false);
    const registered = await made({
      ...SECOND,
      filters: filters('type', 'linked_documents.document_id', 'linked_documents.0.document_id', 'payment_method'),
    });
    assert.deepEqual(pointers(registered), ['/filters/3/field']);
    assert.deepEqual(pointers(await made({ ...FIRST, events: ['*'], filters: filters('payment.amount', 'type') })), []);
  });

  it('keep filters as they were given', async () => {
    const filters = [
      { field: 'total', operator: 'greater_than', value: 1000.5 },
      { field: 'document_type', operator: 'in', value: ['sales_invoice', null, 3, true] },
      { field: 'number', operator: 'is_empty' },
    ];
    const webhook = await made({ ...FIRST, filters });
    assert.deepEqual(webhook.filters, filters);
    assert.deepEqual((await app.client.get(`/api/webhooks/${webhook.id}`)).body.data.filters, filters);
    assert.deepEqual((await patch(webhook.id, { name: 'y' })).body.data.filters, filters);
    const one = [{ field: 'status', operator: 'equals', value: 'O' }];
    assert.deepEqual((await patch(webhook.id, { filters: one })).body.data.filters, one);
    assert.deepEqual((await patch(webhook.id, { filters: [] })).body.data.filters, []);
    const { body } = await app.client.get(`/api/audit-logs?entityId=${webhook.id}`);
    assert.ok(JSON.stringify(body.data).includes('greater_than'));
  });
});
