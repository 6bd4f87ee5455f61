/** Cancellations: rectifying invoices, each for the invoice that sold the goods if it is known, else without one. */
import type { ApiClient, Json } from './api-client.ts';
import { concurrentlyBy } from './concurrently.ts';
import { type Output, Progress } from './report.ts';
import type { RetailDay, RetailInvoice } from './retail-file.ts';
import type { Shop } from './retail-shop.ts';
import { type DocumentHead, partReference } from './sale.ts';
import { type Operation, transact } from './transaction.ts';

/** A line of a posted invoice, and how much of it has not been taken back. */
export interface SoldLine {
  readonly invoiceId: string;
  /** The till's number of the invoice. */
  readonly number: string;
  readonly lineId: string;
  readonly itemId: string;
  readonly price: number;
  open: number;
}

export interface CancelledLine {
  readonly itemId: string;
  /** Negative. */
  readonly quantity: number;
  readonly price: number;
}

/** A rectifying invoice to be created. */
export interface Rectification {
  /** The rectified invoice; undefined: sold before these days. */
  readonly invoiceId: string | undefined;
  readonly lines: readonly (CancelledLine | { readonly baseLineId: string; readonly quantity: number })[];
}

/**
 * Finds what a cancellation takes back: for each line the latest earlier invoice with this item at this price of which enough
 * is left, so that the amount is the same to the cent. What is found is taken off `sold`.
 */
export function planRectifications(
  number: string,
  lines: readonly CancelledLine[],
  sold: readonly SoldLine[],
): Rectification[] {
  const byInvoice = new Map<string | undefined, Rectification['lines'][number][]>();
  for (const line of lines) {
    const base = sold
      .filter(
        ({ itemId, price, open, ...own }) =>
          itemId === line.itemId && price === line.price && open >= -line.quantity && isEarlier(own.number, number),
      )
      .at(-1);
    if (base) base.open += line.quantity;
    const own = byInvoice.get(base?.invoiceId) ?? [];
    own.push(base ? { baseLineId: base.lineId, quantity: line.quantity } : line);
    byInvoice.set(base?.invoiceId, own);
  }
  return [...byInvoice].map(([invoiceId, own]) => ({ invoiceId, lines: own }));
}

/** The till counts sales and cancellations together: 536820 came before C536821. */
function isEarlier(sale: string, cancellation: string): boolean {
  return Number.parseInt(sale, 10) < Number.parseInt(cancellation.replace(/^C/, ''), 10);
}

/**
 * Makes and posts the rectifying invoices of the day's cancellations, each cancellation in one request.
 * @param before what earlier runs have posted, by reference; these are not made again
 * @throws ApiProblem
 */
export async function cancelSales(
  client: ApiClient,
  day: RetailDay,
  shop: Shop,
  before: ReadonlyMap<string, DocumentHead>,
  output: Output,
): Promise<void> {
  const missing = day.cancellations.filter(({ number }) => !before.has(number));
  const progress = new Progress(`${day.date} cancellations`, missing.length, output);
  const sold = new Map<string, SoldLine[]>();
  await concurrentlyBy(missing, shop.customerId, async (cancellation) => {
    const partnerId = shop.customerId(cancellation);
    const lines = sold.get(partnerId) ?? (await soldTo(client, partnerId, day.date, shop));
    sold.set(partnerId, lines);
    await cancel(client, cancellation, lines, shop);
    progress.step();
  });
}

async function cancel(
  client: ApiClient,
  cancellation: RetailInvoice,
  sold: readonly SoldLine[],
  shop: Shop,
): Promise<void> {
  const { number, date } = cancellation;
  const lines = cancellation.lines.map(({ code, quantity, price }) => ({ itemId: shop.itemId(code), quantity, price }));
  const operations = planRectifications(number, lines, sold).flatMap((rectification, index): Operation[] => {
    const body: Json = {
      seriesId: shop.series.rectifying,
      partnerId: shop.customerId(cancellation),
      date,
      reference: partReference(number, index),
      reason: `Cancelled with ${number}`,
      lines: rectification.lines,
      // Without the invoice nobody knows what the goods had cost: only those of one that is here come back.
      ...(rectification.invoiceId === undefined ? {} : { rectifies: rectification.invoiceId, returnStock: true }),
    };
    return [
      { id: `r${index}`, method: 'POST', path: '/api/sales/invoices', body },
      { id: `p${index}`, method: 'POST', path: `/api/sales/invoices/{r${index}.data.id}/post` },
    ];
  });
  await transact(client, operations, `demo-cancel-${date}-${number}`);
}

/** The lines of what was invoiced to a customer up to the day, the oldest first. */
async function soldTo(client: ApiClient, partnerId: string, date: string, shop: Shop): Promise<SoldLine[]> {
  const query = { partnerId, seriesId: shop.series.SINV, 'date[lte]': date, sort: 'date,number' };
  const heads = await client.all<DocumentHead>('/api/sales/invoices', query);
  const posted = heads.filter(({ status }) => ['O', 'P', 'C'].includes(status));
  const sold: SoldLine[] = [];
  for (const { id } of posted) {
    const invoice = await client.one<SoldInvoice>(`/api/sales/invoices/${id}`);
    for (const { id: lineId, itemId, price, quantity, returnedQuantity } of invoice.lines) {
      const open = quantity - returnedQuantity;
      sold.push({ invoiceId: id, number: invoice.reference ?? '', lineId, itemId, price, open });
    }
  }
  return sold;
}

interface SoldInvoice extends DocumentHead {
  readonly lines: readonly {
    readonly id: string;
    readonly itemId: string;
    readonly price: number;
    readonly quantity: number;
    /** What rectifying invoices have taken back of it. */
    readonly returnedQuantity: number;
  }[];
}
