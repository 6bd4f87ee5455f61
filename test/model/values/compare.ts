/** Compares levels, values and the ledger of the service with the model. */
import assert from 'node:assert/strict';
import { query } from '../../../db/sql.ts';
import { enterStockVariation } from '../../../services/ledger/accounting/enter-stock.ts';
import { SOLD_LINES } from '../../../services/trade/lines/sold.ts';
import { recomputeLayers } from '../../../services/trade/stock/recompute.ts';
import type { Trade } from '../../services/trade/lifecycle/follow-helpers.ts';
import { costOfBills, netInvoicedPieces, pendingPieces, settle } from './billing.ts';
import type { Bought, History, Site, Sold } from './history.ts';

/** The day of all documents. */
const DAY = '2026-06-15';

/** Accounts, by their first digits: stock, its variation, purchases, services, sales, and what is not invoiced yet. */
const NOTHING = { 300: 0, 61: 0, 60: 0, 62: 0, 70: 0, 4009: 0, 4309: 0 };
export type Balances = Readonly<typeof NOTHING>;

/** A value by average is that of the model, but for roundings. @param cents of the model */
function near(value: number, cents: number, steps: number): void {
  const difference = Math.abs(value - cents / 100);
  assert.ok(difference <= ROUNDING * steps + 1e-9, `${value} by average, ${cents} cents by the model`);
}

/** By how much the roundings of what leaves by average may add up with each step. */
const ROUNDING = 0.01;

/** The last layer in a warehouse, with what is on hand. */
async function standing({ company }: Trade, itemId: string, warehouseId: string) {
  const [row] = await company.rows(
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
export async function compare(site: Site, { itemId, model, sales }: History, steps: number): Promise<void> {
  const { trade, otherId, count } = site;
  const here = await standing(trade, itemId, trade.company.warehouseId);
  const there = await standing(trade, itemId, otherId);
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
     join stock_layers l on l.id = m.id
     where m.item_id = ? and m.doc_type in ('SDN', 'SINV') and (m.quantity < 0 or l.source_id is not null)
     group by 1`,
    [itemId],
  );
  const byId = new Map(costs.map(({ id, cost }) => [id, Number(cost)]));
  for (const { doc, sale, quantity } of sales) {
    const cost = model.saleCost(sale);
    if (sale.units.length !== quantity || sale.returned.length > 0 || cost === undefined) continue;
    assert.equal(Math.round((byId.get(doc.id) ?? 0) * 100), cost);
    count('settled');
  }
}

/** Revenue and cost of an item in the profit reports, in cents. */
async function profit({ company }: Trade, itemId: string) {
  const sql = `select round(100 * sum(amount))::int as revenue, round(100 * sum(cost))::int as cost from (${SOLD_LINES}) s
    where item_id = :itemId::uuid`;
  const [row] = await company.run((trx) => query<Profit>(trx, sql, { from: '2026-01-01', to: '2026-12-31', itemId }));
  return { revenue: row?.revenue ?? 0, cost: row?.cost ?? 0 };
}

interface Profit {
  readonly revenue: number | null;
  readonly cost: number | null;
}

/** The profit reports have what was invoiced and what its goods cost by FIFO, with what is known now. */
export async function compareProfit({ trade, count }: Site, { itemId, byFifo, sales }: History): Promise<void> {
  const { revenue, cost } = await profit(trade, itemId);
  assert.equal(revenue, 2000 * sales.reduce((sum, sold) => sum + netInvoicedPieces(sold), 0));
  const costs = sales.map(costOfBills);
  if (!byFifo || costs.includes(undefined)) return;
  assert.equal(
    cost,
    costs.reduce<number>((sum, one) => sum + (one ?? 0), 0),
  );
  count('profit');
}

/**
 * Once everything is invoiced and credited, purchases = cost of sales + change of stock, and the profit is that of groups 7 and 6: to the
 * cent by FIFO, but for roundings by average.
 */
export async function compareSettled(site: Site, history: History, steps: number): Promise<void> {
  const { byFifo, model, itemId, start } = history;
  if (model.onHand < 0 || model.owes()) return;
  await settle(site, history);
  const [now, { revenue, cost }] = [await balances(site), await profit(site.trade, itemId)];
  const since = (code: keyof Balances) => now[code] - start[code];
  assert.equal(since(4309), 0);
  const stock = byFifo ? model.fifo() : model.average();
  const sold = since(60) - stock.here - stock.there;
  const groups = 0 - since(70) - since(60) - since(61);
  if (byFifo) assert.deepEqual([cost, revenue - cost], [sold, groups]);
  else {
    near(cost / 100, sold, 2 * steps);
    near((revenue - cost) / 100, groups, 1);
  }
  site.count('settled profit');
}

/** Working it all out again changes nothing. */
export async function compareAgain({ trade, otherId }: Site, { itemId }: History): Promise<void> {
  const { company } = trade;
  const layers = () => company.rows('select * from stock_layers where item_id = ? order by seq', [itemId]);
  const before = await layers();
  const stocks = [company.warehouseId, otherId].map((warehouseId) => ({ itemId, warehouseId, date: '2026-01-01' }));
  await company.run((trx) => recomputeLayers(trx, stocks));
  assert.deepEqual(await layers(), before);
}

/** Balances in cents, debit − credit, by the first digits of accounts, after what a closing of the day enters. */
export async function balances({ trade }: Pick<Site, 'trade'>): Promise<Balances> {
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
 * and the sales with what is not invoiced yet (70, 4309). What is owed is guessed: of 300 the model then says nothing.
 */
export async function compareBooks(
  site: Site,
  { byFifo, model, bought, sales, start }: History,
  steps: number,
): Promise<void> {
  const now = await balances(site);
  const since = (Object.keys(NOTHING) as unknown as (keyof Balances)[]).map((code) => [code, now[code] - start[code]]);
  const { 300: stock, 61: variation, ...rest } = Object.fromEntries(since) as Balances;
  const cost = (some: readonly Bought[]) =>
    some.reduce((sum, { receipts }) => sum + receipts.reduce((of, { units, price: at }) => of + units * at, 0), 0);
  const pieces = (of: (sold: Sold) => number) => sales.reduce((sum, sold) => sum + of(sold), 0);
  const pending = 2000 * pieces(pendingPieces);
  assert.deepEqual(rest, {
    60: cost(bought),
    62: bought.reduce((sum, { freight }) => sum + freight, 0),
    4009: 0 - cost(bought.filter(({ invoice }) => invoice === undefined)),
    70: 0 - pending - 2000 * pieces(netInvoicedPieces),
    4309: pending,
  });
  assert.equal(stock, 0 - variation);
  if (model.onHand < 0) return;
  const value = byFifo ? model.fifo() : model.average();
  if (byFifo) assert.equal(stock, value.here + value.there);
  else near(stock / 100, value.here + value.there, 2 * steps);
  site.count('books');
}
