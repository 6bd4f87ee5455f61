/** Operators see workflows of all companies in Temporal: nothing that a company has written stands there, whatever has failed. */
import assert from 'node:assert/strict';
import * as workflows from '../../workflows/index.ts';
import { openTrade } from '../api/trade/documents/trade.ts';
import { startTestAgency } from '../helpers/agency.ts';
import { REAL_CLOCK } from '../helpers/app.ts';
import { type Canary, canary, findCanaries, plantCanaries } from '../helpers/canaries.ts';
import { use, useApp, useReceiver, useTemporal, useWorker } from '../helpers/hooks.ts';
import { hire } from '../helpers/payrolls.ts';
import { useSmtp } from '../helpers/smtp.ts';
import { ALLOWED_TARGETS } from '../helpers/targets.ts';
import { ENCRYPTION_KEY, eventually, testConfig } from '../helpers/worker.ts';

/** Started by schedules or by much stock, with ids of companies and items alone: their own suites run them. */
const ELSEWHERE = [
  'dailySummaries',
  'depreciationRun',
  'dueEntries',
  'exchangeRates',
  'lifecycleComparison',
  'maintenance',
  'pushDelivery',
  'recurringDue',
  'recurringRuns',
  'scheduleComparison',
  'scheduledAutomation',
  'scheduledReport',
  'stockRevaluation',
  'storageMeasurement',
  'taxAccruals',
  'webhookRecovery',
];

/** Names that tell operators which one is meant. */
const SHOWN = ['Webhook.name'];

describe('what operators see in Temporal', function () {
  this.timeout(300_000);
  const temporal = useTemporal();
  const smtp = useSmtp();
  const receiver = useReceiver();
  const mail = () => ({ SMTP_URL: smtp.url, MAIL_FROM: 'ERP <erp@example.test>' });
  const app = useApp(() => ({
    clock: REAL_CLOCK,
    env: {
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_NAMESPACE: temporal.namespace,
      OUTBOUND_ALLOWED_TARGETS: ALLOWED_TARGETS,
      ENCRYPTION_KEY,
      ...mail(),
    },
  }));
  const agency = use(() => startTestAgency(), { close: (one) => one.close() });
  useWorker(() => testConfig({ url: app.databaseUrl, ...temporal }, { ...mail(), ...agency.env }));

  const post = async (path: string, body: object) => {
    const answer = await app.client.post(path, body);
    assert.ok(answer.status < 300, `POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };

  /** Webhooks and rules that hear of everything, and fail at first or for good. */
  async function listen(): Promise<void> {
    receiver.answer('/fails', (response) => response.writeHead(400).end(canary()));
    const target = `${receiver.url}/fails?token=${canary()}`;
    const headers = { 'X-Key': canary() };
    await post('/api/webhooks', { name: canary(), url: target, events: ['document.created'], headers });
    const title = `{{ document.notes }} ${canary()}`;
    const actions = [
      { type: 'to_do.assign', role: 'owner', title, body: canary() },
      { type: 'email.send', to: `${canary()}@example.test`, subject: title, body_html: canary() },
      { type: 'notification.create', role: 'owner', title, body: canary() },
      { type: 'http.request', url: target, method: 'POST', headers, body: title },
      { type: 'approval.request', role: 'owner', title, body: canary() },
      // Refused, in words that may name what was written.
      { type: 'notification.create', user_id: '{{ document.notes }}', title, body: canary() },
      { type: 'email.send', to: '{{ document.notes }}', subject: title, body_html: canary() },
      { type: 'document.update_field', field: 'reference', value: '{{ document.notes }}'.repeat(40) },
      { type: 'to_do.assign', user_id: '{{ document.notes }}', title, body: canary() },
      { type: 'report.generate', report_name: 'aging', format: 'pdf', recipients: [`${canary()}@example.test`] },
    ];
    const trigger = { type: 'document.created', document_type: 'sales_order' };
    for (const action of actions) await post('/api/automations', { name: canary(), trigger, actions: [action] });
  }

  /** Work that people start: mails, papers, tasks, with what makes them fail. */
  async function work(): Promise<void> {
    smtp.refuses = (address) =>
      address.startsWith('zq') ? { code: 550, text: `No such user: ${address}` } : undefined;
    const [order] = (await app.client.get('/api/sales')).body.data;
    await post(`/api/sales/${order.id}/send`, {
      to: `${canary()}@example.test`,
      subject: canary(),
      body: canary(),
    });
    const { status: printed } = await app.client.get(`/api/sales/${order.id}/pdf`);
    assert.equal(printed, 200);
    const month = { year: 2026, month: 1 };
    await hire(app, { email: `${canary()}@example.test` });
    await post('/api/payrolls/generate', { ...month, post: true });
    await eventually(() => post('/api/payrolls/send-payslips', month), 60_000);
    await post('/api/payments/reconciliation/run', { mode: 'by_date' });
    await report();
    await handIn();
    for (const format of ['csv', 'excel', 'pdf']) await post('/api/reports/headcount/generate', { format });
    const rows = Array.from({ length: 600 }, () => `${canary()},nobody-${canary()}`);
    const file = ['name,groupId', ...rows].join('\n');
    const imported = await fetch(`${app.address}/api/import/partners`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${app.token}`, 'Content-Type': 'text/csv' },
      body: file,
    });
    assert.equal(imported.status, 202, await imported.text());
  }

  /** An invoice of which the tax agency is told, which refuses the first message. */
  async function report(): Promise<void> {
    const { taxId } = (await app.client.get('/api/company')).body;
    const { status } = await app.client.put('/api/config/verifactu', { enabled: true });
    assert.equal(status, 200);
    const file = agency.certificate({ taxId, name: canary(), password: canary() });
    assert.equal((await app.client.put('/api/verifactu/certificate', file)).status, 200);
    agency.behaviour.refuse = '4112';
    const [{ partnerId }] = (await app.client.get('/api/sales')).body.data;
    const lines = [{ description: canary(), quantity: 1, price: 10 }];
    const { data } = await post('/api/sales/invoices', { partnerId, lines });
    await post(`/api/sales/invoices/${data.id}/post`, {});
    await eventually(async () => {
      const { problem } = (await app.client.get('/api/verifactu')).body.data;
      assert.equal(problem?.error?.code, '4112');
    }, 60_000);
    agency.behaviour.refuse = null;
    await post('/api/verifactu/resume', {});
    await eventually(async () => {
      assert.equal((await app.client.get('/api/verifactu')).body.data.queued, 0);
    }, 60_000);
  }

  /** An invoice to a public body, which FACe refuses. */
  async function handIn(): Promise<void> {
    const company = (await app.client.get('/api/company')).body;
    const place = { address: canary(), zipCode: '39001', city: canary() };
    assert.equal((await app.client.put('/api/company', { ...company, ...place })).status, 200);
    const [group] = (await app.client.get('/api/partnerGroups?isCustomer=true')).body.data;
    const offices = {
      dir3AccountingOffice: 'L01280796',
      dir3ManagingBody: 'L01280796',
      dir3ProcessingUnit: 'L01280796',
    };
    const town = { name: canary(), groupId: group.id, nif: 'P2807900B', countryCode: 'ES', ...offices };
    const { data: partner } = await post('/api/partners', town);
    const billingAddress = { street: canary(), zipCode: '28012', city: canary(), countryCode: 'ES' };
    const lines = [{ description: canary(), quantity: 1, price: 10 }];
    const { data } = await post('/api/sales/invoices', { partnerId: partner.id, billingAddress, lines });
    await post(`/api/sales/invoices/${data.id}/post`, {});
    agency.face.behaviour.status = 400;
    const email = `${canary()}@example.test`;
    const { data: sent } = await post(`/api/sales/invoices/${data.id}/facturae/send`, { email });
    await eventually(async () => {
      assert.equal((await app.client.get(`/api/face/submissions/${sent.id}`)).body.data.status, 'refused');
    }, 60_000);
  }

  before(async () => {
    await openTrade(app);
    await listen();
    await plantCanaries(app);
    await work();
  });

  it('is every workflow that works for a company', async () => {
    await eventually(async () => {
      const seen = new Set<string>();
      for await (const { type } of temporal.client.workflow.list()) seen.add(type);
      const missing = Object.keys(workflows).filter((name) => !seen.has(name) && !ELSEWHERE.includes(name));
      assert.deepEqual(missing, []);
    }, 60_000);
  });

  it('has no value of any member of any record', async () => {
    await eventually(async () => {
      const open: string[] = [];
      for await (const one of temporal.client.workflow.list({ query: `ExecutionStatus = 'Running'` }))
        if (!['documentLifecycle', 'automationRun', 'webhookDelivery'].includes(one.type)) open.push(one.workflowId);
      assert.deepEqual(open, []);
    }, 120_000);
    const found = await findCanaries(app);
    const [names, hidden] = [found.filter(isShown), found.filter((one) => !isShown(one))];
    assert.ok(hidden.length > 150, String(hidden.length));
    const told: string[] = [];
    let events = 0;
    for await (const one of temporal.client.workflow.list()) {
      const handle = temporal.client.workflow.getHandle(one.workflowId, one.runId);
      const [history, { raw }] = await Promise.all([handle.fetchHistory(), handle.describe()]);
      events += history.events?.length ?? 0;
      const shown = readable([history, raw]);
      // What was refused is in no record.
      const refused = new Set(shown.match(/zq\d{4}xvk/g) ?? []);
      for (const { text } of names) refused.delete(text);
      const texts = hidden.map(({ text }) => text).filter((text) => shown.includes(text));
      for (const text of new Set([...texts, ...refused])) told.push(`${one.type}: ${around(shown, text)}`);
    }
    assert.ok(events > 200, String(events));
    assert.deepEqual(told, []);
  });
});

function isShown({ places }: Canary): boolean {
  return places.some(({ entityType, member }) => SHOWN.includes(`${entityType}.${member}`));
}

/** All bytes and texts of a message of Temporal, as text. */
function readable(message: unknown): string {
  const texts: string[] = [];
  const read = (value: unknown): void => {
    if (value instanceof Uint8Array) texts.push(Buffer.from(value).toString('utf8'));
    else if (typeof value === 'string') texts.push(value);
    else if (value !== null && typeof value === 'object')
      for (const [name, one] of Object.entries(value)) {
        texts.push(name);
        read(one);
      }
  };
  read(message);
  return texts.join('\n');
}

function around(shown: string, text: string): string {
  const at = shown.indexOf(text);
  return JSON.stringify(shown.slice(Math.max(0, at - 200), at + 100));
}
