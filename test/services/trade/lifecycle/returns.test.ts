import assert from 'node:assert/strict';
import { Zone } from '../../../../db/models/records/master-data.ts';
import { insertRow } from '../../../../db/write.ts';
import { transferStock } from '../../../../services/trade/stock/operations/transfer.ts';
import { type Doc, lineProgress, useTrade } from './follow-helpers.ts';

describe('returns', () => {
  const trade = useTrade();

  describe('bring sold goods back at the cost they left with; the order stays done, and they are not invoiced', () => {
    let itemId: string;
    let note: Doc;

    it('of part of a note', async () => {
      ({ id: itemId } = await trade.company.item());
      await trade.create('PDN', { lines: [{ itemId, quantity: 10, price: 2 }] });
      const order = await trade.create('SO', { lines: [{ itemId, quantity: 8, price: 5 }] });
      note = await trade.follow(order, 'deliver');
      await trade.create('PDN', { lines: [{ itemId, quantity: 10, price: 8 }] });

      const [line] = note.lines as [Doc['lines'][number]];
      const part = await trade.follow(note, 'return', {
        reason: 'Damaged',
        lines: [{ baseLineId: line.id, quantity: 3 }],
      });
      assert.deepEqual(
        { status: part.status, returns: part.returns, reason: part.reason, total: part.total },
        { status: 'O', returns: note.id, reason: 'Damaged', total: -18.15 },
      );
      assert.deepEqual(lineProgress(part), [{ quantity: -3 }]);
      assert.deepEqual(await trade.movements(part), [{ quantity: 3, value: 6, fifo: 6 }]);
      assert.deepEqual(
        [(await trade.read(note)).status, lineProgress(await trade.read(note))],
        ['P', [{ quantity: 8, returned: 3, open: 5 }]],
      );
      assert.deepEqual(
        [(await trade.read(order)).status, lineProgress(await trade.read(order))],
        ['C', [{ quantity: 8, delivered: 8, returned: 3 }]],
      );
    });

    it('are not invoiced, and go back once', async () => {
      const invoice = await trade.follow(note, 'invoice');
      assert.deepEqual(lineProgress(invoice), [{ quantity: 5 }]);
      assert.equal((await trade.read(note)).status, 'C');

      const rest = await trade.follow(note, 'return');
      assert.deepEqual(lineProgress(rest), [{ quantity: -5 }]);
      assert.equal(await trade.onHand(itemId), 20);
      await trade.refused(() => trade.follow(note, 'return'), 'nothing_open');
      await trade.refused(() => trade.cancel(note), 'invalid_transition');

      await trade.cancel(rest);
      assert.deepEqual(lineProgress(await trade.read(note)), [{ quantity: 8, invoiced: 5, returned: 3 }]);
      assert.equal(await trade.onHand(itemId), 15);
    });
  });

  it('send bought goods back', async () => {
    const { id: itemId } = await trade.company.item();
    const order = await trade.create('PO', { lines: [{ itemId, quantity: 6, price: 4 }] });
    const note = await trade.follow(order, 'deliver', { date: '2026-06-10' });
    const back = await trade.follow(note, 'return', { lines: [{ baseLineId: note.lines[0]?.id ?? '', quantity: 2 }] });
    assert.deepEqual(await trade.movements(back), [{ quantity: -2, value: -8, fifo: -8 }]);
    assert.equal(await trade.onHand(itemId), 4);
    await trade.create('SDN', { lines: [{ itemId, quantity: 3 }] });
    await trade.refused(() => trade.follow(note, 'return'), 'insufficient_stock', '/lines/0/quantity');
  });

  it('bring goods back to the batches that they were of', async () => {
    const { id: itemId } = await trade.company.item({ batchTracked: true });
    await trade.company.run(async (trx) => {
      await trx.raw(`insert into settings (id, tenant_id, name, value, version, created_at, updated_at)
        values (gen_random_uuid(), current_setting('app.tenant_id')::uuid, 'flags', '{"autoConfirmBatches": true}', 1, now(), now())`);
    });
    await trade.create('PDN', {
      lines: [
        {
          itemId,
          quantity: 10,
          batchDetails: [
            { batchNum: 'A', quantity: 4, expiryDate: '2027-01-01' },
            { batchNum: 'B', quantity: 6, expiryDate: '2027-02-01' },
          ],
        },
      ],
    });
    const note = await trade.create('SDN', { lines: [{ itemId, quantity: 7 }] });
    const back = await trade.follow(note, 'return', { lines: [{ baseLineId: note.lines[0]?.id ?? '', quantity: 5 }] });
    assert.deepEqual(back.lines[0]?.batchDetails, [
      { batchNum: 'A', quantity: 4 },
      { batchNum: 'B', quantity: 1 },
    ]);
    const rest = await trade.follow(note, 'return');
    assert.deepEqual(rest.lines[0]?.batchDetails, [{ batchNum: 'B', quantity: 2 }]);
    const levels = await trade.company.rows(
      `select b.batch_num as batch, l.on_hand::float as n from stock_levels l join batches b on b.id = l.batch_id where l.item_id = ?
        order by 1`,
      [itemId],
    );
    assert.deepEqual(levels, [
      { batch: 'A', n: 4 },
      { batch: 'B', n: 6 },
    ]);
  });

  it('send each bought batch back once, pending ones too, from wherever it was put', async () => {
    const { company } = trade;
    const { id: itemId } = await company.item({ batchTracked: true });
    const zone = await company.run((trx) =>
      insertRow(trx, company.ctx, Zone, { warehouseId: company.warehouseId, code: 'BACK' }),
    );
    const batchDetails = ['EARLY', 'LATE'].map((batchNum) => ({ batchNum, quantity: 5 }));
    const note = await trade.create('PDN', { lines: [{ itemId, quantity: 10, batchDetails }] });
    await company.run((trx) => trx.raw(`update batches set status = 'pending' where item_id = ?`, [itemId]));
    await company.run((trx) =>
      transferStock(trx, company.ctx, {
        warehouseId: company.warehouseId,
        toZoneId: zone.id,
        lines: [{ itemId, quantity: 5, batchNum: 'EARLY' }],
      }),
    );
    const lines = [{ baseLineId: note.lines[0]?.id ?? '', quantity: 5 }];
    const returnedBatches = (back: Doc) => back.lines[0]?.batchDetails?.map(({ batchNum }) => batchNum);
    assert.deepEqual(returnedBatches(await trade.follow(note, 'return', { lines })), ['EARLY']);
    assert.deepEqual(returnedBatches(await trade.follow(note, 'return', { lines })), ['LATE']);
    assert.equal(await trade.onHand(itemId), 0);
  });

  it('in parts of another unit bring back exactly what left', async () => {
    const { id: itemId, uomId } = await trade.company.item();
    await trade.create('PDN', { lines: [{ itemId, quantity: 1 }] });
    const [other] = await trade.company.rows('select id from uoms where id <> ? limit 1', [uomId]);
    const unit = { uomId: String(other?.id), uomFactor: 0.333333333 };
    const note = await trade.create('SDN', { lines: [{ itemId, quantity: 3, ...unit }] });
    const lines = [{ baseLineId: note.lines[0]?.id ?? '', quantity: 1 }];
    for (let part = 0; part < 3; part++) await trade.follow(note, 'return', { lines });
    assert.equal(await trade.onHand(itemId), 1);
  });

  it('are refused beyond what was delivered, of drafts, cancelled notes and returns', async () => {
    const { id: itemId } = await trade.company.item();
    await trade.company.stockUp(itemId, 20);
    const note = await trade.create('SDN', { lines: [{ itemId, quantity: 4 }] });
    const other = await trade.create('SDN', { lines: [{ itemId, quantity: 4 }] });
    const [line, foreign] = [note.lines[0]?.id ?? '', other.lines[0]?.id ?? ''];
    const back = (baseLineId: string, quantity: number) =>
      trade.follow(note, 'return', { lines: [{ baseLineId, quantity }] });
    await trade.refused(() => back(line, 5), 'over_delivery', '/lines/0/quantity');
    await trade.refused(() => back(foreign, 1), 'validation_failed', '/lines/0/baseLineId');
    await trade.refused(() => back(line, 1.005), 'validation_failed', '/lines/0/quantity');
    await trade.refused(() => trade.follow(note, 'return', { date: '2026-06-01' }), 'validation_failed', '/date');
    const twice = { lines: [3, 2].map((quantity) => ({ baseLineId: line, quantity })) };
    await trade.refused(() => trade.follow(note, 'return', twice), 'over_delivery', '/lines/1/quantity');
    const done = await back(line, 1);
    await trade.refused(() => trade.follow(done, 'return'), 'invalid_transition');
    await trade.refused(() => trade.follow(done, 'invoice'), 'invalid_transition');
    await trade.cancel(other);
    await trade.refused(() => trade.follow(other, 'return'), 'invalid_transition');
  });

  it('of the same goods at once: only what was delivered comes back', async () => {
    const { id: itemId } = await trade.company.item();
    await trade.company.stockUp(itemId, 5);
    const note = await trade.create('SDN', { lines: [{ itemId, quantity: 5 }] });
    const lines = [{ baseLineId: note.lines[0]?.id ?? '', quantity: 2 }];
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => trade.follow(note, 'return', { lines })));
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 2);
    assert.equal(await trade.onHand(itemId), 4);
  });
});

describe('rectifying invoices', () => {
  const trade = useTrade();

  /** A posted invoice without a note. */
  async function sold(quantity: number, line: object = {}, head: object = {}) {
    const { id: itemId } = await trade.company.item();
    await trade.create('PDN', { lines: [{ itemId, quantity: 20, price: 2 }] });
    const draft = await trade.create('SINV', { ...head, lines: [{ itemId, quantity, ...line }] });
    return { itemId, invoice: await trade.post(draft), line: draft.lines[0]?.id ?? '' };
  }

  it('take back all by default, as it was charged, with numbers of their own series', async () => {
    const { invoice } = await sold(
      3,
      { price: 1.115, discountPercent: 10 },
      { withholdingRate: 15, vatRegime: 'surcharge' },
    );
    const draft = await trade.follow(invoice, 'rectify', { reason: 'Wrong price' });
    assert.deepEqual(
      { status: draft.status, code: draft.code, rectifies: draft.rectifies, reason: draft.reason },
      { status: 'D', code: null, rectifies: invoice.id, reason: 'Wrong price' },
    );
    assert.deepEqual(
      [draft.subtotal, draft.taxTotal, draft.withholdingAmount, draft.total],
      [invoice.subtotal, invoice.taxTotal, invoice.withholdingAmount, invoice.total].map((amount) => -amount),
    );
    assert.equal(draft.taxes[0]?.surchargeAmount, -(invoice.taxes[0]?.surchargeAmount ?? 0));
    const [line, original] = [draft.lines[0], invoice.lines[0]];
    assert.deepEqual(
      { quantity: line?.quantity, price: line?.price, discountPercent: line?.discountPercent },
      { quantity: -3, price: original?.price, discountPercent: original?.discountPercent },
    );
    assert.deepEqual([line?.baseType, line?.baseLineId], ['SINV', original?.id]);
    const posted = await trade.post(draft);
    assert.equal(posted.code, 'RSINV2026-00001');
    assert.deepEqual(await trade.movements(posted), []);
    const read = await trade.read(invoice);
    assert.deepEqual([read.status, read.lines[0]?.returnedQuantity], ['O', 3]);
  });

  it('in parts, never beyond what was invoiced, drafts included', async () => {
    const { invoice, line } = await sold(5);
    const part = (quantity: number) =>
      trade.follow(invoice, 'rectify', { reason: 'x', lines: [{ baseLineId: line, quantity }] });
    const first = await part(2);
    await trade.refused(() => part(4), 'over_invoicing', '/lines/0/quantity');
    const rest = await trade.follow(invoice, 'rectify', { reason: 'x' });
    assert.equal(rest.lines[0]?.quantity, -3);
    await trade.refused(() => trade.follow(invoice, 'rectify', { reason: 'x' }), 'nothing_open');
    await trade.cancel(first);
    assert.equal((await part(2)).lines[0]?.quantity, -2);
  });

  it('bring the goods back at posting, at the cost they left with, when they say so', async () => {
    const { itemId, invoice } = await sold(4);
    await trade.create('PDN', { lines: [{ itemId, quantity: 10, price: 9 }] });
    const draft = await trade.follow(invoice, 'rectify', { reason: 'Returned', returnStock: true });
    assert.equal(await trade.onHand(itemId), 26);
    const posted = await trade.post(draft);
    assert.deepEqual(await trade.movements(posted), [{ quantity: 4, value: 8, fifo: 8 }]);
    await trade.cancel(posted);
    assert.equal(await trade.onHand(itemId), 26);
    assert.equal((await trade.read(invoice)).lines[0]?.returnedQuantity, 0);
  });

  it('of an invoice of notes bring back what the notes moved, once', async () => {
    const { id: itemId } = await trade.company.item();
    await trade.create('PDN', { lines: [{ itemId, quantity: 10, price: 3 }] });
    const note = await trade.create('SDN', { lines: [{ itemId, quantity: 6 }] });
    const invoice = await trade.post(await trade.follow(note, 'invoice'));
    await trade.follow(note, 'return', { lines: [{ baseLineId: note.lines[0]?.id ?? '', quantity: 4 }] });
    const lines = [{ baseLineId: invoice.lines[0]?.id ?? '', quantity: 2 }];
    const posted = await trade.post(await trade.follow(invoice, 'rectify', { reason: 'x', returnStock: true, lines }));
    assert.deepEqual(await trade.movements(posted), [{ quantity: 2, value: 6, fifo: 6 }]);
    assert.deepEqual(lineProgress(await trade.read(note)), [{ quantity: 6, invoiced: 6, returned: 6 }]);
    const more = await trade.follow(invoice, 'rectify', { reason: 'x', returnStock: true, lines });
    await trade.refused(() => trade.post(more), 'over_delivery', '/lines/0/quantity');
    await trade.cancel(posted);
    assert.deepEqual(lineProgress(await trade.read(note)), [{ quantity: 6, invoiced: 6, returned: 4 }]);
    await trade.post(more);
    assert.equal(await trade.onHand(itemId), 10);
  });

  it('of purchases send the goods back', async () => {
    const { id: itemId } = await trade.company.item();
    const draft = await trade.create('PINV', { supplierReference: 'F1', lines: [{ itemId, quantity: 5, price: 2 }] });
    const invoice = await trade.post(draft);
    const back = await trade.follow(invoice, 'rectify', { reason: 'x', returnStock: true, supplierReference: 'A1' });
    const posted = await trade.post(back);
    assert.deepEqual([posted.code, await trade.onHand(itemId)], ['RPINV2026-00001', 0]);
  });

  it('can be entered as invoices, with lines that the original does not have', async () => {
    const { itemId, invoice } = await sold(5);
    const discount = { description: 'Price too high', taxGroupId: trade.company.taxId, quantity: -1, price: 1.5 };
    const lines = [{ itemId, quantity: -2 }, discount];
    const draft = await trade.create('SINV', { rectifies: invoice.id, lines });
    assert.equal(draft.lines[0]?.baseLineId, invoice.lines[0]?.id);
    assert.equal(draft.lines[1]?.baseLineId, null);
    assert.equal((await trade.post(draft)).total, -7.87);
    await trade.refused(
      () => trade.create('SINV', { rectifies: invoice.id, lines: [{ itemId, quantity: -4 }] }),
      'over_invoicing',
      '/lines/0/quantity',
    );
  });

  it('are refused of drafts, cancelled, rectifying and foreign invoices, and with the wrong sign', async () => {
    const { itemId, invoice, line } = await sold(5);
    const lines = [{ itemId, quantity: -1 }];
    const draft = await trade.create('SINV', { lines: [{ itemId, quantity: 1 }] });
    const order = await trade.create('SO', { lines: [{ itemId, quantity: 1 }] });
    const rectify =
      (id: string, more: object = {}) =>
      () =>
        trade.create('SINV', { rectifies: id, lines, ...more });
    await trade.refused(rectify(draft.id), 'validation_failed', '/rectifies');
    await trade.refused(rectify(order.id), 'validation_failed', '/rectifies');
    await trade.refused(rectify(itemId), 'validation_failed', '/rectifies');
    await trade.refused(rectify(invoice.id, { seriesId: invoice.seriesId }), 'validation_failed', '/seriesId');
    const positive = { lines: [{ baseId: invoice.id, baseLineId: line, quantity: 1 }] };
    await trade.refused(rectify(invoice.id, positive), 'validation_failed', '/lines/0/quantity');
    await trade.refused(() => trade.create('SINV', { lines }), 'validation_failed', '/lines/0/quantity');
    await trade.refused(
      () => trade.create('SINV', { lines: [{ itemId, quantity: 0 }] }),
      'validation_failed',
      '/lines/0/quantity',
    );
    const based = { lines: [{ baseId: order.id, quantity: -1 }] };
    await trade.refused(rectify(invoice.id, based), 'validation_failed', '/lines/0/baseId');
    await trade.refused(
      () => trade.create('SINV', { lines: [{ baseId: invoice.id, quantity: 1 }] }),
      'validation_failed',
      '/lines/0/baseId',
    );
    await trade.refused(() => trade.follow(draft, 'rectify', { reason: 'x' }), 'invalid_transition');
    const done = await trade.post(await trade.follow(invoice, 'rectify', { reason: 'x' }));
    await trade.refused(() => trade.follow(done, 'rectify', { reason: 'x' }), 'invalid_transition');
    await trade.refused(rectify(done.id), 'validation_failed', '/rectifies');
    await trade.refused(() => trade.cancel(invoice), 'in_use');
    await trade.cancel(done);
    assert.equal((await trade.cancel(invoice)).status, 'X');
    await trade.refused(rectify(invoice.id), 'validation_failed', '/rectifies');
  });

  it('at once take back what there is, once; cancelling the invoice in the meantime leaves one of both', async () => {
    const { invoice } = await sold(5);
    const all = () => trade.follow(invoice, 'rectify', { reason: 'x' });
    const results = await Promise.allSettled([all(), all(), all(), trade.cancel(invoice)]);
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
  });
});
