import assert from 'node:assert/strict';
import { broken, describeFindings, verifyDatabase } from '../../db/verify.ts';
import { createDocument } from '../../services/trade/create.ts';
import { stockRevaluationId } from '../../workflows/stock/contract.ts';
import { type TestCompany, testCompany } from '../helpers/company.ts';
import { testTemporal } from '../helpers/servers.ts';
import { createNamespace, eventually, startWorker, type TestNamespace, testConfig } from '../helpers/worker.ts';

describe('the value of stock after a movement before many others', function () {
  this.timeout(120_000);
  let company: TestCompany;
  let temporal: TestNamespace;
  let worker: { stop(): Promise<void> };
  before(async () => {
    company = await testCompany();
    temporal = await createNamespace((await testTemporal()).address);
    worker = startWorker(testConfig({ url: company.url, ...temporal }));
  });
  after(async () => {
    await worker?.stop();
    await temporal?.close();
    await company?.close();
  });

  it('is worked out by a workflow', async () => {
    const { ctx, supplierId, customerId, itemId } = company;
    const note = (docType: 'PDN' | 'SDN', date: string, price: number, lines: number) =>
      company.run((trx) =>
        createDocument(trx, ctx, docType, {
          partnerId: docType === 'PDN' ? supplierId : customerId,
          date,
          lines: Array.from({ length: lines }, () => ({ itemId, quantity: 1, price })),
        }),
      );
    await note('PDN', '2026-03-01', 2, 600);
    await note('SDN', '2026-04-01', 9, 500);
    await note('PDN', '2026-02-01', 1, 200);
    const [event] = await company.rows(`select id from outbox where event = 'internal.stock_revaluation_due'`);
    const handle = temporal.client.workflow.getHandle(
      stockRevaluationId({ tenantId: ctx.tenantId, eventId: String(event?.id) }),
    );
    assert.deepEqual(await eventually(() => handle.result()), { layers: 1300 });
    const [last] = await company.rows(
      `select quantity_after::float as quantity, fifo_after::float as fifo, average_after::float as average
       from stock_layers order by date desc, seq desc limit 1`,
    );
    // 200 at 1 and 300 of those at 2 have left.
    assert.deepEqual(last, { quantity: 300, fifo: 600, average: 525 });
    const findings = await verifyDatabase(company.url);
    assert.deepEqual(broken(findings), [], describeFindings(findings));
  });
});
