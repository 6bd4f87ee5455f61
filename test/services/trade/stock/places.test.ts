import assert from 'node:assert/strict';
import { ServiceError } from '../../../../domain/errors.ts';
import { replaceSettings } from '../../../../services/platform/settings/settings.ts';
import { cancelDocument } from '../../../../services/trade/lifecycle/cancel.ts';
import { postInvoice } from '../../../../services/trade/lifecycle/post.ts';
import { creating } from '../../../helpers/documents.ts';
import { useCompany } from '../../../helpers/hooks.ts';

interface Doc {
  id: string;
  lines: { id: string; batchDetails: unknown }[];
}

const any = { ifMatch: null };

describe('stock by zone and batch, and what it is worth', () => {
  let zoneId: string;
  let otherZoneId: string;
  const company = useCompany();
  before(async () => {
    const zones = await company.run(async (trx) => {
      const made = await trx('zones').insert(
        ['A-01', 'A-02'].map((code) => ({
          id: trx.raw('gen_random_uuid()'),
          tenant_id: company.ctx.tenantId,
          warehouse_id: company.warehouseId,
          code,
          created_at: company.ctx.now,
          updated_at: company.ctx.now,
        })),
        ['id'],
      );
      return made as { id: string }[];
    });
    [zoneId, otherZoneId] = zones.map(({ id }) => id) as [string, string];
  });

  const create = creating<Doc>(company);
  const cancel = (id: string) => company.run((trx) => cancelDocument(trx, company.ctx, id, any));
  const flags = (value: object) => company.run((trx) => replaceSettings(trx, company.ctx, 'flags', value));
  const places = async (itemId: string) =>
    Object.fromEntries(
      (
        await company.rows(
          `select coalesce(z.code, '-') || '/' || coalesce(b.batch_num, '-') as place, on_hand::float as on_hand from stock_levels l
           left join zones z on z.id = l.zone_id left join batches b on b.id = l.batch_id where l.item_id = ? order by 1`,
          [itemId],
        )
      ).map(({ place, on_hand }) => [place, on_hand]),
    );
  const worth = async (itemId: string) =>
    (
      await company.rows(
        `select quantity_after::float as quantity, average_after::float as average, fifo_after::float as fifo from stock_layers
         where item_id = ? order by date desc, seq desc limit 1`,
        [itemId],
      )
    )[0];
  const refused = (code: string, pointer?: string) => (error: unknown) =>
    error instanceof ServiceError &&
    (error.code === code || error.errors.some((fault) => fault.code === code)) &&
    (pointer === undefined || error.errors.some((fault) => fault.pointer === pointer));

  it('keeps goods where they were put, and takes them from the general place first', async () => {
    const { id: itemId } = await company.item();
    await create('PDN', {
      lines: [
        { itemId, quantity: 5 },
        { itemId, quantity: 7, zoneId },
      ],
    });
    assert.deepEqual(await places(itemId), { '-/-': 5, 'A-01/-': 7 });
    await create('SDN', { lines: [{ itemId, quantity: 6 }] });
    assert.deepEqual(await places(itemId), { '-/-': 0, 'A-01/-': 6 });
    const named = create('SDN', { lines: [{ itemId, quantity: 1, zoneId: otherZoneId }] });
    await assert.rejects(named, refused('insufficient_stock', '/lines/0/quantity'));
    const note = await create('SDN', { lines: [{ itemId, quantity: 2, zoneId }] });
    await cancel(note.id);
    assert.deepEqual(await places(itemId), { '-/-': 0, 'A-01/-': 6 });
  });

  it('wants a zone where the company enforces it, and one of that warehouse', async () => {
    const { id: itemId } = await company.item();
    await flags({ enforceWarehouseZones: true });
    try {
      const without = create('PDN', { lines: [{ itemId, quantity: 1 }] });
      await assert.rejects(without, refused('required', '/lines/0/zoneId'));
      await create('PO', { lines: [{ itemId, quantity: 1 }] });
      await create('PDN', { lines: [{ itemId, quantity: 1, zoneId }] });
    } finally {
      await flags({});
    }
    const unknown = create('PDN', { lines: [{ itemId, quantity: 1, zoneId: company.customerId }] });
    await assert.rejects(unknown, refused('invalid_reference', '/lines/0/zoneId'));
  });

  it('receives batches, sells the first to expire first, and refuses expired ones unless told otherwise', async () => {
    const { id: itemId } = await company.item({ batchTracked: true });
    const bad = create('PDN', { lines: [{ itemId, quantity: 3 }] });
    await assert.rejects(bad, refused('required', '/lines/0/batchDetails'));
    const sums = create('PDN', { lines: [{ itemId, quantity: 3, batchDetails: [{ batchNum: 'X', quantity: 2 }] }] });
    await assert.rejects(sums, refused('wrong_sum', '/lines/0/batchDetails'));
    const batchDetails = [
      { batchNum: 'LATE', quantity: 4, expiryDate: '2027-01-31' },
      { batchNum: 'SOON', quantity: 4, expiryDate: '2026-07-01' },
      { batchNum: 'OLD', quantity: 4, expiryDate: '2026-06-01' },
    ];
    await create('PDN', { lines: [{ itemId, quantity: 12, batchDetails }] });
    const pending = create('SDN', { lines: [{ itemId, quantity: 1 }] });
    await assert.rejects(pending, refused('insufficient_stock'), 'pending batches are not for sale');
    await company.run((trx) => trx('batches').where({ item_id: itemId }).update({ status: 'confirmed' }));
    const sold = await create('SDN', { lines: [{ itemId, quantity: 5 }] });
    assert.deepEqual(await places(itemId), { '-/-': 0, '-/LATE': 3, '-/OLD': 4, '-/SOON': 0 });
    assert.deepEqual(sold.lines[0]?.batchDetails, [
      { batchNum: 'SOON', quantity: 4 },
      { batchNum: 'LATE', quantity: 1 },
    ]);
    const line = { itemId, quantity: 2, batchDetails: [{ batchNum: 'OLD', quantity: 2 }] };
    await assert.rejects(create('SDN', { lines: [line] }), refused('batch_expired', '/lines/0/quantity'));
    await create('SDN', { lines: [{ ...line, allowExpired: true }] });
    await cancel(sold.id);
    assert.deepEqual(await places(itemId), { '-/-': 0, '-/LATE': 4, '-/OLD': 2, '-/SOON': 4 });
    const again = [{ batchNum: 'SOON', quantity: 1, expiryDate: '2026-08-01' }];
    const other = create('PDN', { lines: [{ itemId, quantity: 1, batchDetails: again }] });
    await assert.rejects(other, refused('wrong_date', '/lines/0/batchDetails/0/expiryDate'));
  });

  it('confirms batches at once with the flag', async () => {
    await flags({ autoConfirmBatches: true });
    const { id: itemId } = await company.item({ batchTracked: true });
    await create('PDN', { lines: [{ itemId, quantity: 2, batchDetails: [{ batchNum: 'A', quantity: 2 }] }] });
    await create('SDN', { lines: [{ itemId, quantity: 2 }] });
    await flags({});
    assert.deepEqual(await places(itemId), { '-/-': 0, '-/A': 0 });
  });

  it('values by FIFO and by average; what comes back is worth what it left with', async () => {
    const { id: itemId } = await company.item();
    await create('PDN', { lines: [{ itemId, quantity: 10, price: 1 }] });
    await create('PDN', { lines: [{ itemId, quantity: 10, price: 4, discountPercent: 50 }] });
    assert.deepEqual(await worth(itemId), { quantity: 20, average: 30, fifo: 30 });
    const sold = await create('SDN', { lines: [{ itemId, quantity: 12 }] });
    assert.deepEqual(await worth(itemId), { quantity: 8, average: 12, fifo: 16 });
    await cancel(sold.id);
    assert.deepEqual(await worth(itemId), { quantity: 20, average: 30, fifo: 30 });
  });

  it('works out later layers again when a movement is dated before them', async () => {
    const { id: itemId } = await company.item();
    await create('PDN', { date: '2026-03-01', lines: [{ itemId, quantity: 10, price: 1 }] });
    await create('SDN', { date: '2026-05-01', lines: [{ itemId, quantity: 15 - 5, price: 9 }] });
    assert.deepEqual(await worth(itemId), { quantity: 0, average: 0, fifo: 0 });
    await create('PDN', { date: '2026-04-01', lines: [{ itemId, quantity: 10, price: 3 }] });
    assert.deepEqual(await worth(itemId), { quantity: 10, average: 20, fifo: 30 });
    await create('PDN', { date: '2026-02-01', lines: [{ itemId, quantity: 5, price: 2 }] });
    // FIFO: 5 at 2 and 5 at 1 have left; 5 at 1 and 10 at 3 are there. Average: 25 pieces cost 50.
    assert.deepEqual(await worth(itemId), { quantity: 15, average: 30, fifo: 35 });
  });

  it('lets stock fall below zero with the flag alone, and the database refuses it without', async () => {
    const { id: itemId } = await company.item();
    await assert.rejects(create('SDN', { lines: [{ itemId, quantity: 1 }] }), refused('insufficient_stock'));
    await flags({ allowNegativeStock: true });
    await create('PDN', { lines: [{ itemId, quantity: 2, zoneId, price: 5 }] });
    await create('SDN', { lines: [{ itemId, quantity: 5 }] });
    assert.deepEqual(await places(itemId), { '-/-': -3, 'A-01/-': 0 });
    assert.deepEqual(await worth(itemId), { quantity: -3, average: -15, fifo: -15 });
    await flags({});
    await create('PDN', { lines: [{ itemId, quantity: 1, price: 6 }] });
    assert.deepEqual(await places(itemId), { '-/-': -2, 'A-01/-': 0 }, 'what is below zero may be filled up');
    await assert.rejects(create('SDN', { lines: [{ itemId, quantity: 1 }] }), refused('insufficient_stock'));
    const direct = company.run((trx) =>
      trx('stock_levels').where({ item_id: itemId }).update({ on_hand: -1, may_be_negative: false }),
    );
    await assert.rejects(direct, refused('out_of_range'));
    await create('PDN', { lines: [{ itemId, quantity: 2, price: 6 }] });
    assert.deepEqual(await worth(itemId), { quantity: 0, average: 0, fifo: 0 });
  });

  it('gives 500 takers 100 pieces that lie in three places: 100 times one, 400 refusals', async () => {
    const { id: itemId } = await company.item();
    await create('PDN', {
      lines: [
        { itemId, quantity: 40 },
        { itemId, quantity: 35, zoneId },
        { itemId, quantity: 25, zoneId: otherZoneId },
      ],
    });
    const takers = Array.from({ length: 500 }, () => create('SDN', { lines: [{ itemId, quantity: 1 }] }));
    const results = await Promise.allSettled(takers);
    const failures = results.filter((result) => result.status === 'rejected');
    assert.equal(results.length - failures.length, 100);
    for (const { reason } of failures) assert.equal(refused('insufficient_stock')(reason), true, String(reason));
    assert.deepEqual(await places(itemId), { '-/-': 0, 'A-01/-': 0, 'A-02/-': 0 });
  });

  it('says what moved and what runs low', async () => {
    const { id: itemId } = await company.item({ minStock: '5' });
    await create('PDN', { lines: [{ itemId, quantity: 8 }] });
    const invoice = await create('SINV', { lines: [{ itemId, quantity: 4 }] });
    await company.run((trx) => postInvoice(trx, company.ctx, invoice.id, any));
    await create('SDN', { lines: [{ itemId, quantity: 1 }] });
    const events = await company.rows(
      `select event, (payload ->> 'quantity')::float as quantity, (payload ->> 'stock')::float as stock, payload ->> 'document_type' as type
       from outbox where payload ->> 'item_id' = ? order by event, seq`,
      [itemId],
    );
    assert.deepEqual(
      events.map(({ event, quantity, stock, type }) => [event, quantity ?? stock, type]),
      [
        ['stock.low', 4, null],
        ['stock.movement', 8, 'purchase_delivery_note'],
        ['stock.movement', -4, 'sales_invoice'],
        ['stock.movement', -1, 'sales_delivery_note'],
      ],
    );
  });
});
