import assert from 'node:assert/strict';
import { replaceSettings } from '../../../../services/platform/settings/settings.ts';
import { type Doc, useTrade } from '../lifecycle/follow-helpers.ts';

describe('the cost of goods that are sold before they come', () => {
  const trade = useTrade();
  const on = (day: string) => ({ date: `2026-04-${day}` });
  before(() =>
    trade.company.run((trx) => replaceSettings(trx, trade.company.ctx, 'flags', { allowNegativeStock: true })),
  );

  const bought = (itemId: string, quantity: number, price: number, day: string) =>
    trade.create('PDN', { ...on(day), lines: [{ itemId, quantity, price }] });
  const sold = (itemId: string, quantity: number, day: string) =>
    trade.create('SDN', { ...on(day), lines: [{ itemId, quantity, price: 30 }] });
  const back = (note: Doc, quantity: number, day: string) =>
    trade.follow(note, 'return', { ...on(day), lines: [{ baseLineId: note.lines[0]?.id ?? '', quantity }] });

  /** Returns the cost of a sale, by FIFO and by average. */
  async function saleCost(sale: Doc): Promise<unknown[]> {
    const [row] = await trade.company.rows(
      `select -sum(l.fifo_change + l.fifo_settled)::float as fifo, -sum(l.average_change + l.average_settled)::float as average
       from stock_movements m join stock_layers l on l.id = m.id where m.document_id = ?`,
      [sale.id],
    );
    return [row?.fifo, row?.average];
  }

  async function stockWorth(itemId: string): Promise<unknown[]> {
    const [row] = await trade.company.rows(
      `select quantity_after::float as quantity, fifo_after::float as fifo, average_after::float as average
       from stock_layers where item_id = ? order by date desc, seq desc limit 1`,
      [itemId],
    );
    return [row?.quantity, row?.fifo, row?.average];
  }

  it('is settled when the goods come: 4 at 10 and 6 at 12, not 10 at 10', async () => {
    const { id: itemId } = await trade.company.item();
    await bought(itemId, 4, 10, '01');
    const sale = await sold(itemId, 10, '02');
    assert.deepEqual(await saleCost(sale), [100, 100]);
    await bought(itemId, 5, 12, '03');
    // 4 × 10 + 5 × 12 + 1 × 10.
    assert.deepEqual(await saleCost(sale), [110, 110]);
    await bought(itemId, 5, 12, '04');
    assert.deepEqual(await saleCost(sale), [112, 112]);
    assert.deepEqual(await stockWorth(itemId), [4, 48, 48]);
  });

  it('is what a return brings back: guessed before the goods came, settled afterwards', async () => {
    const { id: itemId } = await trade.company.item();
    await bought(itemId, 2, 10, '01');
    const sale = await sold(itemId, 10, '02');
    await back(sale, 3, '03');
    assert.deepEqual(await stockWorth(itemId), [-5, -50, -50]);
    await bought(itemId, 10, 12, '04');
    // 2 × 10 + 5 × 12 are sold; 5 × 12 are there.
    assert.deepEqual(await saleCost(sale), [110, 110]);
    assert.deepEqual(await stockWorth(itemId), [5, 60, 60]);
    await back(sale, 5, '05');
    // By FIFO the last that left come first: 5 × 12. By average 5 of 7 that cost 80: 57.14.
    assert.deepEqual(await stockWorth(itemId), [10, 120, 117.14]);
  });

  it('is settled by what another customer returns, and by goods that are entered late', async () => {
    const { id: itemId } = await trade.company.item();
    await bought(itemId, 5, 10, '01');
    const first = await sold(itemId, 5, '02');
    await bought(itemId, 1, 20, '03');
    await sold(itemId, 1, '03');
    const second = await sold(itemId, 2, '04');
    assert.deepEqual(await saleCost(second), [40, 40]);
    await back(first, 1, '05');
    // One of them turned out to be one that had cost 10.
    assert.deepEqual(await saleCost(second), [30, 30]);
    // Entered late, before the sale: it was not below zero by that much.
    await bought(itemId, 1, 15, '03');
    assert.deepEqual(await saleCost(second), [25, 25]);
    assert.deepEqual(await stockWorth(itemId), [0, 0, 0]);
  });

  it('follows the invoice of the goods that came', async () => {
    const { id: itemId } = await trade.company.item();
    await bought(itemId, 1, 10, '01');
    const sale = await sold(itemId, 4, '02');
    const note = await bought(itemId, 6, 12, '03');
    const lines = [{ baseId: note.id, quantity: 6, price: 13 }];
    await trade.post(await trade.create('PINV', { ...on('10'), supplierReference: 'LATE', lines }));
    // 10 + 3 × 13 are sold, 3 × 13 are there.
    assert.deepEqual(await saleCost(sale), [49, 49]);
    assert.deepEqual(await stockWorth(itemId), [3, 39, 39]);
  });
});
