/** The steps that invoice sales, take goods back, credit and cancel. */
import assert from 'node:assert/strict';
import type { Bill, History, Site, Sold } from './history.ts';
import { noteLines } from './history.ts';
import type { Sale } from './model.ts';
import type { Wish } from './wishes.ts';

const isDirect = ({ doc }: Sold) => doc.docType === 'SINV';
const invoicedPieces = ({ bills }: Sold) => bills.reduce((sum, { quantity }) => sum + quantity, 0);
const creditedPieces = ({ bills }: Sold) => bills.reduce((sum, { credited }) => sum + credited, 0);
const countPieces = (returned: Sale['returned']) => returned.reduce((sum, { units }) => sum + units.length, 0);
const returnedPieces = ({ sale }: Sold) => countPieces(sale.returned);
/** Pieces of a note that can still be invoiced. */
const openPieces = (sold: Sold) =>
  sold.quantity - invoicedPieces(sold) - returnedPieces(sold) - countPieces(sold.sale.creditedWith);

const credited = (bill: Bill) => bill.credited + bill.creditedWith;

export async function billing(site: Site, history: History, { kind, which, quantity }: Wish): Promise<void> {
  const { trade, count } = site;
  const { model, sales, itemId } = history;
  if (kind === 'sell directly') {
    const doc = await trade.post(await trade.create('SINV', { lines: [{ itemId, quantity, price: 20 }] }));
    const bill = { doc, quantity, credited: 0, creditedWith: 0 };
    sales.push({ doc, sale: model.sell(quantity), quantity, bills: [bill] });
    return count(kind);
  }
  const sold = sales[which % Math.max(1, sales.length)];
  if (sold === undefined) return;
  const { sale, bills } = sold;
  const left = sale.units.length;
  const bill = bills[which % Math.max(1, bills.length)];
  if (kind === 'return') {
    const back = sale.there ? left : Math.min(quantity, left);
    if (isDirect(sold) || back === 0) return;
    sold.lastReturn = await trade.follow(sold.doc, 'return', { lines: noteLines(sold.doc, back) });
    sale.returned.push(model.takeBack(sale, back));
  } else if (kind === 'bill') {
    const billed = Math.min(quantity, openPieces(sold));
    if (billed <= 0 || isDirect(sold)) return;
    await invoice(site, sold, billed);
  } else if (kind === 'credit') {
    const most = bill === undefined ? 0 : Math.min(quantity, bill.quantity - credited(bill));
    if (bill === undefined || most <= 0) return;
    await credit(site, sold, bill, most);
  } else if (kind === 'credit with goods') {
    const most = bill === undefined ? 0 : Math.min(quantity, bill.quantity - credited(bill), left);
    // Of goods that were billed in part nobody knows which came back.
    if (bill === undefined || most <= 0 || sale.there || (!isDirect(sold) && openPieces(sold) > 0)) return;
    await credit(site, sold, bill, most, true);
    sale.creditedWith.push(model.takeBack(sale, most));
  } else if (kind === 'cancel bill') {
    if (bill === undefined || bill.quantity === 0 || credited(bill) > 0) return;
    await trade.cancel(bill.doc);
    bill.quantity = 0;
    if (isDirect(sold)) model.takeBack(sale, left);
  } else if (kind === 'cancel return') {
    const last = sales.find(({ lastReturn }) => lastReturn !== undefined);
    const units = last?.sale.returned.at(-1)?.units;
    // What covered goods that were owed cannot be told from other goods.
    if (last?.lastReturn === undefined || units === undefined || units.includes(null) || model.owes()) return;
    await trade.cancel(last.lastReturn);
    last.sale.returned.pop();
    model.leaveAgain(last.sale, units);
    last.lastReturn = undefined;
  }
  count(kind);
}

async function invoice({ trade }: Site, { doc: note, bills }: Sold, quantity: number): Promise<void> {
  const doc = await trade.post(await trade.follow(note, 'invoice', { lines: noteLines(note, quantity) }));
  bills.push({ doc, quantity, credited: 0, creditedWith: 0 });
}

async function credit(
  { trade, count }: Site,
  sold: Sold,
  bill: Bill,
  quantity: number,
  returnStock = false,
): Promise<void> {
  const following = { reason: 'Back', returnStock, lines: noteLines(bill.doc, quantity) };
  await trade.post(await trade.follow(bill.doc, 'rectify', following));
  if (returnStock) bill.creditedWith += quantity;
  else bill.credited += quantity;
  // Its note can be invoiced again.
  if (!isDirect(sold) && bill.credited === bill.quantity) {
    bill.quantity = 0;
    bill.credited = 0;
    count('release');
  }
}

/** Invoices what is still open, and credits what came back after it was invoiced. */
export async function settle(site: Site, { sales }: History): Promise<void> {
  for (const sold of sales) {
    if (isDirect(sold)) continue;
    const open = openPieces(sold);
    if (open > 0) await invoice(site, sold, open);
    let due = excessPieces(sold) - creditedPieces(sold);
    for (const bill of sold.bills) {
      const part = Math.min(due, bill.quantity - credited(bill));
      if (part <= 0) continue;
      await credit(site, sold, bill, part);
      due -= part;
    }
    assert.ok(due <= 0);
  }
}

/** Pieces that came back after they were invoiced. */
function excessPieces(sold: Sold): number {
  return Math.max(0, Math.min(returnedPieces(sold), invoicedPieces(sold) + returnedPieces(sold) - sold.quantity));
}

/**
 * The cost of the invoices of a sale by FIFO, in cents, less what is credited: of a note invoiced in part, a part of what stayed; a credit
 * takes back the goods that returned after they were invoiced. Undefined as long as goods are owed.
 */
export function costOfBills(sold: Sold): number | undefined {
  const { sale, quantity } = sold;
  if (sale.units.includes(null) || [...sale.creditedWith, ...sale.returned].some(({ cost }) => cost === undefined))
    return;
  const left = sale.units.reduce((sum, unit) => sum + (unit?.price ?? 0), 0);
  if (isDirect(sold)) return left;
  const withGoods = sale.creditedWith.reduce((sum, { cost = 0 }) => sum + cost, 0);
  const [invoiced, kept] = [invoicedPieces(sold), quantity - returnedPieces(sold)];
  if (invoiced < kept) return rounded((left + withGoods) * invoiced, kept) - withGoods;
  // What was not credited came back last.
  let rest = excessPieces(sold) - creditedPieces(sold);
  let whole = left;
  for (const { units, cost = 0 } of sale.returned.toReversed()) {
    if (rest <= 0) break;
    if (rest < units.length) return rounded(whole * units.length + cost * rest, units.length);
    whole += cost;
    rest -= units.length;
  }
  return whole;
}

/** A quotient of whole numbers, rounded half up. */
function rounded(dividend: number, divisor: number): number {
  return Math.floor((2 * dividend + divisor) / (2 * divisor));
}

/** Pieces on 4309 and on 70x of a sale: delivered and not invoiced, or invoiced and due to be credited. */
export function pendingPieces(sold: Sold): number {
  if (isDirect(sold)) return 0;
  const rest = sold.quantity - returnedPieces(sold) - invoicedPieces(sold);
  return rest >= 0 ? rest : Math.min(0, Math.max(rest, -returnedPieces(sold)) + creditedPieces(sold));
}

/** Pieces on 70x that invoices are for. */
export function netInvoicedPieces(sold: Sold): number {
  return sold.bills.reduce((sum, bill) => sum + bill.quantity - credited(bill), 0);
}
