import assert from 'node:assert/strict';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createPaymentActivities } from '../../../../activities/trade/payments.ts';
import { createWorkflowClient } from '../../../../api/workflow-client.ts';
import { readTaskFile } from '../../../../services/platform/files/task-files.ts';
import { removeTask } from '../../../../services/platform/tasks/tasks.ts';
import { loadPayments, type PaymentRow } from '../../../../services/trade/payments/payment.ts';
import { type RunRequest, startReconciliationRun } from '../../../../services/trade/payments/run.ts';
import type { PaymentInput } from '../../../../services/trade/payments/schemas.ts';
import { workflowBundle } from '../../../../worker/bundle.ts';
import { DOCUMENTS_QUEUE } from '../../../../workflows/trade/documents/contract.ts';
import { PAYMENT_RECONCILIATION, reconciliationId } from '../../../../workflows/trade/payments/contract.ts';
import { useCompany, useTemporal } from '../../../helpers/hooks.ts';
import { untilBlocked } from '../../../helpers/locks.ts';
import { owed, received } from '../../../helpers/receivables.ts';
import { testCompanyNames } from '../../../helpers/servers.ts';
import { OWNER } from '../../../helpers/viewer.ts';
import { eventually, killed, startWorker, testConfig, useTestRuntime, workerProcess } from '../../../helpers/worker.ts';

describe('reconciliation', function () {
  this.timeout(180_000);

  const company = useCompany();
  const temporal = useTemporal();

  const invoice = (total: number, reference: string) => owed(company, total, reference);
  const pay = (amount: number, reference: string, reconciliation?: PaymentInput['reconciliation']) =>
    received(company, amount, { reference, ...(reconciliation === undefined ? {} : { reconciliation }) });
  /** To be matched by its workflow. */
  const due = (amount: number, reference: string) => pay(amount, reference, { mode: 'by_reference' });
  const read = async (id: string) => {
    const [payment] = await company.run((trx) => loadPayments(trx, [id]));
    return payment as PaymentRow;
  };
  const applied = async (id: string) =>
    (await read(id)).links.map(({ documentId, amount }) => `${documentId} ${Number(amount)}`);
  const ref = (paymentId: string) => ({ tenantId: company.ctx.tenantId, paymentId });
  const handle = (id: string) => temporal.client.workflow.getHandle(reconciliationId(company.ctx.tenantId, id));
  const done = (id: string) =>
    eventually(async () => {
      const payment = await read(id);
      assert.equal(payment.reconciliation, 'done', 'it is pending still');
      return payment;
    }, 60_000);
  const start = (id: string) =>
    temporal.client.workflow.start(PAYMENT_RECONCILIATION, {
      workflowId: reconciliationId(company.ctx.tenantId, id),
      taskQueue: DOCUMENTS_QUEUE,
      args: [ref(id)],
    });
  const config = () => testConfig({ url: company.url, ...temporal });

  it('without a worker it is pending; once there is one the relay has it done, and its result is there for who asks', async () => {
    const invoiceId = await invoice(80, 'LATE-1');
    const payment = await due(50, 'late-1');
    assert.equal(payment.reconciliation, 'pending');
    const api = createWorkflowClient(config(), testCompanyNames());
    const worker = startWorker(config());
    try {
      const { links, explanation } = await done(payment.id);
      assert.deepEqual(
        links.map((link) => ({ documentId: link.documentId, amount: Number(link.amount), matchedBy: link.matchedBy })),
        [{ documentId: invoiceId, amount: 50, matchedBy: 'by_reference' }],
      );
      assert.match(explanation ?? '', /^matched by reference late-1: SINV/);
      // Nothing is left to do: further requests get the same answer.
      await eventually(async () =>
        assert.equal(await api.reconcilePayment(ref(payment.id), 1700), true, 'no answer in time'),
      );
      assert.deepEqual(await applied(payment.id), [`${invoiceId} 50`]);
      const nothing = await done((await due(5, 'NOBODY-HAS-THIS')).id);
      assert.deepEqual(
        [nothing.links.length, nothing.explanation],
        [0, 'not matched: no open invoice has the reference or number NOBODY-HAS-THIS'],
      );
    } finally {
      await worker.stop();
      await api.close();
    }
  });

  it('is applied once, however often finding and applying fail before or after they did their work', async () => {
    const invoiceId = await invoice(90, 'TWICE');
    const payment = await due(40, 'TWICE');
    const real = createPaymentActivities({
      links: { keys: [], keepDays: 7 },
      database: company.database,
      now: () => company.ctx.now,
    });
    const calls = { findInvoices: 0, applyMatch: 0 };
    useTestRuntime();
    const connection = await NativeConnection.connect({ address: temporal.address });
    const worker = await Worker.create({
      connection,
      namespace: temporal.namespace,
      taskQueue: DOCUMENTS_QUEUE,
      workflowBundle: await workflowBundle(),
      activities: {
        async findInvoices(input: Parameters<typeof real.findInvoices>[0]) {
          if (++calls.findInvoices <= 2) throw new Error('injected');
          return real.findInvoices(input);
        },
        async applyMatch(input: Parameters<typeof real.applyMatch>[0]) {
          const attempt = ++calls.applyMatch;
          if (attempt === 1) throw new Error('injected before');
          const result = await real.applyMatch(input);
          if (attempt <= 3) throw new Error('injected after: the answer is lost');
          return result;
        },
      },
    });
    const result = await worker.runUntil((await start(payment.id)).result());
    await connection.close();
    assert.deepEqual(result, { outcome: 'matched', documentIds: [invoiceId] });
    assert.deepEqual(calls, { findInvoices: 3, applyMatch: 4 });
    assert.deepEqual(await applied(payment.id), [`${invoiceId} 40`]);
    const [entries] = await company.rows(`select count(*)::int as n from journal_entries where source_id = ?`, [
      payment.id,
    ]);
    assert.equal(entries?.n, 2);
  });

  it('a worker that is killed between finding and applying leaves it to the next', async () => {
    const invoiceId = await invoice(70, 'KILLED');
    const payment = await due(70, 'KILLED');
    const victim = await workerProcess({ url: company.url, ...temporal }, 'documents');
    await whileLocked(payment.id, async () => {
      // The relay of the worker may have been faster.
      await start(payment.id).catch((error: unknown) =>
        assert.ok(error instanceof WorkflowExecutionAlreadyStartedError, String(error)),
      );
      await untilBlocked(company.database, 1, 60_000);
      await killed(victim);
    });
    assert.equal((await read(payment.id)).reconciliation, 'pending');
    const worker = startWorker(config());
    try {
      await done(payment.id);
      await handle(payment.id).result();
      assert.deepEqual(await applied(payment.id), [`${invoiceId} 70`]);
    } finally {
      await worker.stop();
    }
  });

  interface RunResult {
    readonly matched: number;
    readonly applied: number;
    readonly decisions: readonly { readonly payment_id: string; readonly explanation: string }[];
  }

  const startRun = async (request: RunRequest) =>
    (await company.run((trx) => startReconciliationRun(trx, company.ctx, request))).id;
  const task = async (id: string) =>
    (await company.rows(`select status, position ->> 'rows' as rows from tasks where id = ?`, [id]))[0];

  /** Holds a payment, so that who wants to apply it has to wait. */
  async function whileLocked(paymentId: string, work: () => Promise<void>): Promise<void> {
    await company.run(async (trx) => {
      await trx.raw('select 1 from payments where id = ? for update', [paymentId]);
      await work();
    });
  }

  describe('a run whose worker is killed', () => {
    let invoices: string[];
    const payments: PaymentRow[] = [];
    let result: RunResult;
    before(async () => {
      invoices = await Promise.all(['RUN-1', 'RUN-2'].map((reference) => invoice(10, reference)));
      payments.push(await pay(10, 'RUN-1'));
      for (let index = 0; index < 220; index++) payments.push(await pay(1, `NONE-${index}`));
      payments.push(await pay(15, 'RUN-2'));
      const id = await startRun({ mode: 'by_reference' });
      const victim = await workerProcess({ url: company.url, ...temporal }, 'tasks');
      const position = async () => Number((await task(id))?.rows ?? 0);
      await whileLocked(payments.at(-1)?.id ?? '', async () => {
        const worker = startWorker(config(), { queues: ['documents'] });
        await eventually(async () => assert.ok((await position()) >= 200, 'no page yet'), 60_000);
        await killed(victim);
        await worker.stop();
      });
      assert.equal((await task(id))?.status, 'running');
      const worker = startWorker(config());
      try {
        await eventually(async () => assert.equal((await task(id))?.status, 'completed', 'it runs still'), 60_000);
      } finally {
        await worker.stop();
      }
      const file = await company.run((trx) => readTaskFile(trx, id, 'task_result'));
      result = (JSON.parse(file.content.toString()) as { data: RunResult }).data;
    });
    const decisions = () => new Map(result.decisions.map((decision) => [decision.payment_id, decision]));

    it('goes on with the next, and decides on each payment once', async () => {
      assert.equal(decisions().size, result.decisions.length);
      assert.ok(
        payments.every((payment) => decisions().has(payment.id)),
        'each payment is decided',
      );
      assert.deepEqual(await company.rows('select 1 from payment_decisions'), []);
    });

    it('explains each decision', () => {
      const of = (index: number) => decisions().get(payments.at(index)?.id ?? '')?.explanation ?? '';
      assert.match(of(0), /^matched by reference RUN-1: SINV/);
      assert.match(of(-1), /5 is left as credit$/);
      assert.match(of(7), /^not matched: no open invoice has the reference or number NONE-6$/);
    });

    it('applies nothing twice', async () => {
      assert.deepEqual({ matched: result.matched, applied: result.applied }, { matched: 2, applied: 20 });
      assert.deepEqual(await applied(payments.at(-1)?.id ?? ''), [`${invoices[1]} 10`]);
    });
  });

  describe('a run that is cancelled', () => {
    it('stops, and what it had not committed is not there', async () => {
      await invoice(5, 'STOP');
      const payment = await pay(5, 'STOP');
      const id = await startRun({ mode: 'by_date' });
      const worker = startWorker(config());
      try {
        await whileLocked(payment.id, async () => {
          const running = async () => assert.equal((await handle(id).describe()).status.name, 'RUNNING', 'not begun');
          await eventually(running, 30_000);
          await company.run((trx) => removeTask(trx, company.ctx, OWNER, id, null));
        });
        // Whichever comes first: the cancellation, or the activity that finds its task gone and ends.
        const ended = async () =>
          assert.match((await handle(id).describe()).status.name, /^(CANCELLED|COMPLETED)$/, 'it runs still');
        await eventually(ended, 60_000);
      } finally {
        await worker.stop();
      }
      assert.deepEqual(await applied(payment.id), []);
    });
  });
});
