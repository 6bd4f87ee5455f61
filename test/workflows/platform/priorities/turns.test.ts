import assert from 'node:assert/strict';
import { createWorkflowClient } from '../../../../api/workflow-client.ts';
import { createWebhook } from '../../../../services/integrations/webhooks/manage.ts';
import { startRecovery } from '../../../../services/integrations/webhooks/recover.ts';
import { startOnce } from '../../../../services/platform/temporal/start.ts';
import { startImportTask } from '../../../../services/records/imports/task.ts';
import { startGeneration } from '../../../../services/reports/generation/generate.ts';
import { createDocument } from '../../../../services/trade/lifecycle/create.ts';
import { PRIORITIES } from '../../../../workflows/platform/priorities/contract.ts';
import { taskWorkflowId } from '../../../../workflows/platform/tasks/contract.ts';
import { documentPdfId, pdfStart } from '../../../../workflows/trade/documents/contract.ts';
import type { TestCompany } from '../../../helpers/company.ts';
import { useCompany, useOtherCompany, useReceiver, useTemporal } from '../../../helpers/hooks.ts';
import { testCompanyNames } from '../../../helpers/servers.ts';
import { LOCAL_TARGETS } from '../../../helpers/targets.ts';
import { ENCRYPTION_KEY, eventually, startWorker, testConfig } from '../../../helpers/worker.ts';

type Company = Omit<TestCompany, 'close'>;

describe('the turns of companies', function () {
  this.timeout(400_000);

  const busy = useCompany();
  const other = useOtherCompany(busy);
  const temporal = useTemporal();
  const receiver = useReceiver();

  const config = () => testConfig({ url: busy.url, ...temporal });
  /** Everything that was committed is handed to Temporal, where nobody works on it yet. */
  async function handOver() {
    const relay = startWorker(config(), { queues: ['pdf'] });
    await eventually(async () => {
      const [row] = await busy.database.withSystem(
        async (trx) =>
          (await trx.raw('select count(*)::int as n from outbox where processed_at is null')).rows as { n: number }[],
      );
      assert.equal(row?.n, 0);
    }, 60_000);
    await relay.stop();
  }
  const startImport = async (company: Company, prefix: string, partial: boolean, rows = 600) => {
    const lines = Array.from({ length: rows }, (_, row) => `${prefix}${row};Unit\n`);
    const { id } = await company.run((trx) =>
      startImportTask(trx, company.ctx, {
        resource: 'uom',
        role: 'owner',
        permission: 'partners:read' as const,
        name: undefined,
        file: { type: 'text/csv', content: Buffer.from(`code;name\n${lines.join('')}`) },
        options: { mode: 'create', dryRun: false, partial },
      }),
    );
    return id;
  };
  const awaitEnd = async (company: Company, id: string) => {
    const [task] = await company.rows('select status, completed_at from tasks where id = ?', [id]);
    assert.equal(task?.status, 'completed');
    return Date.parse(String(task?.completed_at));
  };
  /** Returns how many of the tasks ended before a time. */
  const endedBefore = async (company: Company, ids: readonly string[], time: number) => {
    const ends = await Promise.all(
      ids.map(async (id) => {
        const [task] = await company.rows('select completed_at from tasks where id = ?', [id]);
        return Date.parse(String(task?.completed_at));
      }),
    );
    return ends.filter((end) => end < time).length;
  };

  /** Terminates tasks that are no longer needed, so that they do not run during the next case. No worker is running. */
  const abandon = async (company: Company, taskIds: readonly string[]) => {
    for (const taskId of taskIds) {
      const handle = temporal.client.workflow.getHandle(taskWorkflowId({ tenantId: company.ctx.tenantId, taskId }));
      if ((await handle.describe()).status.name === 'RUNNING') await handle.terminate();
    }
  };

  it('has the one task of a company done among the first, however many another has waiting', async () => {
    const many: string[] = [];
    for (let number = 0; number < 40; number++) many.push(await startImport(busy, `M${number}X`, true));
    const one = await startImport(other, 'ONE', true);
    await handOver();
    const worker = startWorker(config(), { queues: ['tasks'] });
    try {
      const end = await eventually(() => awaitEnd(other, one), 60_000);
      const before = await endedBefore(busy, many, end);
      assert.ok(before <= 12, `${before} of 40 were done before`);
    } finally {
      await worker.stop();
      await abandon(busy, many);
    }
  });

  it('has the one report of a company made among the first, however many another has asked for', async () => {
    const input = { report: 'trial-balance', params: {}, format: 'csv', names: false, notify: false };
    const startReport = async (company: Company) =>
      (await company.run((trx) => startGeneration(trx, company.ctx, input, false))).id;
    const many: string[] = [];
    for (let number = 0; number < 100; number++) many.push(await startReport(busy));
    const one = await startReport(other);
    await handOver();
    const worker = startWorker(config(), { queues: ['report-files'] });
    try {
      const end = await eventually(() => awaitEnd(other, one), 60_000);
      const before = await endedBefore(busy, many, end);
      assert.ok(before <= 12, `${before} of 100 were made before`);
      for (const id of many) await eventually(() => awaitEnd(busy, id), 60_000);
    } finally {
      await worker.stop();
      await abandon(busy, many);
    }
  });

  it('leaves places to others while a company imports many files as wholes', async () => {
    const long: string[] = [];
    for (let number = 0; number < 6; number++) long.push(await startImport(busy, `L${number}X`, false, 4000));
    const one = await startImport(other, 'SHORT', false);
    await handOver();
    const worker = startWorker(config(), { queues: ['tasks'] });
    let most = 0;
    try {
      const end = await eventually(async () => {
        const { rows } = await busy.database.withSystem((trx) =>
          trx.raw(`select count(*)::int as n from pg_locks where locktype = 'advisory' and granted and mode = 'ExclusiveLock'
            and database = (select oid from pg_database where datname = current_database())`),
        );
        most = Math.max(most, (rows as { n: number }[])[0]?.n ?? 0);
        return awaitEnd(other, one);
      }, 60_000);
      assert.ok((await endedBefore(busy, long, end)) <= 2);
      assert.ok(most <= 3, 'one at a time for each company');
    } finally {
      await worker.stop();
      await abandon(busy, long);
    }
  });

  /** The recovery of 150 events, for a webhook whose endpoint never answers. @returns its task */
  async function recoveryForDead(name: string): Promise<string> {
    const webhook = await busy.run((trx) =>
      createWebhook(
        trx,
        busy.ctx,
        { targets: LOCAL_TARGETS, encryptionKeys: [ENCRYPTION_KEY] },
        { name, url: `${receiver.url}/dead`, events: ['plugin.error'] },
      ),
    );
    await busy.run((trx) =>
      trx.raw(
        `with happened as (
           insert into outbox (id, tenant_id, event, entity_type, entity_id, payload, created_at, processed_at)
           select gen_random_uuid(), ?, 'plugin.error', 'Plugin', gen_random_uuid(), '{}', now(), now() from generate_series(1, 150)
           returning id)
         insert into webhook_attempts (id, tenant_id, webhook_id, event_id, event, attempt, status, error, sent_at)
         select gen_random_uuid(), ?, ?, id, 'plugin.error', 0, 'skipped', 'x', now() from happened`,
        [busy.ctx.tenantId, busy.ctx.tenantId, webhook.id],
      ),
    );
    const since = new Date(Date.now() - 60_000).toISOString();
    const ctx = { ...busy.ctx, now: new Date() };
    return (await busy.run((trx) => startRecovery(trx, ctx, webhook.id, { since }, null))).id;
  }
  /** Asserts that a task runs, and waits in its workflow rather than in an activity. */
  async function assertWaits(taskId: string): Promise<void> {
    const handle = temporal.client.workflow.getHandle(taskWorkflowId({ tenantId: busy.ctx.tenantId, taskId }));
    const waits = await eventually(async () => {
      const { events } = await handle.fetchHistory();
      return (events ?? []).filter((event) => event.timerStartedEventAttributes != null).length;
    });
    assert.ok(waits > 0, 'it waits in its workflow');
    assert.equal((await handle.describe()).status.name, 'RUNNING');
  }

  it('waits for an endpoint that is dead without a place of the queue', async () => {
    receiver.answer('/dead', () => undefined);
    const recoveries: string[] = [];
    for (let number = 0; number < 5; number++) recoveries.push(await recoveryForDead(`dead ${number}`));
    const worker = startWorker(config());
    try {
      const progress = () =>
        busy.rows(`select position ->> 'rows' as rows from tasks where id = any(?) and position is not null`, [
          recoveries,
        ]);
      await eventually(async () => assert.equal((await progress()).length, 5), 60_000);
      const one = await startImport(other, 'MEANWHILE', true);
      await eventually(() => awaitEnd(other, one), 60_000);
      for (const taskId of recoveries) await assertWaits(taskId);
    } finally {
      await worker.stop();
      await abandon(busy, recoveries);
    }
  });

  /** Creates drafts whose PDFs wait for a worker, with no person waiting for them. */
  async function manyPdfs(company: Company, count: number): Promise<void> {
    for (let number = 0; number < count; number++) {
      const lines = [{ itemId: company.itemId, quantity: 1 }];
      const { id } = await company.run((trx) =>
        createDocument(trx, company.ctx, 'SINV', { partnerId: company.customerId, lines }),
      );
      const document = {
        tenantId: company.ctx.tenantId,
        documentId: String(id),
        docType: 'SINV',
        version: 1,
        code: null,
      };
      await startOnce(temporal.client, pdfStart(document, 'furtherPdf'));
    }
  }
  /** The priority of the workflow that makes a PDF. */
  async function lifecyclePriority(tenantId: string, documentId: string): Promise<number | null | undefined> {
    const { raw } = await temporal.client.workflow.getHandle(documentPdfId(tenantId, documentId, 1)).describe();
    return raw.workflowExecutionInfo?.priority?.priorityKey;
  }

  it('makes the PDF that a person waits for before those that nobody waits for', async () => {
    const wanted = await other.run((trx) =>
      createDocument(trx, other.ctx, 'SO', {
        partnerId: other.customerId,
        lines: [{ itemId: other.itemId, quantity: 1 }],
      }),
    );
    await manyPdfs(busy, 20);
    const api = createWorkflowClient(config(), testCompanyNames());
    const document = { tenantId: other.ctx.tenantId, documentId: String(wanted.id), docType: 'SO', version: 1 };
    const rendered = api.renderDocumentPdf({ ...document, code: String(wanted.code) });
    await eventually(async () =>
      assert.equal(await lifecyclePriority(document.tenantId, document.documentId), PRIORITIES.requestedPdf),
    );
    const pdfs = startWorker(config(), { queues: ['pdf'], relay: false });
    try {
      await rendered;
      const [made] = await busy.rows(`select count(*)::int as n from files where kind = 'document_pdf'`);
      assert.ok(Number(made?.n) <= 6, `${made?.n} were made before`);
    } finally {
      await api.close();
      await pdfs.stop();
    }
  });

  it('takes so many PDFs of a company at once for what a person waits for, and no more', async () => {
    const api = createWorkflowClient(config(), testCompanyNames());
    const documents = Array.from({ length: 13 }, () => crypto.randomUUID());
    const asked = documents.map((documentId) =>
      api
        .renderDocumentPdf({ tenantId: busy.ctx.tenantId, documentId, docType: 'SO', version: 1, code: null })
        .catch(() => undefined),
    );
    const priorities = await eventually(() =>
      Promise.all(documents.map((documentId) => lifecyclePriority(busy.ctx.tenantId, documentId))),
    );
    const { requestedPdf, furtherPdf } = PRIORITIES;
    assert.deepEqual(priorities, [...Array(10).fill(requestedPdf), ...Array(3).fill(furtherPdf)]);
    for (const documentId of documents) {
      await temporal.client.workflow.getHandle(documentPdfId(busy.ctx.tenantId, documentId, 1)).terminate();
    }
    await Promise.all(asked);
    await api.close();
  });
});
