/** Cancellations: rectifying invoices, each for the invoice that sold the goods, if it is known. */
import type { ApiClient, Json } from './api-client.ts';
import { concurrentlyBy } from './concurrently.ts';
import { type Output, Progress } from './report.ts';
import type { RetailDay, RetailInvoice } from './retail-file.ts';
import type { Shop } from './retail-shop.ts';
import { type DocumentHead, partReference } from './sale.ts';
import { type Operation, transact } from './transaction.ts';

/** A line of a posted invoice, with the quantity that has not been taken back. */
export interface SoldLine {
  readonly invoiceId: string;
  /** Number of the invoice at the till. */
  readonly number: string;
  readonly lineId: string;
  readonly itemId: string;
  readonly price: number;
  open: number;
}

export interface CancelledLine {
  readonly itemId: string;
  /** Always negative. */
  readonly quantity: number;
  readonly price: number;
}

/** A rectifying invoice to be created. */
export interface Rectification {
  /** The rectified invoice; undefined if it was before the days of the demo. */
  readonly invoiceId: string | undefined;
  readonly lines: readonly (CancelledLine | { readonly baseLineId: string; readonly quantity: number })[];
}

/**
 * Plans the rectifications for a cancellation. For each line it uses the latest earlier invoice that has enough of the item at the same
 * price, so that the amount is the same to the cent. Subtracts the quantities from `sold`.
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

/** The till numbers sales and cancellations together: 536820 came before C536821. */
function isEarlier(sale: string, cancellation: string): boolean {
  return Number.parseInt(sale, 10) < Number.parseInt(cancellation.replace(/^C/, ''), 10);
}

/**
 * Creates and posts the rectifying invoices for the day's cancellations, each cancellation in one request.
 * @param before documents that earlier runs have posted, by reference; these are not created again
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
      // Without its invoice the cost of the goods is unknown: stock is returned only if the invoice exists.
      ...(rectification.invoiceId === undefined ? {} : { rectifies: rectification.invoiceId, returnStock: true }),
    };
    return [
      { id: `r${index}`, method: 'POST', path: '/api/sales/invoices', body },
      { id: `p${index}`, method: 'POST', path: `/api/sales/invoices/{r${index}.data.id}/post` },
    ];
  });
  await transact(client, operations, `demo-cancel-${date}-${number}`);
}

/** Reads the lines invoiced to a customer up to the day, oldest first. */
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
    /** Quantity taken back by rectifying invoices. */
    readonly returnedQuantity: number;
  }[];
}
