import assert from 'node:assert/strict';
import { listEventWork } from '../../../../services/operation/missing-work/event-work.ts';
import { takeLongWorkSlot } from '../../../../services/platform/tasks/share.ts';
import { createDocument } from '../../../../services/trade/lifecycle/create.ts';
import { postInvoice } from '../../../../services/trade/lifecycle/post.ts';
import { stockRevaluationId } from '../../../../workflows/trade/stock/contract.ts';
import { assertSound, useCompany, useTemporal, useWorker } from '../../../helpers/hooks.ts';
import { eventually, testConfig } from '../../../helpers/worker.ts';

describe('the value of stock after a movement before many others', function () {
  this.timeout(120_000);
  const company = useCompany();
  const temporal = useTemporal();
  useWorker(() => testConfig({ url: company.url, ...temporal }));

  const note = (docType: 'PDN' | 'SDN', date: string, price: number, lines: number) =>
    company.run((trx) =>
      createDocument(trx, company.ctx, docType, {
        partnerId: docType === 'PDN' ? company.supplierId : company.customerId,
        date,
        lines: Array.from({ length: lines }, () => ({ itemId: company.itemId, quantity: 1, price })),
      }),
    );
  /** Revaluations that the database says should be under way. */
  const due = async () => {
    const day = 86_400_000;
    const [since, until] = [-day, day].map((ms) => new Date(company.ctx.now.getTime() + ms)) as [Date, Date];
    const found: string[] = [];
    for (let cursor: string | null = null, page = 0; page === 0 || cursor !== null; page++) {
      const { items, next } = await listEventWork(company.database, cursor, { since, until });
      found.push(...items.flatMap((one) => (one.kind === 'revaluations' ? [one.eventId] : [])));
      cursor = next;
    }
    return found;
  };

  it('is worked out by a workflow', async () => {
    const { ctx } = company;
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
    await assertSound(company.url);
  });

  it('waits for other long work of the company, and is due until it is done', async () => {
    const { ctx, database } = company;
    assert.deepEqual(await due(), []);
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let begun: () => void = () => undefined;
    const taken = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const holding = database.withTenant(ctx, async (trx) => {
      assert.equal(await takeLongWorkSlot(trx, ctx.tenantId), true);
      begun();
      await released;
    });
    await taken;
    await note('PDN', '2026-01-15', 1, 1);
    const [event] = await company.rows(
      `select id from outbox where event = 'internal.stock_revaluation_due' order by seq desc limit 1`,
    );
    const handle = temporal.client.workflow.getHandle(
      stockRevaluationId({ tenantId: ctx.tenantId, eventId: String(event?.id) }),
    );
    await eventually(async () => {
      const { raw } = await handle.describe();
      assert.match(String(raw.pendingActivities?.[0]?.lastFailure?.message), /Another long task of this company/);
    });
    assert.deepEqual(await due(), [event?.id]);
    release();
    await holding;
    await eventually(() => handle.result());
    assert.deepEqual(await due(), []);
  });

  /** Posts the invoice of goods of which many have been sold one by one: 2,000 for 4 each turn out to cost 5. @returns the item */
  async function invoiceLate(): Promise<string> {
    const { ctx } = company;
    const { id: itemId } = await company.item();
    const received = await company.run((trx) => {
      const lines = [{ itemId, quantity: 2000, price: 4 }];
      return createDocument(trx, ctx, 'PDN', { partnerId: company.supplierId, date: '2026-03-01', lines });
    });
    await company.run((trx) => {
      const lines = Array.from({ length: 1000 }, () => ({ itemId, quantity: 1, price: 9 }));
      return createDocument(trx, ctx, 'SDN', { partnerId: company.customerId, date: '2026-03-05', lines });
    });
    const { id } = await company.run((trx) => {
      const lines = [{ baseId: received.id, quantity: 2000, price: 5 }];
      const head = { partnerId: company.supplierId, date: '2026-03-20', supplierReference: 'MANY' };
      return createDocument(trx, ctx, 'PINV', { ...head, lines });
    });
    await company.run((trx) => postInvoice(trx, ctx, id, { ifMatch: null }));
    return itemId;
  }

  it('is worked out by a workflow after the invoice of goods with many later movements', async () => {
    const itemId = await invoiceLate();
    const [event] = await company.rows(
      `select id from outbox where event = 'internal.stock_revaluation_due' order by seq desc limit 1`,
    );
    const started = { tenantId: company.ctx.tenantId, eventId: String(event?.id) };
    await eventually(() => temporal.client.workflow.getHandle(stockRevaluationId(started)).result());
    const [last] = await company.rows(
      `select fifo_after::float as fifo, average_after::float as average from stock_layers where item_id = ?
       order by date desc, seq desc limit 1`,
      [itemId],
    );
    const [sales] = await company.rows(
      `select sum(fifo_settled)::float as fifo, sum(average_settled)::float as average from stock_layers
       where item_id = ? and quantity < 0`,
      [itemId],
    );
    // 2,000 more: half of it is there, 1,000 × 5; half is cost, 1 for each sale.
    assert.deepEqual(last, { fifo: 5000, average: 5000 });
    assert.deepEqual(sales, { fifo: -1000, average: -1000 });
    await assertSound(company.url);
  });
});
