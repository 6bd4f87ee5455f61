import assert from 'node:assert/strict';
import fc from 'fast-check';
import { enterStockVariation } from '../../services/accounting/enter-stock.ts';
import { replaceSettings } from '../../services/settings/settings.ts';
import { recomputeLayers } from '../../services/stock/recompute.ts';
import { assertSound } from '../helpers/hooks.ts';
import { type Doc, useTrade } from '../services/trade/follow-helpers.ts';
import { type Receipt, Values } from './values.ts';

/** What happens next; numbers choose among what is there. */
interface Wish {
  readonly kind: 'receive' | 'sell' | 'return' | 'invoice' | 'rectify';
  readonly which: number;
  readonly quantity: number;
  readonly cents: number;
}

const wish: fc.Arbitrary<Wish> = fc.record({
  kind: fc.constantFrom('receive', 'sell', 'sell', 'return', 'invoice', 'rectify'),
  which: fc.nat(20),
  quantity: fc.integer({ min: 1, max: 8 }),
  cents: fc.integer({ min: 100, max: 999 }),
});

/** Steps of a day each: by how much roundings of what leaves by average may add up. */
const ROUNDING = 0.01;

describe('values of stock against a plain model', function () {
  this.timeout(300_000);
  const trade = useTrade();
  /** How often each thing was done, or compared. */
  const seen = new Map<string, number>();
  const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
  let suppliersNumber = 0;
  before(() =>
    trade.company.run((trx) => replaceSettings(trx, trade.company.ctx, 'flags', { allowNegativeStock: true })),
  );

  /** The documents of one history. */
  interface History {
    readonly itemId: string;
    readonly model: Values;
    readonly notes: Map<Receipt, Doc>;
    readonly invoices: Map<Receipt, Doc>;
    readonly sales: Doc[];
  }

  const linesOf = (note: Doc, quantity: number) => [{ baseLineId: note.lines[0]?.id ?? '', quantity }];

  /** Posts the invoice of a note at another price, or what rectifies the price of its invoice. */
  async function price({ itemId, notes, invoices }: History, receipt: Receipt, cents: number): Promise<void> {
    const head = { supplierReference: `F-${++suppliersNumber}` };
    const note = notes.get(receipt) as Doc;
    const invoice = invoices.get(receipt);
    const lines =
      invoice === undefined
        ? [{ baseId: note.id, quantity: receipt.units, price: cents / 100 }]
        : [
            { itemId, quantity: -receipt.units },
            { itemId, quantity: receipt.units, price: cents / 100 },
          ];
    const more = invoice === undefined ? {} : { rectifies: invoice.id, reason: 'Price' };
    const posted = await trade.post(await trade.create('PINV', { ...head, ...more, lines }));
    if (invoice === undefined) invoices.set(receipt, posted);
    receipt.price = cents;
  }

  async function step(history: History, { kind, which, quantity, cents }: Wish): Promise<void> {
    const { itemId, model, notes, invoices, sales } = history;
    const chosen = <T>(list: readonly T[]) => list[which % Math.max(1, list.length)];
    if (kind === 'receive') {
      const note = await trade.create('PDN', { lines: [{ itemId, quantity, price: cents / 100 }] });
      notes.set(model.receive(quantity, cents), note);
      count(kind);
    } else if (kind === 'sell') {
      sales.push(await trade.create('SDN', { lines: [{ itemId, quantity, price: 20 }] }));
      model.sell(quantity);
      count(model.onHand < 0 ? 'below zero' : kind);
    } else if (kind === 'return') {
      const index = which % Math.max(1, sales.length);
      const sale = model.sales[index];
      const back = Math.min(quantity, sale?.units.length ?? 0);
      if (sale === undefined || back === 0) return;
      await trade.follow(sales[index] as Doc, 'return', { lines: linesOf(sales[index] as Doc, back) });
      model.takeBack(sale, back);
      count(kind);
    } else {
      const rectified = new Set(invoices.keys());
      const receipt = chosen(model.receipts.filter((one) => rectified.has(one) === (kind === 'rectify')));
      // Each invoice is rectified once: a second time nothing of it is left to take back.
      if (receipt === undefined || receipt.price === cents) return;
      await price(history, receipt, cents);
      count(kind);
      if (kind === 'rectify') invoices.delete(receipt);
      if (kind === 'rectify') model.receipts.splice(model.receipts.indexOf(receipt), 1);
    }
  }

  /** Levels, values and costs are what the model says, and so is the stock account. */
  async function compare({ itemId, model, sales }: History, steps: number): Promise<void> {
    const [row] = await trade.company.rows(
      `select l.quantity_after::float as quantity, l.fifo_after::float as fifo, l.average_after::float as average,
         (select sum(on_hand) from stock_levels v where v.item_id = l.item_id)::float as level
       from stock_layers l where item_id = ? order by date desc, seq desc limit 1`,
      [itemId],
    );
    if (row === undefined) return;
    assert.deepEqual([row.quantity, row.level], [model.onHand, model.onHand]);
    if (model.onHand < 0) return;
    assert.equal(Math.round(Number(row.fifo) * 100), model.fifo());
    const difference = Math.abs(Number(row.average) - model.average() / 100);
    assert.ok(difference <= ROUNDING * steps, `${row.average} by average, ${model.average()} by the model`);
    const costs = await trade.company.rows(
      `select m.document_id as id, -sum(l.fifo_change + l.fifo_settled)::float as cost from stock_movements m
       join stock_layers l on l.id = m.id where m.item_id = ? and m.doc_type = 'SDN' and (m.quantity < 0 or l.source_id is not null)
       group by 1`,
      [itemId],
    );
    const byId = new Map(costs.map(({ id, cost }) => [id, Number(cost)]));
    model.sales.forEach((sale, index) => {
      const cost = model.costOf(sale);
      const untouched = sale.units.length === sales[index]?.lines[0]?.quantity;
      if (!untouched || cost === undefined) return;
      assert.equal(Math.round((byId.get(sales[index]?.id) ?? 0) * 100), cost);
      count('settled');
    });
  }

  /** Working it all out again changes nothing. */
  async function compareAgain({ itemId }: History): Promise<void> {
    const { company } = trade;
    const layers = () => company.rows('select * from stock_layers where item_id = ? order by seq', [itemId]);
    const before = await layers();
    const stocks = [{ itemId, warehouseId: company.warehouseId, date: '2026-01-01' }];
    await company.run((trx) => recomputeLayers(trx, stocks));
    assert.deepEqual(await layers(), before);
  }

  /** The stock account has what all stock is worth, by each item's method. */
  async function compareBooks(): Promise<void> {
    const { company } = trade;
    await company.run((trx) => enterStockVariation(trx, company.ctx, '2026-06-15'));
    const [row] = await company.rows(
      `select (select coalesce(sum(l.debit - l.credit), 0) from journal_lines l join accounts a on a.id = l.account_id
           where a.code = '300')::float as booked,
         (select coalesce(round(sum(value), 2), 0) from (select distinct on (l.item_id, l.warehouse_id)
             case i.cost_method when 'fifo' then l.fifo_after else l.average_after end as value
           from stock_layers l join items i on i.id = l.item_id order by l.item_id, l.warehouse_id, l.date desc, l.seq desc) last)::float
           as value`,
    );
    assert.equal(row?.booked, row?.value);
  }

  it('are the same after each step of random histories, also below zero and when prices come late', async () => {
    const { company } = trade;
    const histories = fc.array(wish, { minLength: 10, maxLength: 18 });
    await fc.assert(
      fc.asyncProperty(histories, async (wishes) => {
        const { id: itemId } = await company.item();
        const history: History = { itemId, model: new Values(), notes: new Map(), invoices: new Map(), sales: [] };
        for (const [index, one] of wishes.entries()) {
          await step(history, one);
          await compare(history, index + 1);
        }
        await compareAgain(history);
        await compareBooks();
      }),
      { numRuns: 25 },
    );
    for (const kind of ['receive', 'sell', 'return', 'invoice', 'rectify', 'below zero', 'settled']) {
      assert.ok((seen.get(kind) ?? 0) > 0, `${kind} never happened`);
    }
    await assertSound(company.url);
  });
});
