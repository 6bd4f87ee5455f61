import assert from 'node:assert/strict';
import { Warehouse, Zone } from '../../../../../db/models/records/master-data.ts';
import { insertRow } from '../../../../../db/write.ts';
import type { FollowingLine } from '../../../../../services/trade/lifecycle/follow-up-schemas.ts';
import { transferStock } from '../../../../../services/trade/stock/operations/transfer.ts';
import { type Doc, useTrade } from '../follow-helpers.ts';

const batch = (batchNum: string, quantity: number) => ({ batchNum, quantity });
const lineBatches = (document: Doc) => document.lines.map(({ batchDetails }) => batchDetails);

describe('batches and zones of what goes back', () => {
  let zones = 0;
  const trade = useTrade();
  before(async () => {
    await trade.company.run((trx) =>
      trx.raw(`insert into settings (id, tenant_id, name, value, version, created_at, updated_at)
        values (gen_random_uuid(), current_setting('app.tenant_id')::uuid, 'flags', '{"autoConfirmBatches": true}', 1, now(), now())`),
    );
  });

  /** 4 of batch A and 6 of batch B, bought in. */
  async function bought() {
    const { id: itemId } = await trade.company.item({ batchTracked: true });
    const note = await trade.create('PDN', {
      lines: [{ itemId, quantity: 10, price: 2, batchDetails: [batch('A', 4), batch('B', 6)] }],
    });
    return { itemId, note };
  }
  const zone = async () => {
    const { ctx, warehouseId } = trade.company;
    return await trade.company.run((trx) => insertRow(trx, ctx, Zone, { warehouseId, code: `Z${++zones}` }));
  };
  const give = (note: Doc, ...lines: Omit<FollowingLine, 'baseLineId'>[]) =>
    trade.follow(note, 'return', { lines: lines.map((line) => ({ baseLineId: note.lines[0]?.id ?? '', ...line })) });
  /** On hand by zone and batch. */
  const lying = (itemId: string) =>
    trade.company.rows(
      `select z.code as zone, b.batch_num as batch, l.on_hand::float as n from stock_levels l left join batches b on b.id = l.batch_id
       left join zones z on z.id = l.zone_id where l.item_id = ? and l.on_hand <> 0 order by 2, 1`,
      [itemId],
    );
  const put = (itemId: string, quantity: number, toZoneId: string, batchNum?: string) =>
    trade.company.run((trx) =>
      transferStock(trx, trade.company.ctx, {
        warehouseId: trade.company.warehouseId,
        toZoneId,
        lines: [{ itemId, quantity, ...(batchNum === undefined ? {} : { batchNum }) }],
      }),
    );

  for (const docType of ['SDN', 'PDN'] as const) {
    it(`are named on returns of ${docType}: of those that moved with the line, and no more of each than is left`, async () => {
      const { itemId, note: receipt } = await bought();
      const note = docType === 'PDN' ? receipt : await trade.create('SDN', { lines: [{ itemId, quantity: 10 }] });
      const back = await give(note, { quantity: 3, batchDetails: [batch('B', 3)] });
      assert.deepEqual(lineBatches(back), [[batch('B', 3)]]);
      assert.deepEqual(lineBatches(await trade.read(back)), [[batch('B', 3)]]);
      const refused = (line: Omit<FollowingLine, 'baseLineId'>, pointer: string) =>
        trade.refused(() => give(note, line), 'validation_failed', `/lines/0/batchDetails${pointer}`);
      await refused({ quantity: 4, batchDetails: [batch('B', 4)] }, '/0/quantity');
      await refused({ quantity: 2, batchDetails: [batch('A', 1), batch('C', 1)] }, '/1/batchNum');
      await refused({ quantity: 2, batchDetails: [batch('A', 1)] }, '');
      await refused({ quantity: 2, batchDetails: [batch('A', 1), batch('A', 1)] }, '/1/batchNum');
      await refused({ quantity: 1, batchDetails: [{ ...batch('A', 1), expiryDate: '2030-01-01' }] }, '/0/expiryDate');
      await trade.refused(
        () => give(note, { quantity: 8, batchDetails: [batch('A', 8)] }),
        'over_delivery',
        '/lines/0/quantity',
      );
      const both = await give(note, { quantity: 4 }, { quantity: 2, batchDetails: [batch('A', 2)] });
      assert.deepEqual(lineBatches(both), [[batch('A', 2), batch('B', 2)], [batch('A', 2)]]);
      await refused({ quantity: 1, batchDetails: [batch('A', 1)] }, '/0/batchNum');
      await trade.cancel(both);
      const named = await give(note, { quantity: 7, batchDetails: [batch('B', 3), batch('A', 4)] });
      assert.deepEqual(lineBatches(named), [[batch('B', 3), batch('A', 4)]]);
      assert.equal(await trade.onHand(itemId), docType === 'PDN' ? 0 : 10);
    });
  }

  it('are refused on returns of what is not kept by batch', async () => {
    const { id: itemId } = await trade.company.item();
    await trade.company.stockUp(itemId, 5);
    const note = await trade.create('SDN', { lines: [{ itemId, quantity: 5 }] });
    const line = { quantity: 1, batchDetails: [batch('A', 1)] };
    await trade.refused(() => give(note, line), 'validation_failed', '/lines/0/batchDetails');
  });

  it('are stored on invoices without a note when these are posted, and on what takes back of them', async () => {
    const { itemId } = await bought();
    await put(itemId, 2, (await zone()).id, 'A');
    const lines = [
      { itemId, quantity: 7 },
      { itemId, quantity: 2, batchDetails: [batch('B', 2)] },
    ];
    const draft = await trade.create('SINV', { lines });
    assert.deepEqual(lineBatches(draft), [null, [batch('B', 2)]]);
    const invoice = await trade.post(draft);
    assert.deepEqual(lineBatches(invoice), [[batch('A', 4), batch('B', 3)], [batch('B', 2)]]);
    assert.deepEqual(await trade.read(invoice), invoice);
    const [told] = await trade.company.rows(
      `select payload -> 'changes' ->> 'fields' as changes, payload from outbox where event = 'document.locked' and entity_id = ?`,
      [invoice.id],
    );
    assert.ok(JSON.stringify(told).includes('lines'), JSON.stringify(told));
    const part = [{ baseLineId: invoice.lines[0]?.id ?? '', quantity: 5 }];
    const taken = await trade.follow(invoice, 'rectify', { reason: 'x', returnStock: true, lines: part });
    assert.deepEqual(lineBatches(taken), [null]);
    const posted = await trade.post(taken);
    assert.deepEqual(lineBatches(posted), [[batch('A', 4), batch('B', 1)]]);
    assert.deepEqual(await trade.read(posted), posted);
    await trade.cancel(posted);
    const rest = await trade.post(await trade.follow(invoice, 'rectify', { reason: 'x', returnStock: true }));
    assert.equal(await trade.onHand(itemId), 10);
    assert.deepEqual(lineBatches(rest), [[batch('A', 4), batch('B', 3)], [batch('B', 2)]]);
  });

  it('of rectifying purchases are those that go back to the supplier', async () => {
    const { id: itemId } = await trade.company.item({ batchTracked: true });
    const draft = await trade.create('PINV', {
      supplierReference: 'B1',
      lines: [{ itemId, quantity: 5, price: 2, batchDetails: [batch('A', 5)] }],
    });
    const invoice = await trade.post(draft);
    const back = await trade.follow(invoice, 'rectify', { reason: 'x', returnStock: true, supplierReference: 'B2' });
    assert.deepEqual(lineBatches(await trade.post(back)), [[batch('A', 5)]]);
    assert.equal(await trade.onHand(itemId), 0);
  });

  it('stay as they are on rectifying invoices that move no goods', async () => {
    const { itemId } = await bought();
    const invoice = await trade.post(await trade.create('SINV', { lines: [{ itemId, quantity: 3 }] }));
    assert.deepEqual(lineBatches(await trade.post(await trade.follow(invoice, 'rectify', { reason: 'x' }))), [null]);
  });

  it('go back to the zone that the return names, or out of it alone', async () => {
    const { itemId, note: receipt } = await bought();
    const [cold, other] = [await zone(), await zone()];
    const sold = await trade.create('SDN', { lines: [{ itemId, quantity: 5 }] });
    await give(sold, { quantity: 4, zoneId: cold.id });
    assert.deepEqual(await lying(itemId), [
      { zone: cold.code, batch: 'A', n: 4 },
      { zone: null, batch: 'B', n: 5 },
    ]);
    await put(itemId, 2, other.id, 'B');
    const fromZone = (quantity: number) =>
      give(receipt, { quantity, zoneId: other.id, batchDetails: [batch('B', quantity)] });
    await trade.refused(() => fromZone(3), 'insufficient_stock', '/lines/0/quantity');
    const gone = await fromZone(2);
    assert.deepEqual(await trade.movements(gone), [{ quantity: -2, value: -4, fifo: -4 }]);
    assert.deepEqual(await lying(itemId), [
      { zone: cold.code, batch: 'A', n: 4 },
      { zone: null, batch: 'B', n: 3 },
    ]);
    await trade.cancel(gone);
    assert.deepEqual((await lying(itemId))[1], { zone: other.code, batch: 'B', n: 2 });

    const elsewhere = await trade.company.run(async (trx) => {
      const { ctx } = trade.company;
      const warehouse = await insertRow(trx, ctx, Warehouse, { code: 'W2', name: 'Elsewhere' });
      return await insertRow(trx, ctx, Zone, { warehouseId: warehouse.id, code: 'X' });
    });
    await trade.refused(
      () => give(sold, { quantity: 1, zoneId: elsewhere.id }),
      'validation_failed',
      '/lines/0/zoneId',
    );
  });

  for (const batchTracked of [false, true]) {
    const batchNum = batchTracked ? 'A' : undefined;
    const move = (itemId: string, quantity: number, from: Zone, to: Zone) =>
      trade.company.run((trx) =>
        transferStock(trx, trade.company.ctx, {
          warehouseId: trade.company.warehouseId,
          zoneId: from.id,
          toZoneId: to.id,
          lines: [{ itemId, quantity, ...(batchNum === undefined ? {} : { batchNum }) }],
        }),
      );
    /** 10 bought into one zone, of which 8 were moved to another and 5 went back to the supplier. */
    async function partGivenBack() {
      const { id: itemId } = await trade.company.item({ batchTracked });
      const [inZone, moved] = [await zone(), await zone()];
      const named = batchTracked ? { batchDetails: [batch('A', 10)] } : {};
      const note = await trade.create('PDN', {
        lines: [{ itemId, quantity: 10, price: 3, zoneId: inZone.id, ...named }],
      });
      await move(itemId, 8, inZone, moved);
      return { itemId, inZone, moved, note, back: await give(note, { quantity: 5 }) };
    }

    describe(batchTracked ? 'batch by batch' : 'in all zones', () => {
      it('are found where the goods lie now', async () => {
        const { itemId, moved, back } = await partGivenBack();
        assert.deepEqual(await lying(itemId), [{ zone: moved.code, batch: batchNum ?? null, n: 5 }]);
        assert.equal(
          (await trade.movements(back)).reduce((value, movement) => value + movement.value, 0),
          -15,
        );
        if (batchTracked) assert.deepEqual(lineBatches(back), [[batch('A', 5)]]);
      });

      it('come back to the zone out of which they were sold, though the rest has moved on since', async () => {
        const { itemId, inZone, moved, note } = await partGivenBack();
        const sold = await trade.create('SDN', { lines: [{ itemId, quantity: 3, zoneId: moved.id }] });
        await move(itemId, 2, moved, inZone);
        const again = await give(sold, { quantity: 1 }, { quantity: 2, zoneId: inZone.id });
        assert.deepEqual(
          (await lying(itemId)).map(({ zone: code, n }) => [code, n]).sort(),
          [
            [inZone.code, 4],
            [moved.code, 1],
          ].sort(),
        );
        await trade.cancel(again);
        await give(note, { quantity: 2 });
        assert.equal(await trade.onHand(itemId), 0);
      });
    });
  }
});
