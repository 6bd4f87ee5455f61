import assert from 'node:assert/strict';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { readFile } from '../../../../services/platform/files/files.ts';
import { awaitResult } from '../../../../services/platform/temporal/start.ts';
import { readDocument } from '../../../../services/trade/documents/read.ts';
import { cancelDocument } from '../../../../services/trade/lifecycle/cancel.ts';
import { closeOrder } from '../../../../services/trade/lifecycle/close.ts';
import { createDocument } from '../../../../services/trade/lifecycle/create.ts';
import { postInvoice } from '../../../../services/trade/lifecycle/post.ts';
import { sendDocument } from '../../../../services/trade/lifecycle/send.ts';
import { updateDocument } from '../../../../services/trade/lifecycle/update/update.ts';
import { DOCUMENT_CODE, DOCUMENT_STATUS } from '../../../../workflows/platform/search-attributes/contract.ts';
import {
  type ActionResult,
  documentChanged,
  documentLifecycleId,
  type LifecycleView,
  pdfStart,
} from '../../../../workflows/trade/documents/contract.ts';
import { useCompany, useTemporal, useWorker } from '../../../helpers/hooks.ts';
import { pdfText } from '../../../helpers/pdf-text.ts';
import { received } from '../../../helpers/receivables.ts';
import { allHandedOver, eventually, testConfig } from '../../../helpers/worker.ts';

describe('the lifecycle of a document', function () {
  this.timeout(90_000);

  const company = useCompany();
  const temporal = useTemporal();
  useWorker(() => testConfig({ url: company.url, ...temporal }));
  before(async () => {
    await company.stockUp(company.itemId, 1000);
  });

  function create(docType: 'SO' | 'SDN' | 'SINV', line: Record<string, unknown> = {}) {
    const { ctx, customerId, itemId } = company;
    return company.run((trx) =>
      createDocument(trx, ctx, docType, { partnerId: customerId, lines: [{ itemId, quantity: 3, ...line }] }),
    );
  }
  const handle = (documentId: unknown) =>
    temporal.client.workflow.getHandle(documentLifecycleId(company.ctx.tenantId, String(documentId)));
  /** The id in the Temporal UI. */
  const shownId = (documentId: unknown) =>
    temporal.client.names.workflowId(documentLifecycleId(company.ctx.tenantId, String(documentId)));
  /** Returns the PDF as a request gets it, rendering it if necessary. */
  async function storedPdf(documentId: unknown): Promise<Buffer> {
    const { tenantId } = company.ctx;
    const { docType, code, version } = await company.run((trx) => readDocument(trx, String(documentId)));
    const document = { tenantId, documentId: String(documentId), docType, code, version };
    const { fileId } = await awaitResult<{ fileId: string }>(temporal.client, pdfStart(document, 'requestedPdf'));
    return (await company.run((trx) => readFile(trx, fileId))).content;
  }
  const state = (documentId: unknown) => handle(documentId).query<LifecycleView>('state');

  it('begins when the document is created, and is found by its search attributes', async () => {
    const invoice = await create('SINV');
    // The worker is still bundling its workflows: on a busy machine that alone takes long.
    await eventually(async () => assert.equal((await state(invoice.id)).status, 'D'), 60_000);
    const { tenantId } = company.ctx;
    const query =
      `TenantId="${tenantId}" and EntityType="SalesInvoice" and EntityId="${invoice.id}" and DocumentStatus="D" and ` +
      `PartnerId="${company.customerId}"`;
    await eventually(async () => {
      const found = [];
      for await (const workflow of temporal.client.workflow.list({ query })) found.push(workflow.workflowId);
      assert.deepEqual(found, [await shownId(invoice.id)]);
      assert.match(String(found[0]), /^frutas-garci\/document\/[0-9a-z]{16}$/, 'a person can read it');
    });
  });

  it('posts a draft by the update "post", with the result of the API', async () => {
    const invoice = await create('SINV');
    await eventually(() => state(invoice.id));
    const result = await handle(invoice.id).executeUpdate<ActionResult, [null]>('post', { args: [null] });
    const read = await company.run((trx) => readDocument(trx, String(invoice.id)));
    assert.deepEqual(
      { status: result.status, code: result.code, version: result.version },
      { status: 'O', code: read.code, version: read.version },
    );
    assert.ok(read.code);
    const [audit] = await company.rows(
      `select actor from audit_logs where entity_id = ? and action = 'UPDATE' order by id desc limit 1`,
      [invoice.id],
    );
    assert.equal(audit?.actor, `workflow:${await shownId(invoice.id)}`);

    await assert.rejects(handle(invoice.id).executeUpdate('post', { args: [null] }), (error: unknown) => {
      assert.ok(error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure);
      assert.equal(error.cause.type, 'invalid_transition');
      assert.match(error.cause.message, /only a draft can be posted/);
      return true;
    });
  });

  /** The events of its history, and how many tasks of a worker they took. */
  async function countEvents(documentId: unknown): Promise<{ events: string[]; tasks: number }> {
    const history = historyToJSON(await handle(documentId).fetchHistory());
    const { events } = JSON.parse(history) as { events: { eventType: string }[] };
    const types = events.map(({ eventType }) => eventType.replace('EVENT_TYPE_', ''));
    return {
      events: types.filter((type) => !type.startsWith('WORKFLOW_TASK_')),
      // Scheduled, started and completed; a task that a busy worker was late for is scheduled again.
      tasks: types.filter((type) => type === 'WORKFLOW_TASK_COMPLETED').length,
    };
  }

  it('costs few events of Temporal: an invoice that is created, posted and paid', async () => {
    const invoice = await create('SINV');
    await eventually(async () => assert.equal((await state(invoice.id)).status, 'D'));
    assert.deepEqual(await countEvents(invoice.id), { events: ['WORKFLOW_EXECUTION_STARTED'], tasks: 1 });
    await company.run((trx) => postInvoice(trx, company.ctx, String(invoice.id), { ifMatch: null }));
    await eventually(async () => assert.equal((await state(invoice.id)).status, 'O'));
    await received(company, Number(invoice.total), {
      linked_documents: [{ document_type: 'SINV', document_id: String(invoice.id) }],
    });
    await handle(invoice.id).result();
    assert.deepEqual(await countEvents(invoice.id), {
      events: [
        'WORKFLOW_EXECUTION_STARTED',
        'WORKFLOW_EXECUTION_SIGNALED',
        'UPSERT_WORKFLOW_SEARCH_ATTRIBUTES',
        'WORKFLOW_EXECUTION_SIGNALED',
        'UPSERT_WORKFLOW_SEARCH_ATTRIBUTES',
        'WORKFLOW_EXECUTION_COMPLETED',
      ],
      tasks: 3,
    });
  });

  it('costs no more than a draft where creating and posting come at once', async () => {
    const { ctx, customerId, itemId } = company;
    const invoice = await company.run(async (trx) => {
      const lines = [{ itemId, quantity: 3 }];
      const draft = await createDocument(trx, ctx, 'SINV', { partnerId: customerId, lines });
      return await postInvoice(trx, ctx, String(draft.id), { ifMatch: null });
    });
    await eventually(async () => assert.equal((await state(invoice.id)).status, 'O'));
    assert.deepEqual(await countEvents(invoice.id), { events: ['WORKFLOW_EXECUTION_STARTED'], tasks: 1 });
    const { typedSearchAttributes } = await handle(invoice.id).describe();
    assert.deepEqual(
      [DOCUMENT_CODE, DOCUMENT_STATUS].map((key) => typedSearchAttributes.get(key)),
      [invoice.code, 'O'],
    );
  });

  it('cancels by the update "cancel" and ends', async () => {
    const order = await create('SO');
    await eventually(() => state(order.id));
    const result = await handle(order.id).executeUpdate<ActionResult, [null]>('cancel', { args: [null] });
    assert.equal(result.status, 'X');
    const view = (await handle(order.id).result()) as LifecycleView;
    assert.deepEqual({ status: view.status, updates: view.updates }, { status: 'X', updates: [] });
    await allHandedOver(company);
  });

  it("answers an update with the service's own refusal", async () => {
    const item = await company.item();
    const invoice = await create('SINV', { itemId: item.id, quantity: 5 });
    await eventually(() => state(invoice.id));
    await assert.rejects(handle(invoice.id).executeUpdate('post', { args: [null] }), (error: unknown) => {
      assert.ok(error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure);
      assert.equal(error.cause.type, 'insufficient_stock');
      return true;
    });
    assert.equal((await state(invoice.id)).status, 'D');
  });

  it('refuses an argument that the API would refuse, and writes nothing', async () => {
    const note = await create('SDN');
    await eventually(() => state(note.id));
    const faults: [argument: unknown, named: RegExp][] = [
      [{ date: '2026-02-30' }, /existing date/],
      [{ date: 5 }, /existing date/],
      [{ date: ['2026-01-31'] }, /existing date/],
      [{ dat: '2026-01-31' }, /dat: is not an option/],
      [['2026-01-31'], /Give no argument/],
      ['2026-01-31', /Give no argument/],
    ];
    for (const [argument, named] of faults) {
      await assert.rejects(handle(note.id).executeUpdate('cancel', { args: [argument] }), (error: unknown) => {
        assert.ok(error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure);
        assert.equal(error.cause.type, 'validation_failed');
        assert.match(error.cause.message, named);
        return true;
      });
    }
    assert.equal((await company.run((trx) => readDocument(trx, String(note.id)))).status, 'O');
  });

  it('refuses to post what is no invoice', async () => {
    const order = await create('SO');
    await eventually(() => state(order.id));
    await assert.rejects(handle(order.id).executeUpdate('post', { args: [null] }), WorkflowUpdateFailedError);
    assert.deepEqual((await state(order.id)).updates, ['cancel']);
  });

  it('drops repeated and older signals', async () => {
    const order = await create('SO');
    await eventually(() => state(order.id));
    const signal = (eventId: string, status: string, sequence: number) =>
      handle(order.id).signal(documentChanged, {
        ...{ eventId, event: 'document.updated', status, sequence },
        ...{ code: null, lockDueAt: null },
      });
    await signal('newer', 'P', 1_000_000);
    await signal('older', 'O', 999_999);
    await signal('newer', 'O', 1_000_001);
    assert.equal((await state(order.id)).status, 'P');
  });

  it('ends with the last delivery, and begins again when the order reopens', async () => {
    const order = await create('SO');
    await eventually(() => state(order.id));
    const first = await handle(order.id).describe();
    const note = await create('SDN', { baseType: 'SO', baseId: order.id });
    assert.equal(((await handle(order.id).result()) as LifecycleView).status, 'C');

    await company.run((trx) => cancelDocument(trx, company.ctx, String(note.id), { ifMatch: null }));
    await eventually(async () => {
      const again = await handle(order.id).describe();
      assert.notEqual(again.runId, first.runId);
      assert.equal(again.status.name, 'RUNNING');
      assert.equal((await state(order.id)).status, 'O');
    });
  });

  it('goes on while an order is changed and sent, ends when it is closed, and begins again when a note of it is cancelled', async () => {
    const { ctx, run } = company;
    const order = await create('SO');
    await eventually(() => state(order.id));
    const { runId } = await handle(order.id).describe();
    const note = await create('SDN', { baseId: order.id, quantity: 1 });
    await run((trx) => updateDocument(trx, ctx, String(order.id), { notes: 'n' }, { ifMatch: null }));
    await run((trx) => sendDocument(trx, ctx, String(order.id), { ifMatch: null, to: 'a@example.test' }));
    await eventually(async () => assert.equal((await state(order.id)).status, 'P'));
    await run((trx) => closeOrder(trx, ctx, String(order.id), { ifMatch: null }));
    assert.equal(((await handle(order.id).result()) as LifecycleView).status, 'C');
    await run((trx) => sendDocument(trx, ctx, String(order.id), { ifMatch: null, to: 'a@example.test' }));
    await run((trx) => cancelDocument(trx, ctx, String(note.id), { ifMatch: null }));
    await eventually(async () => {
      assert.notEqual((await handle(order.id).describe()).runId, runId);
      assert.equal((await state(order.id)).status, 'O');
    });
  });

  it('keeps the PDF of a posted invoice that is sent', async () => {
    const { ctx, run } = company;
    const invoice = await create('SINV');
    await run((trx) => postInvoice(trx, ctx, String(invoice.id), { ifMatch: null }));
    await storedPdf(invoice.id);
    await run((trx) => sendDocument(trx, ctx, String(invoice.id), { ifMatch: null, to: 'a@example.test' }));
    const sent = await eventually(async () => {
      const now = await run((trx) => readDocument(trx, String(invoice.id)));
      assert.notEqual(now.sentAt, null);
      return now;
    });
    const files = await company.rows('select entity_version from files where entity_id = ?', [invoice.id]);
    assert.deepEqual(files, [{ entity_version: sent.version }]);
  });

  it('leaves the PDF to whoever asks for it, who gets what was posted, and the same again', async () => {
    const { ctx, run } = company;
    const renamed = (name: string) => run((trx) => trx('partners').where({ id: company.customerId }).update({ name }));
    const invoice = await create('SINV');
    await run((trx) => postInvoice(trx, ctx, String(invoice.id), { ifMatch: null }));
    await eventually(async () => assert.equal((await state(invoice.id)).status, 'O'));
    assert.deepEqual(await company.rows('select id from files where entity_id = ?', [invoice.id]), []);
    await renamed('Otro Nombre');
    try {
      const first = await storedPdf(invoice.id);
      assert.match(await pdfText(first), /Café Central/);
      await renamed('Y Otro');
      assert.ok((await storedPdf(invoice.id)).equals(first));
      await run((trx) => cancelDocument(trx, ctx, String(invoice.id), { ifMatch: null }));
      assert.match(await pdfText(await storedPdf(invoice.id)), /Café Central.*ANULADA|ANULADA.*Café Central/);
      assert.match(await pdfText(await storedPdf((await create('SINV')).id)), /Y Otro/);
    } finally {
      await renamed('Café Central');
    }
  });

  it('shows what can be done in the Temporal UI', async () => {
    const invoice = await create('SINV');
    await eventually(() => state(invoice.id));
    await company.run((trx) => postInvoice(trx, company.ctx, String(invoice.id), { ifMatch: null }));
    await eventually(async () => assert.equal((await state(invoice.id)).status, 'O'));
    const metadata = (await handle(invoice.id).query('__temporal_workflow_metadata')) as {
      currentDetails: string;
      definition: { updateDefinitions: { name: string; description: string }[] };
    };
    const code = (await company.run((trx) => readDocument(trx, String(invoice.id)))).code as string;
    const [first, second] = metadata.currentDetails.split('\n');
    assert.equal(first, `**Sales invoice ${code}** is **open**  `);
    assert.equal(second, 'To change it, choose More Actions › Send an Update (`cancel`), not Request Cancellation');
    assert.match(metadata.currentDetails, /PDF: rendered on request/);
    assert.match(metadata.currentDetails, new RegExp(`API: \`/api/sales/invoices/${invoice.id}\``));
    assert.ok(!metadata.currentDetails.includes('Café Central'), 'no names');
    const described = await handle(invoice.id).describe();
    assert.match((await described.staticSummary()) ?? '', /^Sales invoice (draft|SINV)/);
    await eventually(async () => {
      const found = [];
      for await (const { workflowId, searchAttributes } of temporal.client.workflow.list({
        query: `DocumentCode="${code}" and WorkflowType="documentLifecycle"`,
      })) {
        found.push([workflowId, searchAttributes.DocumentStatus]);
      }
      assert.deepEqual(found, [[await shownId(invoice.id), ['O']]]);
    });
    const { events } = await handle(invoice.id).fetchHistory();
    const upserts = events?.filter((event) => event.upsertWorkflowSearchAttributesEventAttributes);
    assert.ok((upserts?.length ?? 0) <= 1, 'one for each change of state');
    assert.deepEqual(metadata.definition.updateDefinitions.map((update) => update.name).sort(), ['cancel', 'post']);
    assert.ok(metadata.definition.updateDefinitions.every((update) => update.description.length > 20));
  });

  it('that somebody has cancelled says so, and begins again with the next change of the document', async () => {
    const order = await create('SO');
    await eventually(() => state(order.id));
    const { runId } = await handle(order.id).describe();
    await handle(order.id).cancel();
    await eventually(async () => assert.equal((await handle(order.id).describe()).status.name, 'CANCELLED'));
    const ended = temporal.client.workflow.getHandle((await handle(order.id).describe()).workflowId, runId);
    const { currentDetails } = (await ended.query('__temporal_workflow_metadata')) as { currentDetails: string };
    assert.match(currentDetails, new RegExp(`^\\*\\*Sales order ${order.code}\\*\\* is \\*\\*open\\*\\*`));
    assert.match(currentDetails, /Its workflow was cancelled, the sales order was not/);
    await company.run((trx) =>
      updateDocument(trx, company.ctx, String(order.id), { notes: 'changed' }, { ifMatch: null }),
    );
    await eventually(async () => {
      const again = await handle(order.id).describe();
      assert.notEqual(again.runId, runId);
      assert.equal(again.status.name, 'RUNNING');
      assert.equal((await state(order.id)).status, 'O');
    });
  });

  it('begins a new run before its history grows too long, and knows what it knew', async () => {
    const order = await create('SO');
    await eventually(() => state(order.id));
    const { runId } = await handle(order.id).describe();
    const signals = Array.from({ length: 1100 }, (_, index) => index).values();
    const send = async () => {
      for (const index of signals) {
        const change = {
          eventId: `event ${index}`,
          event: 'document.updated',
          status: 'P',
          sequence: 1_000_000 + index,
          code: null,
          lockDueAt: null,
        };
        await handle(order.id).signal(documentChanged, change);
      }
    };
    await Promise.all(Array.from({ length: 10 }, send));
    await eventually(async () => assert.notEqual((await handle(order.id).describe()).runId, runId));
    assert.equal((await handle(order.id).describe()).typedSearchAttributes.get(DOCUMENT_STATUS), 'P');
    await handle(order.id).signal(documentChanged, {
      eventId: 'too late',
      event: 'document.updated',
      status: 'O',
      sequence: 1_000_001,
      code: null,
      lockDueAt: null,
    });
    assert.equal((await state(order.id)).status, 'P');
  });
});
