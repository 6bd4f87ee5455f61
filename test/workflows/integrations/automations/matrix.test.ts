/** Every trigger with every action, on the real servers: one rule for each trigger does all that can be done about it. */
import assert from 'node:assert/strict';
import { automationScheduleId } from '../../../../workflows/integrations/automations/clock-contract.ts';
import { openTill } from '../../../api/trade/payments/till.ts';
import { use, useIntegrations } from '../../../helpers/hooks.ts';
import { eventually, startWorker, testConfig, triggerSchedule } from '../../../helpers/worker.ts';

/**
 * Outcomes of each action, in this order:
 *
 *     m payment.reconcile  e email.send  n notification.create  w webhook.call  h http.request  r report.generate
 *     p plugin.execute  u document.update_field  k document.lock  c document.cancel
 *
 * A letter: it is done. `-`: no rule may have it, since there is no document. `x`: it fails, since there is no payment, or since the
 * document is paid.
 */
const MATRIX = `
  document.created         xenwhrpukc
  document.updated         xenwhrpukc
  document.status_changed  xenwhrpukc
  document.sent            xenwhrpukc
  document.paid            xenwhrpukx
  payment.received         menwhrpukx
  schedule.cron            xenwhrpukc
  plugin.hook              xenwhrp---
  system.startup           xenwhrp---
`;
const ACTIONS = [
  'payment.reconcile',
  'email.send',
  'notification.create',
  'webhook.call',
  'http.request',
  'report.generate',
  'plugin.execute',
  'document.update_field',
  'document.lock',
  'document.cancel',
] as const;
type ActionType = (typeof ACTIONS)[number];
const ROWS = MATRIX.trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/) as [trigger: string, outcomes: string]);

interface Run {
  readonly status: string;
  readonly document_id: string | null;
  readonly payment_id: string | null;
  readonly results: readonly { readonly type: string; readonly status: string; readonly error: string | null }[];
}

describe('every trigger of automations with every action', function () {
  this.timeout(240_000);
  const { temporal, app, receiver } = useIntegrations();
  const till = use(() => openTill(app));
  const runs = new Map<string, Run>();
  const rules = new Map<string, string>();
  let worker: ReturnType<typeof startWorker>;
  let pluginId = '';
  let token = '';

  const posted = async (path: string, body: object) => {
    const { status, body: answer } = await app.client.post(path, body);
    assert.ok(status < 300, `POST ${path}: ${status} ${JSON.stringify(answer)}`);
    return answer.data as { id: string; code: string; token: string };
  };

  /** Returns an action of the type whose effect can be told apart by the trigger. */
  const sampleAction = (type: ActionType, trigger: string): object => {
    const about = isAboutDocument(trigger);
    switch (type) {
      case 'email.send':
        return {
          type,
          to: 'ana@example.test',
          subject: `Mail of ${trigger}`,
          body_html: '<p>1</p>',
          attach_pdf: about,
        };
      case 'notification.create':
        return { type, role: 'owner', title: `Notice of ${trigger}`, body: '{{event.name}}' };
      case 'webhook.call':
      case 'http.request':
        return { type, url: `${receiver.url}/${type}/${trigger}`, method: 'POST', body: { event: '{{event.name}}' } };
      case 'report.generate':
        return { type, report_name: 'trial_balance', format: 'csv' };
      case 'plugin.execute':
        return { type, plugin_id: pluginId, action: 'print', params: { text: trigger } };
      case 'document.update_field':
        return { type, field: 'internalNotes', value: `Noted of ${trigger}` };
      case 'payment.reconcile':
        return { type, mode: 'by_reference' };
      case 'document.lock':
        return { type, when: 'end_of_day' };
      case 'document.cancel':
        return { type };
    }
  };

  const sampleTrigger = (type: string): { readonly trigger: object; readonly conditions: readonly object[] } => {
    const conditions = isAboutDocument(type) ? [{ field: 'document.reference', operator: 'equals', value: type }] : [];
    switch (type) {
      case 'document.updated':
        return { trigger: { type, changed_fields: ['reference'] }, conditions };
      case 'document.status_changed':
        return { trigger: { type, from_status: 'D', to_status: 'O' }, conditions };
      case 'payment.received':
        return { trigger: { type }, conditions: [{ field: 'payment.reference', operator: 'equals', value: type }] };
      case 'schedule.cron': {
        const query = { resource: 'sales_orders', filters: { reference: type } };
        return { trigger: { type, expression: '0 3 1 1 *', query }, conditions: [] };
      }
      case 'plugin.hook':
        return { trigger: { type, plugin_id: pluginId, hook: 'scanned' }, conditions };
      default:
        return { trigger: { type }, conditions };
    }
  };

  const order = (reference: string) =>
    posted('/api/sales', {
      partnerId: till.customerId,
      reference,
      lines: [{ description: 'Transporte', quantity: 1, price: 10 }],
    });
  const draft = (reference: string) =>
    posted('/api/sales/invoices', {
      partnerId: till.customerId,
      reference,
      lines: [{ description: 'Transporte', quantity: 1, price: 10 }],
    });

  /** Makes it happen. */
  const FIRE: Readonly<Record<string, (type: string) => Promise<unknown>>> = {
    'document.created': draft,
    'document.updated': async (type) => {
      const { id } = await draft('another');
      return await app.client.patch(`/api/sales/invoices/${id}`, { reference: type });
    },
    'document.status_changed': async (type) => {
      const { id } = await draft(type);
      return await posted(`/api/sales/invoices/${id}/post`, {});
    },
    'document.sent': async (type) => posted(`/api/sales/${(await order(type)).id}/send`, { to: 'eva@example.test' }),
    'document.paid': async (type) => {
      const { id } = await till.invoice('sales', 30, { reference: type });
      return await till.paid(30, [{ document_id: id, document_type: 'sales_invoice', amount_applied: 30 }]);
    },
    'payment.received': async (type) => {
      await till.invoice('sales', 40, { reference: type });
      return await till.paid(40, [], { reference: type });
    },
    'schedule.cron': async (type) => {
      await order(type);
      const ids = { tenantId: app.tenantId, automationId: rules.get(type) ?? '' };
      await triggerSchedule(temporal.client, automationScheduleId(ids));
    },
    'plugin.hook': async () => {
      const { status, body } = await app.as(token).post(`/api/plugins/${pluginId}/hooks/scanned`, {});
      assert.equal(status, 204, JSON.stringify(body));
    },
    // The worker of the suite starts after the rules are there.
    'system.startup': async () => undefined,
  };

  before('makes the rules, and makes everything happen', async () => {
    ({ id: pluginId, token } = await posted('/api/plugins', {
      name: 'Printer',
      version: '1.0.0',
      base_url: `${receiver.url}/plugin`,
      hooks: [{ name: 'scanned' }],
      actions: [{ name: 'print' }],
      permissions: [],
    }));
    for (const [type, outcomes] of ROWS) {
      const actions = ACTIONS.filter((_, index) => outcomes[index] !== '-').map((action) => sampleAction(action, type));
      rules.set(type, (await posted('/api/automations', { name: type, ...sampleTrigger(type), actions })).id);
    }
    worker = startWorker(testConfig({ url: app.databaseUrl, ...temporal }));
    for (const [type] of ROWS) await FIRE[type]?.(type);
    for (const [type, id] of rules) {
      const run = await eventually(async () => {
        const found = (await app.client.get(`/api/automations/${id}/logs`)).body.data as Run[];
        assert.ok(found.length === 1 && found[0]?.status !== 'running', `${type}: ${JSON.stringify(found)}`);
        return found[0] as Run;
      }, 150_000);
      runs.set(type, run);
    }
  });
  after(async () => await worker?.stop());

  const rows = (sql: string) =>
    app.database.readTenant(app, async (db) => (await db.raw(sql)).rows as Record<string, string>[]);
  /** Evidence that each action was done. */
  const EFFECT: Readonly<Record<ActionType, (trigger: string, run: Run) => Promise<unknown>>> = {
    'email.send': (trigger) => rows(`select 1 from emails where subject = 'Mail of ${trigger}'`),
    'notification.create': (trigger) => rows(`select 1 from notifications where title = 'Notice of ${trigger}'`),
    'webhook.call': async (trigger) => receiver.at(`/webhook.call/${trigger}`),
    'http.request': async (trigger) => receiver.at(`/http.request/${trigger}`),
    'report.generate': async () => rows(`select 1 from tasks where kind = 'report' limit 1`),
    'plugin.execute': async (trigger) =>
      receiver.at('/plugin/actions/print').filter(({ body }) => JSON.parse(body).params.text === trigger),
    'document.update_field': (trigger) => rows(`select 1 from documents where internal_notes = 'Noted of ${trigger}'`),
    // A document that is cancelled then is not locked any more.
    'document.lock': (trigger) =>
      rows(`select 1 from audit_logs where new_value ->> 'lockDueAt' is not null
        and entity_id in (select id from documents where reference = '${trigger}') limit 1`),
    'payment.reconcile': (_, { payment_id: id }) =>
      rows(`select 1 from payments where id = '${id}' and applied_total = amount`),
    'document.cancel': (_, { document_id: id }) => rows(`select 1 from documents where id = '${id}' and status = 'X'`),
  };

  for (const [trigger, outcomes] of ROWS) {
    describe(trigger, () => {
      for (const [index, action] of ACTIONS.entries()) {
        const outcome = outcomes[index];
        if (outcome === '-') {
          it(`cannot have ${action}`, async () => {
            const rule = { name: 'Refused', ...sampleTrigger(trigger), actions: [sampleAction(action, trigger)] };
            const { status, body } = await app.client.post('/api/automations', rule);
            assert.deepEqual(
              [status, (body as { errors: { pointer: string; code: string }[] }).errors[0]?.code],
              [422, 'not_applicable'],
            );
          });
          continue;
        }
        it(`${outcome === 'x' ? 'fails' : 'does'} ${action}`, async () => {
          const run = runs.get(trigger) as Run;
          const result = run.results.find(({ type }) => type === action);
          assert.equal(result?.status, outcome === 'x' ? 'failed' : 'success', JSON.stringify(run));
          if (outcome === 'x') return;
          const found = (await EFFECT[action](trigger, run)) as readonly unknown[];
          assert.equal(found.length, 1, `${action} was done ${found.length} times`);
        });
      }
    });
  }
});

function isAboutDocument(trigger: string): boolean {
  return !['plugin.hook', 'system.startup'].includes(trigger);
}
