/** The demo with data: repeats a wholesaler's real days document by document, and compares them to the cent. */
import { performance } from 'node:perf_hooks';
import { type Decimal, decimal, sum } from '../domain/money.ts';
import type { ApiClient } from './api-client.ts';
import { cancelSales } from './cancel.ts';
import { chunks, concurrentlyBy } from './concurrently.ts';
import { type Corrected, correctedUnits, correctStock } from './correct.ts';
import { goodsFor, LINE_LIMIT, receiveGoods } from './goods-in.ts';
import { type Output, Progress } from './report.ts';
import { isService, type RetailDay, type RetailInvoice } from './retail-file.ts';
import { prepareShop, type Shop } from './retail-shop.ts';
import { type DocumentHead, partReference, postedInvoices, type Sale, sellAtOnce } from './sale.ts';

/** Result for one kind of the day's invoices, including earlier runs. */
export interface Posted {
  readonly documents: number;
  /** Number created in this run. */
  readonly made: number;
  /** Sum of their net totals, read back from the service. */
  readonly total: Decimal;
}

export interface RetailReport {
  readonly day: RetailDay;
  readonly goodsNotes: number;
  readonly sales: Posted;
  readonly cancellations: Posted & { /** How many correct an invoice that is here. */ readonly withInvoice: number };
  readonly corrections: Corrected;
  /** Invoices with too many lines for one document, and the number of documents for each. */
  readonly split: readonly string[];
  readonly seconds: number;
  readonly problems: readonly string[];
}

/** Repeats one day and reads the result back. @throws ApiProblem, DemoError */
export async function runRetailDay(client: ApiClient, day: RetailDay, output: Output): Promise<RetailReport> {
  const started = performance.now();
  const shop = await prepareShop(client, day, output);
  const goods = await receiveGoods(client, {
    reference: `GOODS-${day.date}`,
    supplierId: shop.supplierId,
    date: day.date,
    seriesId: shop.series.PDN,
    lines: goodsFor(dayGoods(day, shop)),
  });
  output.write(`  ${day.date}: goods received with ${goods.notes} delivery notes (${goods.made} made now)\n`);

  const before = await postedInvoices(client, day.date);
  const sales = day.invoices.flatMap((invoice) => invoiceSales(invoice, shop));
  const missing = sales.filter(({ reference }) => !before.has(reference));
  const progress = new Progress(`${day.date} invoices`, missing.length, output);
  await concurrentlyBy(
    missing,
    ({ partnerId }) => partnerId,
    async (sale) => {
      await sellAtOnce(client, sale, shop.series);
      progress.step();
    },
  );
  await cancelSales(client, day, shop, before, output);
  // Last, when nothing else moves goods: the counted quantity is the stock on hand plus the correction.
  const corrections = await correctStock(client, day, shop);

  const after = [...(await postedInvoices(client, day.date)).values()];
  const sold = posted(after, before, (reference) => sales.some((sale) => sale.reference === reference));
  const cancelled = posted(after, before, (reference) =>
    day.cancellations.some(({ number }) => isPart(reference, number)),
  );
  const report = {
    day,
    goodsNotes: goods.notes,
    sales: sold,
    cancellations: { ...cancelled, withInvoice: cancelled.heads.filter(({ rectifies }) => rectifies != null).length },
    corrections,
    split: splitInvoices(day),
    seconds: (performance.now() - started) / 1000,
  };
  return { ...report, problems: findProblems(report, sales.length) };
}

/** Yields everything that leaves the warehouse on the day, including goods that corrections find missing. */
function* dayGoods(day: RetailDay, shop: Shop) {
  for (const { code, quantity, price } of day.invoices.flatMap((invoice) => invoice.lines)) {
    if (!isService(code)) yield { itemId: shop.itemId(code), quantity, price: Math.max(price, 0) };
  }
  for (const { code, quantity } of day.corrections) {
    if (quantity < 0) yield { itemId: shop.itemId(code), quantity: -quantity, price: 0 };
  }
}

/** Returns one sale, or several if the invoice has too many lines for one document. */
function invoiceSales(invoice: RetailInvoice, shop: Shop): Sale[] {
  return chunks(invoice.lines, LINE_LIMIT).map((lines, index) => ({
    reference: partReference(invoice.number, index),
    partnerId: shop.customerId(invoice),
    date: invoice.date,
    lines: lines.map(({ code, quantity, price }) => ({ itemId: shop.itemId(code), quantity, price })),
  }));
}

function isPart(reference: string, number: string): boolean {
  return reference === number || reference.startsWith(`${number}/`);
}

function splitInvoices(day: RetailDay): string[] {
  return day.invoices.flatMap(({ number, lines }) => {
    const parts = chunks(lines, LINE_LIMIT).length;
    return parts > 1 ? [`${number} (${lines.length} lines) → ${parts} documents`] : [];
  });
}

function posted(
  after: readonly DocumentHead[],
  before: ReadonlyMap<string, DocumentHead>,
  belongs: (reference: string) => boolean,
) {
  const heads = after.filter(({ reference }) => belongs(reference ?? ''));
  return {
    heads,
    documents: heads.length,
    made: heads.filter(({ reference }) => !before.has(reference ?? '')).length,
    total: sum(heads.map(({ subtotal }) => subtotal)).toFixed(),
  };
}

/** Lists discrepancies; empty if everything adds up. */
function findProblems(
  { day, sales, cancellations, corrections }: Omit<RetailReport, 'problems'>,
  documents: number,
): string[] {
  const problems: string[] = [];
  const compare = (what: string, service: Decimal | number, file: Decimal | number) => {
    if (!decimal(service).eq(file)) problems.push(`${day.date}: ${what}: the service has ${service}, the file ${file}`);
  };
  compare('invoices posted', sales.documents, documents);
  compare('invoices add up to', sales.total, day.total);
  compare('cancellations add up to', cancellations.total, day.cancelled);
  compare('units corrected', corrections.units, correctedUnits(day));
  return problems;
}
