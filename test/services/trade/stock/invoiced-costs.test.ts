import assert from 'node:assert/strict';
import { adjustStock } from '../../../../services/trade/stock/operations/adjust.ts';
import { transferStock } from '../../../../services/trade/stock/operations/transfer.ts';
import { secondWarehouse } from '../../../helpers/invoiced-costs.ts';
import { type Doc, useTrade } from '../lifecycle/follow-helpers.ts';

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

  /** Returns the cost of a sale as lists of movements show it: booked, and settled since. */
  async function saleCost(sale: Doc): Promise<readonly number[]> {
    const [row] = await trade.company.rows(
      `select -sum(l.fifo_change + l.fifo_settled)::float as fifo, -sum(l.average_change + l.average_settled)::float as average
       from stock_movements m join stock_layers l on l.id = m.id where m.document_id = ?`,
      [sale.id],
    );
    return [row?.fifo, row?.average] as number[];
  }

  it('settles the cost of goods that had left, for their margins', async () => {
    const { id: itemId } = await trade.company.item();
    const note = await bought(itemId, 10, 40, '03-01');
    const sale = await sold(itemId, 4, '03-05');
    await invoiced(note, 45, '03-20');
    assert.deepEqual(await saleCost(sale), [180, 180]);
  });

  it('books as settled what it keeps, to the last decimal', async () => {
    const { id: itemId } = await trade.company.item();
    const note = await bought(itemId, 0.75, 10, '03-01');
    const invoice = await invoiced(note, 11.33, '03-20');
    // 8.50 − 7.50 = 1 for 0.75 is 1.333333333333 each, and times 0.75 again 0.99999999999975: more decimals than are kept.
    const settledCosts = async () =>
      await trade.company.rows(
        `select fifo_settled as kept, (select sum((v.settles->r.id::text->>'fifo')::numeric) from stock_layers v
           where v.adjusts_id = r.id) = fifo_settled as same from stock_layers r where r.item_id = ? and r.quantity > 0`,
        [itemId],
      );
    assert.deepEqual(await settledCosts(), [{ kept: '1.000000000000', same: true }]);
    await trade.cancel(invoice);
    assert.deepEqual(await settledCosts(), [{ kept: '0.000000000000', same: true }]);
  });

  it('leaves out what went back to the supplier, and counts what is missing as sold', async () => {
    const { company } = trade;
    const { id: itemId } = await company.item();
    const note = await bought(itemId, 10, 40, '03-01');
    await back(note, 2, '03-02');
    const lines = [{ itemId, countedQuantity: 6 }];
    await company.run((trx) =>
      adjustStock(trx, company.ctx, { ...on('03-03'), warehouseId: company.warehouseId, lines }),
    );
    await invoiced(note, 45, '03-20', 8);
    // 8 × 5 = 40 more, of which 6 × 5 are there: 6 × 45.
    assert.deepEqual(await valueOn(itemId, '03-20'), [6, 270, 270]);
  });

  it('changes nothing by FIFO where all of it went back before its draft is posted', async () => {
    const { id: itemId } = await trade.company.item();
    await bought(itemId, 10, 40, '03-01');
    const note = await bought(itemId, 10, 40, '03-02');
    const sale = await sold(itemId, 5, '03-03');
    const lines = [{ baseId: note.id, baseLineId: note.lines[0]?.id ?? '', quantity: 10, price: 45 }];
    const draft = await trade.create('PINV', { ...on('03-20'), supplierReference: 'F-returned', lines });
    await back(note, 10, '03-05');
    await trade.post(draft);
    // Its layer is used up, and the sale took from the one before. By average, a quarter of the goods sold came from the note and bears 50.
    assert.deepEqual(await valueOn(itemId, '03-20'), [5, 200, 200]);
    assert.deepEqual(await saleCost(sale), [200, 250]);
  });

  it('takes invoices of parts as they come', async () => {
    const { id: itemId } = await trade.company.item();
    const note = await bought(itemId, 10, 40, '03-01');
    await invoiced(note, 45, '03-10', 5);
    // 5 × 45 + 5 × 40.
    assert.deepEqual(await valueOn(itemId, '03-10'), [10, 425, 425]);
    await sold(itemId, 4, '03-12');
    await invoiced(note, 45, '03-20', 5);
    assert.deepEqual(await valueOn(itemId, '03-20'), [6, 270, 270]);
  });

  it('changes what follows an invoice that is dated before it', async () => {
    const { id: itemId } = await trade.company.item();
    const note = await bought(itemId, 10, 40, '03-01');
    const late = await sold(itemId, 4, '03-25');
    await invoiced(note, 45, '03-20');
    assert.deepEqual(await trade.movements(late), [{ quantity: -4, value: -180, fifo: -180 }]);
    // A sale that is entered later still, before the invoice: 3 × 5 of its 50 are cost now, and the later sale costs as much as before.
    const earlier = await sold(itemId, 3, '03-10');
    assert.deepEqual(await trade.movements(earlier), [{ quantity: -3, value: -120, fifo: -120 }]);
    assert.deepEqual(await saleCost(earlier), [135, 135]);
    assert.deepEqual(await valueOn(itemId, '03-20'), [7, 315, 315]);
    assert.deepEqual(await valueOn(itemId, '03-25'), [3, 135, 135]);
  });

  it('follows a price that is rectified, by whatever lines say so', async () => {
    const rebate = { description: 'Price too high', quantity: -1, price: 30, taxGroupId: trade.company.taxId };
    const ways = [
      (itemId: string) => [{ itemId, quantity: -10, price: 3 }],
      (itemId: string) => [
        { itemId, quantity: -10 },
        { itemId, quantity: 10, price: 42 },
      ],
      () => [rebate],
    ];
    for (const [index, linesOf] of ways.entries()) {
      const { id: itemId } = await trade.company.item();
      const note = await bought(itemId, 10, 40, '03-01');
      await sold(itemId, 4, '03-05');
      const invoice = await invoiced(note, 45, '03-20');
      const input = { ...on('04-10'), rectifies: invoice.id, reason: 'Price', supplierReference: `R-${index}` };
      const credit = await trade.post(await trade.create('PINV', { ...input, lines: linesOf(itemId) }));
      // 45 − 3 = 42: 6 × 42 are there.
      assert.deepEqual(await valueOn(itemId, '04-09'), [6, 270, 270]);
      assert.deepEqual(await valueOn(itemId, '04-10'), [6, 252, 252], `way ${index}`);
      await trade.cancel(credit);
      assert.deepEqual(await valueOn(itemId, '12-31'), [6, 270, 270]);
    }
  });

  it('stays when a line without item is credited, which was never in it', async () => {
    const { company } = trade;
    const { id: itemId } = await company.item();
    const note = await bought(itemId, 10, 40, '03-01');
    const freight = { description: 'Freight', quantity: 1, price: 50, taxGroupId: company.taxId };
    const goods = { baseId: note.id, baseLineId: note.lines[0]?.id ?? '', quantity: 10, price: 40 };
    const head = { ...on('03-20'), supplierReference: `F-${++suppliersNumber}` };
    const invoice = await trade.post(await trade.create('PINV', { ...head, lines: [goods, freight] }));
    const line = { baseLineId: invoice.lines[1]?.id ?? '', quantity: 1 };
    const credit = { ...on('04-10'), reason: 'Freight', supplierReference: 'R-freight', lines: [line] };
    const credited = await trade.post(await trade.follow(invoice, 'rectify', credit));
    // The 50 are in 624: the goods are 10 × 40 still, not 400 − 50 × 400 / 450.
    assert.deepEqual(await valueOn(itemId, '12-31'), [10, 400, 400]);
    await trade.cancel(credited);
    const all = { ...on('04-10'), reason: 'All', supplierReference: 'R-all', returnStock: false };
    await trade.post(await trade.follow(invoice, 'rectify', all));
    assert.deepEqual(await valueOn(itemId, '12-31'), [10, 400, 400]);
  });

  it('stays when a line without item is charged again at another price', async () => {
    const { company } = trade;
    const { id: itemId } = await company.item();
    const note = await bought(itemId, 10, 40, '03-01');
    const freight = { description: 'Freight', price: 50, taxGroupId: company.taxId };
    const goods = { baseId: note.id, baseLineId: note.lines[0]?.id ?? '', quantity: 10, price: 40 };
    const head = { ...on('03-20'), supplierReference: `F-${++suppliersNumber}` };
    const invoice = await trade.post(
      await trade.create('PINV', { ...head, lines: [goods, { ...freight, quantity: 1 }] }),
    );
    const baseLineId = invoice.lines[1]?.id ?? '';
    const lines = [
      { ...freight, quantity: -1, baseLineId },
      { ...freight, quantity: 1, price: 60 },
    ];
    const credit = { ...on('04-10'), rectifies: invoice.id, reason: 'Freight', supplierReference: 'R-freight-60' };
    await trade.post(await trade.create('PINV', { ...credit, lines }));
    // −50 + 60 = 10 more of freight, none of it for the goods.
    assert.deepEqual(await valueOn(itemId, '12-31'), [10, 400, 400]);
  });

  it('follows the prices of two lines of one item, each for itself', async () => {
    const { id: itemId } = await trade.company.item();
    const note = await trade.create('PDN', {
      ...on('03-01'),
      lines: [
        { itemId, quantity: 10, price: 40 },
        { itemId, quantity: 5, price: 50 },
      ],
    });
    const head = { supplierReference: `F-${++suppliersNumber}` };
    const invoice = await trade.post(await trade.follow(note, 'invoice', { ...on('03-20'), ...head }));
    const [ten = '', five = ''] = invoice.lines.map(({ id }) => id);
    const lines = [
      { itemId, quantity: -10, baseLineId: ten },
      { itemId, quantity: -5, baseLineId: five },
      { itemId, quantity: 10, price: 45 },
      { itemId, quantity: 5, price: 55 },
    ];
    const credit = { ...on('04-10'), rectifies: invoice.id, reason: 'Price', supplierReference: 'R-two' };
    await trade.post(await trade.create('PINV', { ...credit, lines }));
    // 10 × 5 + 5 × 5 = 75 more: 650 + 75.
    assert.deepEqual(await valueOn(itemId, '12-31'), [15, 725, 725]);
    await sold(itemId, 10, '04-20');
    // By FIFO the first ten have left, so that 5 × 55 are there.
    assert.equal((await valueOn(itemId, '12-31'))[1], 275);
  });

  it('keeps the price of goods that are credited because they went back', async () => {
    const { id: itemId } = await trade.company.item();
    const note = await bought(itemId, 10, 40, '03-01');
    const invoice = await invoiced(note, 45, '03-20');
    await back(note, 3, '03-22');
    assert.deepEqual(await valueOn(itemId, '03-22'), [7, 315, 315]);
    const credit = {
      reason: 'Went back',
      supplierReference: 'R-back',
      lines: [{ baseLineId: invoice.lines[0]?.id ?? '', quantity: 3 }],
    };
    await trade.post(await trade.follow(invoice, 'rectify', { ...on('03-25'), ...credit }));
    assert.deepEqual(await valueOn(itemId, '12-31'), [7, 315, 315]);
  });

  it('has the tax that is not deducted, of the note and of the invoice', async () => {
    const { id: itemId } = await trade.company.item();
    const line = { itemId, quantity: 10, price: 40, vatUse: 'none' as const };
    const note = await trade.create('PDN', { ...on('03-01'), lines: [line] });
    // 400 and 21 % of it: 84.
    assert.deepEqual(await valueOn(itemId, '03-01'), [10, 484, 484]);
    await invoiced(note, 45, '03-20');
    // 450 and 94.50.
    assert.deepEqual(await valueOn(itemId, '03-20'), [10, 544.5, 544.5]);
  });
});
