import assert from 'node:assert/strict';
import { transferStock } from '../../../services/stock/operations/transfer.ts';
import { secondWarehouse } from '../../helpers/invoiced-costs.ts';
import { type Doc, useTrade } from '../trade/follow-helpers.ts';

/** Quantities on hand with their values, by FIFO and by average. */
type Values = readonly [quantity: number, fifo: number, average: number];

describe('the invoiced price in the value of stock', () => {
  const trade = useTrade();
  const on = (day: string) => ({ date: `2026-${day}` });
  const bought = (itemId: string, quantity: number, price: number, day: string) =>
    trade.create('PDN', { ...on(day), lines: [{ itemId, quantity, price }] });
  const sold = (itemId: string, quantity: number, day: string) =>
    trade.create('SDN', { ...on(day), lines: [{ itemId, quantity, price: 100 }] });
  const back = (note: Doc, quantity: number, day: string) =>
    trade.follow(note, 'return', { ...on(day), lines: [{ baseLineId: note.lines[0]?.id ?? '', quantity }] });
  let suppliersNumber = 0;

  /** Posts the invoice of a note at a price. */
  async function invoiced(note: Doc, price: number, day: string, quantity?: number): Promise<Doc> {
    const line = {
      baseId: note.id,
      baseLineId: note.lines[0]?.id ?? '',
      quantity: quantity ?? note.lines[0]?.quantity ?? 0,
    };
    const supplierReference = `F-${++suppliersNumber}`;
    const draft = await trade.create('PINV', { ...on(day), supplierReference, lines: [{ ...line, price }] });
    return await trade.post(draft);
  }

  /** The value at the end of a day, over all warehouses. */
  async function valueOn(itemId: string, day: string): Promise<Values> {
    const [row] = await trade.company.rows(
      `select coalesce(sum(q), 0)::float as quantity, coalesce(sum(f), 0)::float as fifo, coalesce(sum(a), 0)::float as average
       from (select distinct on (warehouse_id) quantity_after as q, fifo_after as f, average_after as a from stock_layers
         where item_id = ? and date <= ? order by warehouse_id, date desc, seq desc) as last`,
      [itemId, `2026-${day}`],
    );
    return [row?.quantity, row?.fifo, row?.average] as unknown as Values;
  }

  it('changes the value on the day of the invoice, not on that of the note', async () => {
    const { id: itemId } = await trade.company.item();
    const note = await bought(itemId, 10, 40, '03-01');
    await invoiced(note, 45, '03-20');
    assert.deepEqual(await valueOn(itemId, '03-19'), [10, 400, 400]);
    assert.deepEqual(await valueOn(itemId, '03-20'), [10, 450, 450]);
  });

  it('goes to cost for what is sold, and comes back with it', async () => {
    const { id: itemId } = await trade.company.item();
    const note = await bought(itemId, 10, 40, '03-01');
    const sale = await sold(itemId, 4, '03-05');
    await invoiced(note, 45, '03-20');
    // 6 × 45; 4 × 5 = 20 more is the cost of the sale.
    assert.deepEqual(await valueOn(itemId, '03-20'), [6, 270, 270]);
    await back(sale, 4, '03-25');
    assert.deepEqual(await valueOn(itemId, '03-25'), [10, 450, 450]);
  });

  it('by FIFO follows its layer, by average the mixture', async () => {
    const { id: itemId } = await trade.company.item();
    const note = await bought(itemId, 10, 40, '03-01');
    await bought(itemId, 10, 50, '03-02');
    await sold(itemId, 10, '03-05');
    await invoiced(note, 44, '03-20');
    // Average: 10 of 20 at 45 have left, so that half of the first note's goods is there: 450 + 40 / 2.
    assert.deepEqual(await valueOn(itemId, '03-20'), [10, 500, 470]);
  });

  it('follows goods to another warehouse, and those sold there', async () => {
    const { company } = trade;
    const { id: itemId } = await company.item();
    const toWarehouseId = await secondWarehouse(company);
    const note = await bought(itemId, 10, 40, '03-01');
    const { warehouseId } = company;
    await company.run((trx) =>
      transferStock(trx, company.ctx, { ...on('03-03'), warehouseId, toWarehouseId, lines: [{ itemId, quantity: 6 }] }),
    );
    await trade.create('SDN', {
      ...on('03-04'),
      warehouseId: toWarehouseId,
      lines: [{ itemId, quantity: 1, price: 9 }],
    });
    const invoice = await invoiced(note, 45, '03-20');
    assert.deepEqual(await valueOn(itemId, '03-19'), [9, 360, 360]);
    assert.deepEqual(await valueOn(itemId, '03-20'), [9, 405, 405]);
    await trade.cancel(invoice);
    assert.deepEqual(await valueOn(itemId, '12-31'), [9, 360, 360]);
  });
});
