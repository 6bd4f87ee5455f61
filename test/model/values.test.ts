import assert from 'node:assert/strict';
import fc from 'fast-check';
import { enterStockVariation } from '../../services/accounting/enter-stock.ts';
import { replaceSettings } from '../../services/settings/settings.ts';
import { transferStock } from '../../services/stock/operations/transfer.ts';
import { recomputeLayers } from '../../services/stock/recompute.ts';
import { assertSound } from '../helpers/hooks.ts';
import { secondWarehouse } from '../helpers/invoiced-costs.ts';
import { type Doc, useTrade } from '../services/trade/follow-helpers.ts';
import { type Receipt, Values } from './values.ts';

/** What happens next; numbers choose among what is there. */
interface Wish {
  readonly kind: 'receive' | 'sell' | 'return' | 'move' | 'invoice' | 'rectify';
  readonly which: number;
  readonly quantity: number;
  readonly cents: number;
}

const wish: fc.Arbitrary<Wish> = fc.record({
  kind: fc.constantFrom('receive', 'sell', 'sell', 'return', 'move', 'invoice', 'invoice', 'rectify', 'rectify'),
  which: fc.nat(20),
  quantity: fc.integer({ min: 1, max: 8 }),
  cents: fc.integer({ min: 100, max: 999 }),
});

/** A history in which each thing happens that random ones may leave out; it runs by FIFO and by average. */
const EVERYTHING: readonly Wish[] = [
  { kind: 'receive', which: 3, quantity: 8, cents: 400 },
  { kind: 'sell', which: 0, quantity: 3, cents: 100 },
  { kind: 'move', which: 0, quantity: 2, cents: 100 },
  { kind: 'return', which: 0, quantity: 1, cents: 100 },
  { kind: 'invoice', which: 1, quantity: 1, cents: 450 },
  { kind: 'rectify', which: 1, quantity: 1, cents: 380 },
  { kind: 'sell', which: 0, quantity: 8, cents: 100 },
  { kind: 'sell', which: 0, quantity: 3, cents: 100 },
  { kind: 'receive', which: 1, quantity: 5, cents: 333 },
  { kind: 'invoice', which: 0, quantity: 1, cents: 299 },
  { kind: 'rectify', which: 0, quantity: 1, cents: 512 },
];

/** The day of all documents. */
const DAY = '2026-06-15';

/** Accounts, by their first digits: stock, its variation, purchases, services, sales, and what is not invoiced yet. */
const NOTHING = { 300: 0, 61: 0, 60: 0, 62: 0, 70: 0, 4009: 0, 4309: 0 };
type Balances = Readonly<typeof NOTHING>;

/** A value by average is that of the model, but for roundings. @param cents of the model */
function near(value: number, cents: number, steps: number): void {
  const difference = Math.abs(value - cents / 100);
  assert.ok(difference <= ROUNDING * steps + 1e-9, `${value} by average, ${cents} cents by the model`);
}

/** By how much the roundings of what leaves by average may add up with each step. */
const ROUNDING = 0.01;

describe('values of stock against a plain model', function () {
  this.timeout(300_000);
  const trade = useTrade();
  /** How often each thing was done, or compared. */
  const seen = new Map<string, number>();
  const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
  let suppliersNumber = 0;
  let otherId = '';
  before(async () => {
    const { company } = trade;
    await company.run((trx) => replaceSettings(trx, company.ctx, 'flags', { allowNegativeStock: true }));
    otherId = await secondWarehouse(company);
  });

  /** A note of one or two lines, with its invoice, which may have freight as a line without item, in cents. */
  interface Bought {
    readonly note: Doc;
    readonly receipts: readonly Receipt[];
    invoice?: Doc;
    freight: number;
    rectified: boolean;
  }

  /** The documents of one history. */
  interface History {
    readonly itemId: string;
    readonly byFifo: boolean;
    readonly model: Values;
    readonly bought: Bought[];
    readonly sales: Doc[];
    /** Balances of the ledger when it began. */
    readonly start: Balances;
  }

  const linesOf = (note: Doc, quantity: number) => [{ baseLineId: note.lines[0]?.id ?? '', quantity }];
  const euros = (cents: number) => cents / 100;

  /** Posts the invoice of a note at other prices, or what rectifies all its prices. */
  async function price({ itemId }: History, bought: Bought, { cents, which }: Wish): Promise<void> {
    const { receipts, note, invoice } = bought;
    const prices = receipts.map((_, index) => cents + 37 * index);
    // A freight that was not invoiced before would be a rise of all prices.
    const hasFreight = invoice === undefined ? which % 2 === 1 : bought.freight > 0 && which % 4 > 0;
    const freight = hasFreight ? cents * 3 : 0;
    const text = { description: 'Freight', taxGroupId: trade.company.taxId };
    const charged = receipts.map(({ units }, index) => ({ itemId, quantity: units, price: euros(prices[index] ?? 0) }));
    const taken = (invoice?.lines ?? []).map(({ id: baseLineId, quantity }, index) =>
      index < receipts.length
        ? { itemId, quantity: -quantity, baseLineId }
        : { ...text, quantity: -1, price: euros(bought.freight), baseLineId },
    );
    const lines = [
      ...taken,
      ...charged.map((line, index) =>
        invoice === undefined ? { ...line, baseId: note.id, baseLineId: note.lines[index]?.id ?? '' } : line,
      ),
      ...(hasFreight ? [{ ...text, quantity: 1, price: euros(freight) }] : []),
    ];
    const more = invoice === undefined ? {} : { rectifies: invoice.id, reason: 'Price' };
    const head = { supplierReference: `F-${++suppliersNumber}` };
    const posted = await trade.post(await trade.create('PINV', { ...head, ...more, lines }));
    bought.freight = freight;
    if (hasFreight) count(invoice === undefined ? 'freight' : 'freight again');
    if (receipts.length > 1) count(invoice === undefined ? 'two lines' : 'two lines again');
    if (invoice === undefined) bought.invoice = posted;
    else bought.rectified = true;
    receipts.forEach((receipt, index) => {
      receipt.price = prices[index] ?? 0;
    });
  }

  async function step(history: History, one: Wish): Promise<void> {
    const { itemId, model, bought, sales } = history;
    const { kind, which, quantity, cents } = one;
    if (kind === 'receive') {
      const units = which % 3 === 0 ? [quantity, (which % 5) + 1] : [quantity];
      const lines = units.map((size, index) => ({ itemId, quantity: size, price: euros(cents + 50 * index) }));
      const note = await trade.create('PDN', { lines });
      const receipts = units.map((size, index) => model.receive(size, cents + 50 * index));
      bought.push({ note, receipts, freight: 0, rectified: false });
      count(kind);
    } else if (kind === 'sell') {
      sales.push(await trade.create('SDN', { lines: [{ itemId, quantity, price: 20 }] }));
      model.sell(quantity);
      count(model.onHand < 0 ? 'below zero' : kind);
    } else if (kind === 'move') {
      const moved = Math.min(quantity, model.onHand);
      if (moved <= 0) return;
      const { company } = trade;
      const places = { warehouseId: company.warehouseId, toWarehouseId: otherId };
      await company.run((trx) => transferStock(trx, company.ctx, { ...places, lines: [{ itemId, quantity: moved }] }));
      model.move(moved);
      count(kind);
    } else if (kind === 'return') {
      const index = which % Math.max(1, sales.length);
      const sale = model.sales[index];
      const back = Math.min(quantity, sale?.units.length ?? 0);
      if (sale === undefined || back === 0) return;
      await trade.follow(sales[index] as Doc, 'return', { lines: linesOf(sales[index] as Doc, back) });
      model.takeBack(sale, back);
      count(kind);
    } else {
      // Each invoice is rectified once: a second time nothing of it is left to take back.
      const open = bought.filter(
        ({ invoice, rectified }) => !rectified && (invoice !== undefined) === (kind === 'rectify'),
      );
      const chosen = open[which % Math.max(1, open.length)];
      if (chosen === undefined) return;
      await price(history, chosen, one);
      count(kind);
    }
  }

  /** The last layer in a warehouse, with what is on hand. */
  async function standing(itemId: string, warehouseId: string) {
    const [row] = await trade.company.rows(
      `select l.quantity_after::float as quantity, l.fifo_after::float as fifo, l.average_after::float as average,
         (select sum(on_hand) from stock_levels v where (v.item_id, v.warehouse_id) = (l.item_id, l.warehouse_id))::float as level
       from stock_layers l where item_id = ? and warehouse_id = ? order by date desc, seq desc limit 1`,
      [itemId, warehouseId],
    );
    return (row ?? { quantity: 0, fifo: 0, average: 0, level: 0 }) as Record<
      'quantity' | 'fifo' | 'average' | 'level',
      number
    >;
  }

  /** Levels, values and costs are what the model says. */
  async function compare({ itemId, model, sales }: History, steps: number): Promise<void> {
    const here = await standing(itemId, trade.company.warehouseId);
    const there = await standing(itemId, otherId);
    assert.deepEqual([here.quantity, here.level], [model.onHand, model.onHand]);
    assert.deepEqual([there.quantity, there.level], [model.elsewhere, model.elsewhere]);
    const [fifo, average] = [model.fifo(), model.average()];
    assert.equal(Math.round(there.fifo * 100), fifo.there);
    near(there.average, average.there, steps);
    if (model.onHand < 0) return;
    assert.equal(Math.round(here.fifo * 100), fifo.here);
    near(here.average, average.here, steps);
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
    const stocks = [company.warehouseId, otherId].map((warehouseId) => ({ itemId, warehouseId, date: '2026-01-01' }));
    await company.run((trx) => recomputeLayers(trx, stocks));
    assert.deepEqual(await layers(), before);
  }

  /** Balances in cents, debit − credit, by the first digits of accounts, after what a closing of the day enters. */
  async function balances(): Promise<Balances> {
    const { company } = trade;
    await company.run((trx) => enterStockVariation(trx, company.ctx, DAY));
    const rows = await company.rows(
      `select p.code, coalesce(round(100 * sum(l.debit - l.credit)), 0)::int as cents
       from unnest(?::text[]) p(code) left join accounts a on a.code like p.code || '%'
       left join (journal_lines l join journal_entries e on e.id = l.entry_id and e.date <= '${DAY}') on l.account_id = a.id group by 1`,
      [Object.keys(NOTHING)],
    );
    return Object.fromEntries(rows.map(({ code, cents }) => [code, Number(cents)])) as unknown as Balances;
  }

  /**
   * The ledger has the stock (300, 610), the purchases with what is not invoiced yet (60, 4009), which costs what the note says until then,
   * and the sales, of which nothing is invoiced (70, 4309). What is owed is guessed: of 300 the model then says nothing.
   */
  async function compareBooks({ byFifo, model, bought, sales, start }: History, steps: number): Promise<void> {
    const now = await balances();
    const since = (Object.keys(NOTHING) as unknown as (keyof Balances)[]).map((code) => [
      code,
      now[code] - start[code],
    ]);
    const { 300: stock, 61: variation, ...rest } = Object.fromEntries(since) as Balances;
    const cost = (some: readonly Bought[]) =>
      some.reduce((sum, { receipts }) => sum + receipts.reduce((of, { units, price: at }) => of + units * at, 0), 0);
    const sold = sales.length === 0 ? 0 : model.sales.reduce((sum, { units }) => sum + units.length, 0) * 2000;
    assert.deepEqual(rest, {
      60: cost(bought),
      62: bought.reduce((sum, { freight }) => sum + freight, 0),
      4009: 0 - cost(bought.filter(({ invoice }) => invoice === undefined)),
      70: 0 - sold,
      4309: sold,
    });
    assert.equal(stock, 0 - variation);
    if (model.onHand < 0) return;
    const value = byFifo ? model.fifo() : model.average();
    if (byFifo) assert.equal(stock, value.here + value.there);
    else near(stock / 100, value.here + value.there, 2 * steps);
    count('books');
  }

  it('are the same after each step of random histories, also below zero and when prices come late', async () => {
    const { company } = trade;
    let histories = 0;
    const wishes = fc.array(wish, { minLength: 10, maxLength: 18 });
    await fc.assert(
      fc.asyncProperty(wishes, async (list) => {
        const byFifo = histories % 2 === 0;
        const { id: itemId } = await company.item({ costMethod: byFifo ? 'fifo' : 'average' });
        const history = { itemId, byFifo, model: new Values(), bought: [], sales: [], start: await balances() };
        histories++;
        for (const [index, one] of list.entries()) {
          await step(history, one);
          await compare(history, index + 1);
          await compareBooks(history, index + 1);
        }
        await compareAgain(history);
      }),
      { numRuns: 27, examples: [[[...EVERYTHING]], [[...EVERYTHING]]] },
    );
    const invoices = ['invoice', 'rectify', 'freight', 'freight again', 'two lines', 'two lines again'];
    for (const kind of ['receive', 'sell', 'return', 'move', ...invoices, 'below zero', 'settled', 'books']) {
      assert.ok((seen.get(kind) ?? 0) > 0, `${kind} never happened`);
    }
    await assertSound(company.url);
  });
});
