import assert from 'node:assert/strict';
import { newId } from '../../../db/ids.ts';
import { startOnce } from '../../../services/platform/temporal/start.ts';
import { cancelDocument } from '../../../services/trade/lifecycle/cancel.ts';
import { createDocument } from '../../../services/trade/lifecycle/create.ts';
import { endSurplus } from '../../../worker/reconcile/surplus.ts';
import { documentLifecycleId, lifecycleStart } from '../../../workflows/trade/documents/contract.ts';
import { useCompany, useTemporal, useWorker } from '../../helpers/hooks.ts';
import { eventually, testConfig } from '../../helpers/worker.ts';

describe('a database that is older than Temporal', function () {
  this.timeout(120_000);
  const company = useCompany();
  const temporal = useTemporal();
  useWorker(() => testConfig({ url: company.url, ...temporal }));

  const handle = (documentId: string) =>
    temporal.client.workflow.getHandle(documentLifecycleId(company.ctx.tenantId, documentId));
  const status = async (documentId: string) => (await handle(documentId).describe()).status.name;
  const order = async () => {
    const created = await company.run((trx) =>
      createDocument(trx, company.ctx, 'SO', {
        partnerId: company.customerId,
        lines: [{ itemId: company.itemId, quantity: 1 }],
      }),
    );
    return String(created.id);
  };
  /** A lifecycle that has seen an event which the database does not know. */
  const start = (documentId: string) => {
    const event = {
      eventId: newId(),
      event: 'document.updated',
      status: 'O',
      sequence: 1e9,
      code: null,
      lockDueAt: null,
    };
    const document = { tenantId: company.ctx.tenantId, documentId, docType: 'SO', partnerId: null } as const;
    return startOnce(temporal.client, lifecycleStart(document, event));
  };
  const compare = (ends: boolean, until = new Date(Date.now() + 60_000)) =>
    endSurplus({ database: company.database, client: temporal.client }, { until, ends });
  const unknown = newId();
  let open: string;
  let finished: string;

  before(async () => {
    [open, finished] = [await order(), await order()];
    await eventually(async () => assert.equal(await status(open), 'RUNNING'), 60_000);
    await company.run((trx) => cancelDocument(trx, company.ctx, finished, { ifMatch: null }));
    await eventually(async () => assert.equal(await status(finished), 'COMPLETED'));
    for (const id of [unknown, finished]) assert.ok(await start(id));
  });

  it('has lifecycles without an open document, which are reported, and not ended by that', async () => {
    await eventually(async () => assert.deepEqual(await compare(false), { running: 3, missing: 1, finished: 1 }));
    assert.deepEqual(await compare(false, new Date(0)), { running: 0, missing: 0, finished: 0 }, 'young ones are not');
    for (const id of [unknown, open, finished]) assert.equal(await status(id), 'RUNNING');
  });

  it('has them ended with a reason, and no others', async () => {
    assert.deepEqual(await compare(true), { running: 3, missing: 1, finished: 1 });
    await eventually(async () => assert.equal(await status(finished), 'COMPLETED'));
    assert.equal(await status(unknown), 'TERMINATED');
    const { events } = await handle(unknown).fetchHistory();
    const reason = events?.at(-1)?.workflowExecutionTerminatedEventAttributes?.reason;
    assert.match(String(reason), /^Its document is not in the database/);
    assert.equal(await status(open), 'RUNNING');
    await eventually(async () => assert.deepEqual(await compare(true), { running: 1, missing: 0, finished: 0 }));
  });
});
