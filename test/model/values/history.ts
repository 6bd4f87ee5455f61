/** The steps of a history, done by the service and by the model alike. */
import { transferStock } from '../../../services/trade/stock/operations/transfer.ts';
import type { Doc, Trade } from '../../services/trade/lifecycle/follow-helpers.ts';
import { billing } from './billing.ts';
import type { Balances } from './compare.ts';
import type { Receipt, Sale, Values } from './model.ts';
import type { Wish } from './wishes.ts';

/** Data that all histories share. */
export interface Site {
  readonly trade: Trade;
  /** The second warehouse. */
  readonly otherId: string;
  /** Counts how often each thing was done, or compared. */
  readonly count: (what: string) => void;
}

/** A note of one or two lines, with its invoice, which may have freight as a line without item, in cents. */
export interface Bought {
  readonly note: Doc;
  readonly receipts: readonly Receipt[];
  invoice?: Doc;
  freight: number;
  rectified: boolean;
}

/** A sale, by a note or directly, with its invoices and the returns of its goods. */
export interface Sold {
  /** The note, or the invoice of a direct sale. */
  readonly doc: Doc;
  readonly sale: Sale;
  readonly quantity: number;
  readonly bills: Bill[];
  /** The last return, as long as nothing happened since. */
  lastReturn?: Doc | undefined;
}

/** An invoice of a sale; a cancelled one has a quantity of zero. */
export interface Bill {
  readonly doc: Doc;
  quantity: number;
  /** Credited without goods, and with them. */
  credited: number;
  creditedWith: number;
}

/** The documents of one history. */
export interface History {
  readonly itemId: string;
  readonly byFifo: boolean;
  readonly model: Values;
  readonly bought: Bought[];
  readonly sales: Sold[];
  /** Balances of the ledger when it began. */
  readonly start: Balances;
}

let suppliersNumber = 0;
export const noteLines = (note: Doc, quantity: number) => [{ baseLineId: note.lines[0]?.id ?? '', quantity }];
const euros = (cents: number) => cents / 100;

/** Posts the invoice of a note at other prices, or what rectifies all its prices. */
async function price(
  { trade, count }: Site,
  { itemId }: History,
  bought: Bought,
  { cents, which }: Wish,
): Promise<void> {
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

export async function step(site: Site, history: History, one: Wish): Promise<void> {
  const { trade, otherId, count } = site;
  const { itemId, model, bought, sales } = history;
  const { kind, which, quantity, cents } = one;
  if (kind !== 'cancel return') for (const sold of sales) sold.lastReturn = undefined;
  if (kind === 'receive') {
    const units = which % 3 === 0 ? [quantity, (which % 5) + 1] : [quantity];
    const lines = units.map((size, index) => ({ itemId, quantity: size, price: euros(cents + 50 * index) }));
    const note = await trade.create('PDN', { lines });
    const receipts = units.map((size, index) => model.receive(size, cents + 50 * index));
    bought.push({ note, receipts, freight: 0, rectified: false });
    count(kind);
  } else if (kind === 'sell') {
    const doc = await trade.create('SDN', { lines: [{ itemId, quantity, price: 20 }] });
    sales.push({ doc, sale: model.sell(quantity), quantity, bills: [] });
    count(model.onHand < 0 ? 'below zero' : kind);
  } else if (kind === 'sell there') {
    // Goods moved together are one layer of mixed cost: sold as a whole, it costs the sum of its units.
    const sold = model.elsewhere;
    if (sold === 0) return;
    const lines = [{ itemId, quantity: sold, price: 20, warehouseId: otherId }];
    const doc = await trade.create('SDN', { lines });
    sales.push({ doc, sale: model.sellThere(sold), quantity: sold, bills: [] });
    count(kind);
  } else if (kind === 'move') {
    const moved = Math.min(quantity, model.onHand);
    if (moved <= 0) return;
    const { company } = trade;
    const places = { warehouseId: company.warehouseId, toWarehouseId: otherId };
    await company.run((trx) => transferStock(trx, company.ctx, { ...places, lines: [{ itemId, quantity: moved }] }));
    model.move(moved);
    count(kind);
  } else if (kind === 'invoice' || kind === 'rectify') {
    // Each invoice is rectified once: nothing is left to take back a second time.
    const open = bought.filter(
      ({ invoice, rectified }) => !rectified && (invoice !== undefined) === (kind === 'rectify'),
    );
    const chosen = open[which % Math.max(1, open.length)];
    if (chosen === undefined) return;
    await price(site, history, chosen, one);
    count(kind);
  } else await billing(site, history, one);
}
