/** Recorded workflow histories: what code that is deployed later must still be able to replay. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WorkflowFailedError } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { createWorkflowClient } from '../../api/workflow-client.ts';
import { ROLES } from '../../domain/permissions.ts';
import { invite } from '../../services/access/invitations/invitations.ts';
import { heldRole } from '../../services/access/roles/held.ts';
import { createUser } from '../../services/access/users/users.ts';
import { createRecurring } from '../../services/contracts/recurring/manage.ts';
import { createAutomation } from '../../services/integrations/automations/manage.ts';
import { createWebhook } from '../../services/integrations/webhooks/manage.ts';
import { startRecovery } from '../../services/integrations/webhooks/recover.ts';
import { redeliver } from '../../services/integrations/webhooks/redeliver.ts';
import { startRun } from '../../services/ledger/assets/runs/task.ts';
import { startAccruals } from '../../services/ledger/tax-returns/accruals.ts';
import { answerApproval } from '../../services/messages/to-dos/end.ts';
import { startImportTask } from '../../services/records/imports/task.ts';
import { employees } from '../../services/records/master-data/employees.ts';
import { createOne } from '../../services/records/resources/rows.ts';
import { startGeneration } from '../../services/reports/generation/generate.ts';
import { createSchedule } from '../../services/reports/schedules/manage.ts';
import { startPayrolls } from '../../services/staff/payroll/generate.ts';
import { startPayslips } from '../../services/staff/payroll/payslip-mails.ts';
import { requestSending } from '../../services/trade/einvoice/face/request.ts';
import { createDocument } from '../../services/trade/lifecycle/create.ts';
import { lockDocument } from '../../services/trade/lifecycle/lock.ts';
import { sendDocument } from '../../services/trade/lifecycle/send.ts';
import { startReconciliationRun } from '../../services/trade/payments/run.ts';
import { issueQuotation } from '../../services/trade/quotations/issue.ts';
import { DUE_ENTRIES } from '../../workflows/contracts/due-entries/contract.ts';
import { RECURRING_DUE } from '../../workflows/contracts/recurring/contract.ts';
import { automationScheduleId, SCHEDULED_AUTOMATION } from '../../workflows/integrations/automations/clock-contract.ts';
import { AUTOMATIONS_QUEUE, automationRunId } from '../../workflows/integrations/automations/contract.ts';
import { webhookDeliveryId } from '../../workflows/integrations/webhooks/contract.ts';
import { EXCHANGE_RATES } from '../../workflows/ledger/exchange/contract.ts';
import { verifactuId } from '../../workflows/ledger/verifactu/contract.ts';
import { emailDeliveryId } from '../../workflows/messages/mail/contract.ts';
import { PUSH_DELIVERY, pushDeliveryId, pushStart } from '../../workflows/messages/push/contract.ts';
import {
  DAILY_SUMMARIES_ID,
  DUE_ENTRIES_ID,
  EXCHANGE_RATES_ID,
  LIFECYCLE_COMPARISON,
  LIFECYCLE_COMPARISON_ID,
  MAINTENANCE,
  PRUNING_ID,
  RECURRING_ID,
  SCHEDULES_ID,
  STORAGE_ID,
  STORAGE_MEASUREMENT,
} from '../../workflows/operation/contract.ts';
import { SCHEDULE_COMPARISON } from '../../workflows/platform/schedules/contract.ts';
import { TASKS_QUEUE, taskWorkflowId } from '../../workflows/platform/tasks/contract.ts';
import { DAILY_SUMMARIES } from '../../workflows/reports/daily-summary/contract.ts';
import { REPORTS_QUEUE } from '../../workflows/reports/generation/contract.ts';
import { reportScheduleId, SCHEDULED_REPORT } from '../../workflows/reports/schedules/contract.ts';
import { documentLifecycleId, documentPdfId } from '../../workflows/trade/documents/contract.ts';
import { faceId, lookForInvoices } from '../../workflows/trade/einvoice/contract.ts';
import { reconciliationId } from '../../workflows/trade/payments/contract.ts';
import { stockRevaluationId } from '../../workflows/trade/stock/contract.ts';
import { certify, issueInvoice, issueToTown, serveTown, startTestAgency } from './agency.ts';
import { testCompany } from './company.ts';
import { received } from './receivables.ts';
import { startReceiver, status } from './receiver.ts';
import { testCompanyNames, testTemporal } from './servers.ts';
import { LOCAL_TARGETS } from './targets.ts';
import { createNamespace, ENCRYPTION_KEY, eventually, startWorker, testConfig } from './worker.ts';

const FOLDER = new URL('../histories/', import.meta.url);
const WEBHOOKS = { targets: LOCAL_TARGETS, encryptionKeys: [ENCRYPTION_KEY] };
/** The event that follows from a movement dated before more than a thousand others. */
const REVALUATION = `insert into outbox (id, tenant_id, event, entity_type, entity_id, payload, created_at)
  select gen_random_uuid(), tenant_id, 'internal.stock_revaluation_due', 'Item', id,
    json_build_object('item_id', id, 'warehouse_id', w.warehouse_id, 'date', '2026-01-01'), now()
  from items, (select ?::uuid as warehouse_id) w where id = ?::uuid returning id`;
/** Members that only tell where a history was recorded; replay ignores them. */
const MACHINE_MEMBERS = new Set(['identity', 'stackTrace', 'requestId', 'stickyAttributes', 'workerVersion']);

function withoutMachine(key: string, value: unknown): unknown {
  if (MACHINE_MEMBERS.has(key)) return undefined;
  // A worker's own queue is named after its process and host.
  return key === 'name' && typeof value === 'string' && value.includes('@') ? 'sticky' : value;
}

/** The histories on file, by name. */
export function recordedHistories(): { name: string; history: unknown }[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({
      name: file.replace('.json', ''),
      history: JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as unknown,
    }));
}

/** Runs each workflow once on real servers and records its history. */
export async function recordHistories(): Promise<void> {
  const company = await testCompany();
  const temporal = await createNamespace((await testTemporal()).address);
  const dataDir = await mkdtemp(join(tmpdir(), 'histories-'));
  const agency = await startTestAgency();
  const receiver = await startReceiver();
  const env = { DATA_DIR: dataDir, EXCHANGE_RATES_URL: `${receiver.url}/rates`, ...agency.env };
  const config = testConfig({ url: company.url, ...temporal }, env);
  const worker = startWorker(config);
  const { ctx, customerId, itemId } = company;
  const { tenantId } = ctx;
  const create = (docType: 'SO' | 'SINV' | 'SQ') =>
    company.run((trx) =>
      createDocument(trx, ctx, docType, { partnerId: customerId, lines: [{ itemId, quantity: 1 }] }),
    );
  const handle = (id: string) => temporal.client.workflow.getHandle(id);
  const save = async (name: string, id: string) => {
    const { events } = JSON.parse(historyToJSON(await handle(id).fetchHistory())) as { events: object[] };
    const text = JSON.stringify({ events }, withoutMachine, 1);
    writeFileSync(fileURLToPath(new URL(`${name}.json`, FOLDER)), `${text}\n`);
  };
  try {
    await company.stockUp(itemId, 10);
    receiver.answer('/', (response, nth) => status(nth < 3 ? 500 : 200)(response));
    const webhook = await company.run((trx) =>
      createWebhook(trx, ctx, WEBHOOKS, {
        name: 'w',
        url: receiver.url,
        events: ['document.created'],
        retry_policy: { retry_delay_seconds: [0] },
      }),
    );
    const order = await create('SO');
    const [event] = await company.rows(`select id from outbox where entity_id = ?`, [order.id]);
    const delivery = webhookDeliveryId(tenantId, webhook.id, String(event?.id));
    // The worker is still bundling its workflows.
    await eventually(() => handle(delivery).result(), 120_000);
    await save('webhook-delivered-at-third-attempt', delivery);

    // One that waits for its second attempt is asked for once more; the recovery finds nothing left.
    receiver.answer('/waits', (response, nth) => status(nth < 2 ? 500 : 200)(response));
    const waiting = await company.run((trx) =>
      createWebhook(trx, ctx, WEBHOOKS, {
        name: 'waits',
        url: `${receiver.url}/waits`,
        events: ['document.created'],
        retry_policy: { retry_delay_seconds: [3600] },
      }),
    );
    const second = await create('SO');
    const [created] = await company.rows(`select id from outbox where entity_id = ?`, [second.id]);
    const [entry] = await eventually(async () => {
      const found = await company.rows('select id from webhook_attempts where webhook_id = ?', [waiting.id]);
      assert.ok(found.length > 0, 'no attempt yet');
      return found;
    });
    await company.run((trx) => redeliver(trx, ctx, waiting.id, String(entry?.id), null));
    const redelivered = webhookDeliveryId(tenantId, waiting.id, String(created?.id));
    await handle(redelivered).result();
    await save('webhook-redelivered', redelivered);
    const recovery = await company.run((trx) =>
      startRecovery(trx, ctx, waiting.id, { since: '2026-01-01T00:00:00Z' }, null),
    );
    const recovering = taskWorkflowId({ tenantId, taskId: recovery.id });
    await eventually(() => handle(recovering).result());
    await save('webhook-recovered', recovering);

    const input = { report: 'aging', params: {}, format: 'csv', names: false, notify: true };
    const report = await company.run((trx) => startGeneration(trx, ctx, input, false));
    const generating = taskWorkflowId({ tenantId, taskId: report.id });
    await eventually(() => handle(generating).result());
    await save('report-generated', generating);

    const ana = { name: 'Ana Ruiz', email: 'ana@example.test', hireDate: '2026-01-01', grossAnnualSalary: 23800 };
    await company.run((trx) => createOne(employees, { trx, ctx, role: 'owner' }, { ...ana, contributionGroup: 5 }));
    const payrolls = await company.run((trx) => startPayrolls(trx, ctx, { year: 2026, month: 6, post: true }));
    const paying = taskWorkflowId({ tenantId, taskId: payrolls.id });
    await eventually(() => handle(paying).result());
    await save('payrolls-generated', paying);
    const payslips = await company.run((trx) => startPayslips(trx, ctx, { year: 2026, month: 6 }));
    const mailing = taskWorkflowId({ tenantId, taskId: payslips.id });
    await eventually(() => handle(mailing).result());
    await save('payslips-mailed', mailing);
    const accruals = await company.run((trx) => startAccruals(trx, ctx, { year: 2025 }));
    const accruing = taskWorkflowId({ tenantId, taskId: accruals.id });
    await eventually(() => handle(accruing).result());
    await save('taxes-accrued', accruing);

    const orderLife = documentLifecycleId(tenantId, String(order.id));
    await save('order-open', orderLife);
    await handle(orderLife).executeUpdate('cancel', { args: [null] });
    await handle(orderLife).result();
    await save('order-cancelled-by-operator', orderLife);

    const invoice = await create('SINV');
    const invoiceLife = documentLifecycleId(tenantId, String(invoice.id));
    await eventually(() => handle(invoiceLife).query('state'));
    await handle(invoiceLife).executeUpdate('post', { args: [null] });
    await handle(invoiceLife).executeUpdate('cancel', { args: [{ date: '2026-06-20' }] });
    await handle(invoiceLife).result();
    await save('invoice-posted-and-cancelled', invoiceLife);

    const task = await company.run((trx) =>
      startImportTask(trx, ctx, {
        resource: 'uom',
        role: 'owner',
        permission: 'partners:read' as const,
        name: undefined,
        file: { type: 'text/csv', content: Buffer.from('code;name\nZZ;Zeta\n') },
        options: { mode: 'create', dryRun: false, partial: false },
      }),
    );
    const importing = taskWorkflowId({ tenantId, taskId: task.id });
    await eventually(() => handle(importing).result());
    await save('import-file', importing);

    const bad = await company.run((trx) =>
      startImportTask(trx, ctx, {
        resource: 'uom',
        role: 'owner',
        permission: 'partners:read' as const,
        name: undefined,
        file: { type: 'text/csv', content: Buffer.from('code;name\nYY;\n') },
        options: { mode: 'create', dryRun: false, partial: false },
      }),
    );
    const refused = taskWorkflowId({ tenantId, taskId: bad.id });
    await eventually(() => assert.rejects(handle(refused).result(), WorkflowFailedError));
    await save('import-file-refused', refused);

    await temporal.client.workflow.execute(LIFECYCLE_COMPARISON, {
      workflowId: LIFECYCLE_COMPARISON_ID,
      taskQueue: TASKS_QUEUE,
    });
    await save('lifecycles-compared', LIFECYCLE_COMPARISON_ID);

    await temporal.client.workflow.execute(SCHEDULE_COMPARISON, {
      workflowId: SCHEDULES_ID,
      taskQueue: TASKS_QUEUE,
    });
    await save('schedules-compared', SCHEDULES_ID);

    const scheduled = await company.run((trx) =>
      createSchedule(trx, ctx, {
        name: 'Daily',
        report_name: 'trial_balance',
        params: { from: 'month', to: 'month' },
        cron: '@daily',
        format: 'csv',
      }),
    );
    const schedule = { tenantId, reportScheduleId: scheduled.id, version: 1, active: true };
    const runId = `${reportScheduleId(schedule)}/run`;
    await temporal.client.workflow.execute(SCHEDULED_REPORT, {
      workflowId: runId,
      taskQueue: REPORTS_QUEUE,
      args: [schedule],
    });
    await save('report-scheduled', runId);

    await temporal.client.workflow.execute(DAILY_SUMMARIES, { workflowId: DAILY_SUMMARIES_ID, taskQueue: TASKS_QUEUE });
    await save('summaries-queued', DAILY_SUMMARIES_ID);

    receiver.answer('/rates', (response) =>
      response.end(
        '<Envelope><Cube><Cube time="2026-02-02"><Cube currency="USD" rate="1.10"/></Cube></Cube></Envelope>',
      ),
    );
    await temporal.client.workflow.execute(EXCHANGE_RATES, { workflowId: EXCHANGE_RATES_ID, taskQueue: TASKS_QUEUE });
    await save('exchange-rates-fetched', EXCHANGE_RATES_ID);
    await temporal.client.workflow.execute(DUE_ENTRIES, { workflowId: DUE_ENTRIES_ID, taskQueue: TASKS_QUEUE });
    await save('due-entries-made', DUE_ENTRIES_ID);

    await company.run((trx) =>
      createRecurring(trx, ctx, {
        ...{ name: 'Rent', document_type: 'sales_order', interval: { unit: 'month' }, count: 1 },
        template: { partnerId: company.customerId, lines: [{ itemId, quantity: 1 }] },
      }),
    );
    await temporal.client.workflow.execute(RECURRING_DUE, { workflowId: RECURRING_ID, taskQueue: TASKS_QUEUE });
    await save('recurring-found', RECURRING_ID);
    const [due] = await company.rows(`select id from tasks where kind = 'recurring'`);
    const making = taskWorkflowId({ tenantId, taskId: String(due?.id) });
    await eventually(() => handle(making).result());
    await save('recurring-made', making);

    const depreciation = await company.run((trx) => startRun(trx, ctx, {}));
    const depreciating = taskWorkflowId({ tenantId, taskId: depreciation.id });
    await eventually(() => handle(depreciating).result());
    await save('depreciation-entered', depreciating);

    await temporal.client.workflow.execute(MAINTENANCE, { workflowId: PRUNING_ID, taskQueue: TASKS_QUEUE });
    await save('old-rows-deleted', PRUNING_ID);

    await temporal.client.workflow.execute(STORAGE_MEASUREMENT, { workflowId: STORAGE_ID, taskQueue: TASKS_QUEUE });
    await save('storage-measured', STORAGE_ID);

    const api = createWorkflowClient(config, testCompanyNames());
    const document = { tenantId, documentId: String(order.id), docType: 'SO', version: 2, code: String(order.code) };
    await api.renderDocumentPdf(document);
    await api.close();
    await save('document-pdf', documentPdfId(tenantId, document.documentId, 2));

    const payment = await received(company, 12, { auto_reconcile: true });
    const matching = reconciliationId(tenantId, payment.id);
    await eventually(() => handle(matching).result());
    await save('payment-matched-locally', matching);
    const run = await company.run((trx) => startReconciliationRun(trx, ctx, { mode: 'by_date' }));
    const running = reconciliationId(tenantId, run.id);
    await eventually(() => handle(running).result());
    await save('payments-matched', running);

    const [{ id: eventId } = {}] = await company.run(
      async (trx) => (await trx.raw(REVALUATION, [company.warehouseId, itemId])).rows as { id: string }[],
    );
    const revaluation = stockRevaluationId({ tenantId, eventId: String(eventId) });
    await eventually(() => handle(revaluation).result());
    await save('stock-revalued', revaluation);

    const now = new Date();
    const invited = await company.run((trx) =>
      invite(trx, { ...ctx, now }, { email: 'a@example.test', held: heldRole('viewer') }),
    );
    const mail = emailDeliveryId({ tenantId, emailId: invited.mailId });
    await eventually(() => handle(mail).result());
    await save('email-delivered', mail);
    const { email } = await company.run((trx) =>
      sendDocument(trx, { ...ctx, now }, String(second.id), { to: 'a@example.test', ifMatch: null }),
    );
    const withPdf = emailDeliveryId({ tenantId, emailId: email.id });
    await eventually(() => handle(withPdf).result(), 60_000);
    await save('email-delivered-with-pdf', withPdf);

    const locked = await create('SO');
    const dueAt = new Date(Date.now() + 3000).toISOString();
    await company.run(async (trx) => {
      await lockDocument(trx, { ...ctx, now: new Date() }, locked.id, 'end_of_day', { ifMatch: null });
      await trx('documents').where({ id: locked.id }).update({ lock_due_at: dueAt });
    });
    await eventually(async () => {
      const waiting = await company.rows('select id from documents where id = ? and locked_at is null', [locked.id]);
      assert.deepEqual(waiting, []);
    });
    await save('document-locked', documentLifecycleId(tenantId, locked.id));

    const offered = await create('SQ');
    await company.run(async (trx) => {
      await issueQuotation(trx, { ...ctx, now: new Date() }, offered.id, { ifMatch: null });
      await trx('documents')
        .where({ id: offered.id })
        .update({ expires_at: new Date(Date.now() + 3000).toISOString() });
    });
    await eventually(() => handle(documentLifecycleId(tenantId, offered.id)).result());
    await save('quotation-expired', documentLifecycleId(tenantId, offered.id));

    const [key] = await company.rows(
      `insert into api_keys (id, tenant_id, name, role, key_hash, created_at, updated_at)
       values (gen_random_uuid(), ?, 'rules', 'owner', 'x', now(), now()) returning id`,
      [tenantId],
    );
    const rule = await company.run((trx) =>
      createAutomation(trx, { ...ctx, actor: `api_key:${key?.id}` }, WEBHOOKS, {
        name: 'Notes',
        trigger: { type: 'document.created' },
        actions: [
          { type: 'document.update_field', field: 'internalNotes', value: 'seen' },
          { type: 'http.request', url: `${receiver.url}/thanks` },
        ],
      }),
    );
    const noted = await create('SO');
    const [happened] = await company.rows(`select id from outbox where entity_id = ? and event = 'document.created'`, [
      noted.id,
    ]);
    const ruleRun = { tenantId, automationId: rule.id, cause: String(happened?.id), turn: 1 };
    await eventually(() => handle(automationRunId(ruleRun)).result());
    await save('automation-run', automationRunId(ruleRun));

    const person = { email: 'ana@example.test', name: 'Ana', role: 'viewer', passwordHash: 'none' } as const;
    const asked = await company.run((trx) =>
      createUser(trx, ctx, { role: 'owner', permissions: ROLES.owner.permissions }, person),
    );
    const asking = await company.run((trx) =>
      createAutomation(trx, { ...ctx, actor: `api_key:${key?.id}` }, WEBHOOKS, {
        name: 'Asks',
        trigger: { type: 'document.created', document_type: 'purchase_order' },
        actions: [
          { type: 'approval.request', role: 'viewer', title: 'Buy?' },
          { type: 'document.update_field', field: 'internalNotes', value: 'approved' },
        ],
      }),
    );
    const bought = await company.run((trx) =>
      createDocument(trx, ctx, 'PO', { partnerId: company.supplierId, lines: [{ itemId, quantity: 1 }] }),
    );
    const [ordered] = await company.rows(`select id from outbox where entity_id = ? and event = 'document.created'`, [
      bought.id,
    ]);
    const openApproval = () =>
      company.rows(`select id from to_dos where document_id = ? and status = 'open'`, [bought.id]);
    const [approval] = await eventually(async () => {
      const found = await openApproval();
      assert.equal(found.length, 1);
      return found;
    });
    const viewer = { userId: asked.user.id, role: 'viewer' };
    const yes = { answer: 'approved', comment: null } as const;
    await company.run((trx) => answerApproval(trx, ctx, viewer, String(approval?.id), yes, null));
    const askingRun = { tenantId, automationId: asking.id, cause: String(ordered?.id), turn: 1 };
    await eventually(() => handle(automationRunId(askingRun)).result());
    await save('automation-asked', automationRunId(askingRun));

    const clocked = await company.run((trx) =>
      createAutomation(trx, { ...ctx, actor: `api_key:${key?.id}` }, WEBHOOKS, {
        name: 'Notes on items',
        trigger: { type: 'schedule.cron', expression: '@daily', query: { resource: 'items' } },
        actions: [{ type: 'notification.create', role: 'viewer', title: '{{item.code}}', body: '{{item.name}}' }],
      }),
    );
    const byClock = { tenantId, automationId: clocked.id, version: 1, active: true };
    const clockId = `${automationScheduleId(byClock)}/run`;
    await temporal.client.workflow.execute(SCHEDULED_AUTOMATION, {
      workflowId: clockId,
      taskQueue: AUTOMATIONS_QUEUE,
      args: [byClock],
    });
    await save('automation-by-the-clock', clockId);

    const push = { tenantId, notificationId: invited.id };
    await temporal.client.workflow.execute(PUSH_DELIVERY, pushStart(push));
    await save('notification-pushed', pushDeliveryId(push));

    agency.behaviour.waitSeconds = 1;
    await certify(company, agency, new Date());
    await issueInvoice(company, new Date());
    await eventually(() => handle(verifactuId({ tenantId })).result());
    await save('records-sent', verifactuId({ tenantId }));

    await serveTown(company);
    const invoiceId = await issueToTown(company, new Date());
    await company.run((trx) => requestSending(trx, { ...company.ctx, now: new Date() }, invoiceId, {}));
    await eventually(async () => assert.equal(agency.face.invoices.length, 1), 60_000);
    agency.face.move(agency.face.invoices[0]?.registryCode as string, 'paid');
    await eventually(async () => {
      await company.run((trx) => trx.raw("update face_submissions set next_at = now() where status = 'registered'"));
      await handle(faceId({ tenantId })).signal(lookForInvoices, null);
      const [row] = await company.rows('select status from face_submissions', []);
      assert.equal(row?.status, 'paid');
    }, 60_000);
    await save('invoice-to-public-body', faceId({ tenantId }));
  } finally {
    await worker.stop();
    await receiver.close();
    await agency.close();
    await temporal.close();
    await company.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}
