/** Rules of automations over HTTP: saved, checked, tried (decision 0196). */
import assert from 'node:assert/strict';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

const PATH = '/api/automations';
const NOTICE = {
  type: 'notification.create',
  role: 'admin',
  title: 'Big order {{document.code}}',
  body: '{{document.partner.name}}: {{document.total}}',
};
const RULE = {
  name: 'Tell of big orders',
  trigger: { type: 'document.created', document_type: 'sales_order' },
  conditions: [{ field: 'document.total', operator: 'greater_than', value: 1000 }],
  actions: [NOTICE],
};
const CALL = { type: 'webhook.call', url: 'https://example.com/hook' };
const HOURLY = { type: 'schedule.cron', expression: '@hourly' };

describe('automations', () => {
  const app = useApp({ clock: { now: new Date('2026-11-22T10:30:00Z') } });
  const make = async (body: object) => {
    const { status, body: answer } = await app.client.post(PATH, body);
    assert.equal(status, 201, JSON.stringify(answer));
    return answer.data;
  };

  it('are active at once, and read back as they were sent', async () => {
    const { warnings, ...made } = await make(RULE);
    const { id, version, created_at: _, updated_at: __, ...shown } = made;
    assert.deepEqual(shown, {
      ...RULE,
      description: null,
      stop_on_error: false,
      status: 'active',
      pause_reason: null,
      execution_count: 0,
      for_each: null,
      last_executed_at: null,
      next_runs: [],
      created_by: app.userId,
      runs_as: app.userId,
    });
    assert.deepEqual([warnings, version], [[], 1]);
    assert.deepEqual((await app.client.get(`${PATH}/${id}`)).body.data, made);
    const { next_runs: ___, ...listed } = made;
    assert.deepEqual((await app.client.get(`${PATH}?trigger=document.created&status=active`)).body.data, [listed]);
    // A rule can be sent back as it was read, without effect.
    const again = await app.client.patch(`${PATH}/${id}`, made);
    assert.deepEqual([again.status, again.body.data.version], [200, 1]);
    const audited = await app.client.get(`/api/audit-logs?entityType=Automation&entityId=${id}`);
    assert.deepEqual(audited.body.data[0].newValue.trigger, RULE.trigger);
  });

  it('are changed, paused, enabled and deleted, each at the version that was seen', async () => {
    const { id } = await make({ ...RULE, conditions: null, description: null });
    const one = `${PATH}/${id}`;
    const changed = await app.client.patch(one, {
      actions: [NOTICE, { type: 'document.cancel' }],
      stop_on_error: true,
    });
    assert.deepEqual([changed.body.data.actions.length, changed.body.data.conditions], [2, []]);
    assert.equal((await app.client.post(`${one}/pause`)).body.data.status, 'paused');
    const enabled = await app.client.post(`${one}/enable`);
    assert.deepEqual([enabled.body.data.status, enabled.body.data.version], ['active', 4]);
    assert.equal((await app.client.patch(one, { status: 'disabled' })).body.data.status, 'disabled');
    const stale = await app.client.patch(one, { name: 'Other' }, { 'If-Match': `"${id}-4"` });
    assertProblem(stale, 412, 'stale_version');
    assert.equal((await app.client.del(one)).status, 204);
    for (const gone of [await app.client.get(one), await app.client.post(`${one}/test`), await app.client.del(one)]) {
      assertProblem(gone, 404, 'not_found');
    }
  });

  it('by the clock have the zone of the company, and say when they run next', async () => {
    const made = await make({ ...RULE, trigger: { ...HOURLY, expression: '30 8 * * MON' }, conditions: [] });
    assert.deepEqual(made.trigger, { type: 'schedule.cron', expression: '30 8 * * MON', timezone: 'Europe/Madrid' });
    // Mondays at half past eight in Madrid, an hour ahead of UTC in winter.
    const days = ['2026-11-23', '2026-11-30', '2026-12-07', '2026-12-14', '2026-12-21'];
    assert.deepEqual(
      made.next_runs,
      days.map((day) => `${day}T07:30:00.000Z`),
    );
    assert.deepEqual((await app.client.post(`${PATH}/${made.id}/pause`)).body.data.next_runs, []);
  });

  it('run as often as they say, every minute included', async () => {
    const made = await make({ ...RULE, trigger: { ...HOURLY, expression: '* * * * *' }, conditions: [] });
    const [first, second] = made.next_runs.map((time: string) => Date.parse(time));
    assert.equal(second - first, 60_000);
  });

  it('name members of their documents whose change triggers them', async () => {
    const fields = ['reference', 'due_date', 'lines', 'custom_route'];
    const { trigger } = await make({ ...RULE, trigger: { type: 'document.updated', changed_fields: fields } });
    assert.deepEqual(trigger.changed_fields, fields);
  });

  it('are warned of paths that lead to nothing, when saved', async () => {
    const conditions = [
      { field: 'document.totl', operator: 'is_empty' },
      { field: 'document.due_date', operator: 'is_empty' },
      { field: 'document.lines.item_id', operator: 'is_empty' },
    ];
    const body = { invoice: '{{json_document}}', mail: '{{document.partner.e_mail}}', user: '{{document.created_by}}' };
    const actions = [
      { ...CALL, body },
      { ...NOTICE, title: '{{payment.amount}} {{company.name}}' },
    ];
    const { id, warnings } = await make({ ...RULE, conditions, actions });
    assert.deepEqual(
      warnings.map(({ pointer }: { pointer: string }) => pointer),
      ['/conditions/0/field', '/actions/0/body/mail', '/actions/1/title'],
    );
    assert.equal((await app.client.get(`${PATH}/${id}`)).body.data.warnings, undefined);
    const paid = await make({ ...RULE, trigger: { type: 'payment.received' }, conditions: [], actions: [actions[1]] });
    assert.deepEqual(paid.warnings, []);
    const matching = [{ type: 'payment.reconcile', mode: 'by_reference' }];
    const unpaid = await make({ ...RULE, conditions: [], actions: matching });
    assert.deepEqual(unpaid.warnings, [
      { pointer: '/actions/0/type', message: 'payment.reconcile will fail: document.created is about no payment' },
    ]);
    const received = await make({ ...RULE, trigger: { type: 'payment.received' }, conditions: [], actions: matching });
    assert.deepEqual(received.warnings, []);
  });

  it('are refused when they are meaningless, with a pointer to each fault', async () => {
    for (const [change, pointer, code] of REFUSED) {
      const answer = await app.client.post(PATH, { ...RULE, ...change });
      assertProblem(answer, 422, 'validation_failed');
      const faults = (answer.body.errors as { pointer: string; code: string }[]).map((fault) => [
        fault.pointer,
        fault.code,
      ]);
      assert.deepEqual(faults, [[pointer, code]], JSON.stringify(change));
    }
  });

  it('name members, reports and parameters that exist', async () => {
    const report = { type: 'report.generate', report_name: 'trial_balance' };
    const refused = await app.client.post(PATH, {
      ...RULE,
      actions: [
        { ...NOTICE, role: undefined, user_id: '0192f0c1-7a10-7c3e-8d52-1f6a5b2c9e00' },
        { ...report, from: 'mnth-1', to: 'month-1' },
        { ...report, from: 'month-1', to: 'month-1', params: { currency: 'EUR' } },
        { ...report, from: 'month-1', to: 'month-1', format: 'aeat' },
      ],
    });
    assertProblem(refused, 422, 'validation_failed');
    assert.deepEqual(
      refused.body.errors.map(({ pointer }: { pointer: string }) => pointer),
      ['/actions/0/user_id', '/actions/1/from', '/actions/2/params/currency', '/actions/3/format'],
    );
    await make({
      ...RULE,
      trigger: HOURLY,
      conditions: [],
      actions: [
        { ...NOTICE, role: undefined, user_id: app.userId },
        { ...report, from: 'month-1', to: 'month-1', format: 'excel', recipients: ['ana@example.com'] },
        { type: 'payment.reconcile', mode: 'by_reference' },
      ],
    });
  });
});

const action = (...actions: object[]) => ({ actions });
const condition = (more: object) => ({
  conditions: [{ field: 'document.total', operator: 'equals', value: 1, ...more }],
});
const MAIL = { type: 'email.send', to: 'ana@example.com', subject: 'Hello', body_html: '<p>Hello</p>' };
const UPDATE = { type: 'document.update_field', field: 'notes', value: 'Big' };

/** Refused changes of the rule, each with its only fault. */
const REFUSED: readonly (readonly [object, string, string])[] = [
  [{ trigger: { type: 'document.exploded' } }, '/trigger/type', 'invalid_choice'],
  [{ trigger: {} }, '/trigger/type', 'required'],
  [{ trigger: 'document.created' }, '/trigger', 'invalid_type'],
  [{ trigger: { type: 'document.created', color: 'red' } }, '/trigger/color', 'unknown_field'],
  [{ trigger: { type: 'document.created', document_type: 'invoice' } }, '/trigger/document_type', 'invalid_choice'],
  [{ trigger: { type: 'document.status_changed', to_status: 'Z' } }, '/trigger/to_status', 'invalid_choice'],
  [{ trigger: { type: 'plugin.hook', hook: 'scanned' } }, '/trigger/plugin_id', 'required'],
  [{ trigger: { type: 'plugin.gone' } }, '/trigger/type', 'invalid_choice'],
  [{ trigger: { ...HOURLY, expression: '* * * * * *' } }, '/trigger/expression', 'invalid_format'],
  [
    { trigger: { type: 'document.updated', changed_fields: ['reference', 'description1'] } },
    '/trigger/changed_fields/1',
    'invalid_choice',
  ],
  [condition({ operator: 'greater_than', value: 'today+7d' }), '/conditions/0/value', 'invalid_format'],
  [condition({ operator: 'less_than', value: 'week-1' }), '/conditions/0/value', 'invalid_format'],
  [{ trigger: { ...HOURLY, expression: '0 8 31 2 *' } }, '/trigger/expression', 'never_fires'],
  [{ trigger: { ...HOURLY, timezone: 'Europe/Nowhere' } }, '/trigger/timezone', 'invalid_format'],
  [condition({ operator: 'matches' }), '/conditions/0/operator', 'invalid_choice'],
  [condition({ field: 'document.__proto__.polluted' }), '/conditions/0/field', 'invalid_path'],
  [condition({ fields: 'total' }), '/conditions/0/fields', 'unknown_field'],
  [condition({ operator: 'in', value: [] }), '/conditions/0/value', 'invalid_type'],
  [{ conditions: { any: [] } }, '/conditions/any', 'too_short'],
  [{ conditions: { some: [] } }, '/conditions/some', 'unknown_field'],
  [
    { conditions: [{ any: [{ all: [{ field: 'document.total' }] }] }] },
    '/conditions/0/any/0/all/0/operator',
    'required',
  ],
  [
    { conditions: { all: [{ field: 'a', operator: 'like', value: 1 }] } },
    '/conditions/all/0/operator',
    'invalid_choice',
  ],
  [
    { conditions: { any: [{ any: [{ any: [{ any: [{ field: 'a', operator: 'is_empty' }] }] }] }] } },
    '/conditions/any/0/any/0/any/0',
    'too_deep',
  ],
  [condition({ value: undefined, value_field: 'a..b' }), '/conditions/0/value_field', 'invalid_path'],
  [{ actions: [] }, '/actions', 'too_few'],
  [action({ type: 'shell.run' }), '/actions/0/type', 'invalid_choice'],
  [action({ type: 'plugin.gone' }), '/actions/0/type', 'invalid_choice'],
  [action({ ...NOTICE, colour: 'red' }), '/actions/0/colour', 'unknown_field'],
  [action({ ...NOTICE, body: undefined }), '/actions/0/body', 'required'],
  [action({ ...NOTICE, title: '{{document.constructor.name}}' }), '/actions/0/title', 'invalid_path'],
  [action({ ...NOTICE, title: '{{1 + 1}}' }), '/actions/0/title', 'invalid_path'],
  [action({ ...NOTICE, user_id: '{{document.created_by}}' }), '/actions/0/user_id', 'required'],
  [action(NOTICE, { ...MAIL, to: 'nobody' }), '/actions/1/to', 'format'],
  [action({ ...MAIL, subject: 'Hi\r\nBcc: all@example.com' }), '/actions/0/subject', 'format'],
  [{ trigger: HOURLY, ...action({ ...MAIL, attach_pdf: true }) }, '/actions/0/attach_pdf', 'not_applicable'],
  [{ trigger: { type: 'system.startup' }, ...action(UPDATE) }, '/actions/0/type', 'not_applicable'],
  [action({ ...UPDATE, field: 'total' }), '/actions/0/field', 'not_allowed'],
  [action({ ...UPDATE, field: 'custom___proto__' }), '/actions/0/field', 'not_allowed'],
  [action({ ...UPDATE, value: { deep: '{{a.__proto__}}' } }), '/actions/0/value/deep', 'invalid_path'],
  [action({ type: 'document.lock', document_type: 'sales_invoice' }), '/actions/0/document_type', 'contradiction'],
  [action({ ...CALL, url: 'https://{{document.partner.website}}/x' }), '/actions/0/url', 'invalid_url'],
  [action({ ...CALL, url: 'ftp://example.com' }), '/actions/0/url', 'invalid_url'],
  [action({ ...CALL, url: 'http://169.254.169.254/latest/{{document.code}}' }), '/actions/0/url', 'private_address'],
  [action({ ...CALL, method: 'GET', body: 'x' }), '/actions/0/body', 'not_applicable'],
  [action({ ...CALL, method: 'PUT' }), '/actions/0/method', 'invalid_choice'],
  [action({ ...CALL, headers: { Host: 'other' } }), '/actions/0/headers/Host', 'reserved_header'],
  [action({ ...CALL, headers: { 'Content-Type': 'a\r\nb' } }), '/actions/0/headers/Content-Type', 'invalid_header'],
  [action({ ...CALL, body: '{{a}}'.repeat(201) }), '/actions/0/body', 'too_many'],
  [action(...Array.from({ length: 4 }, () => ({ ...MAIL, body_html: 'x'.repeat(19_000) }))), '/actions', 'too_long'],
];
