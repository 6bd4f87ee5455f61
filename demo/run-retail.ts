/** The demo with data: a wholesaler's real days, sold again document by document, and compared to the cent. */
import { type Decimal, decimal, sum } from '../domain/money.ts';
import type { ApiClient } from './api-client.ts';
import { concurrently } from './concurrently.ts';
import { countryCode } from './countries.ts';
import { chunks, goodsFor, LINE_LIMIT, receiveGoods } from './goods-in.ts';
import {
  type Basics,
  ensureItems,
  ensurePartners,
  ensurePeriods,
  ensureSeries,
  loadBasics,
  type SeriesIds,
  WIDTH,
} from './master-data.ts';
import { type Output, Progress } from './report.ts';
import { isService, type RetailDay, type RetailInvoice } from './retail-file.ts';
import { type DocumentHead, knownDocuments, type Sale, sell } from './sale.ts';
import { DemoError } from './session.ts';

/** Whoever bought without giving a customer number. */
const COUNTER = 'Over the counter';
const SUPPLIER = 'Online retail supplier';
/** Figures are taken net, as the file has them. */
const TAX_CODE = 'IVA0';

export interface RetailReport {
  readonly date: string;
  readonly day: RetailDay;
  /** Documents posted for the day's invoices, those of earlier runs included. */
  readonly posted: number;
  /** Of these, made in this run. */
  readonly made: number;
  /** Invoices of more lines than a document may have, and into how many documents they went. */
  readonly split: readonly string[];
  readonly goodsNotes: number;
  readonly invoiceIds: readonly string[];
  /** Sum of the posted invoices' net totals, read back from the service. */
  readonly postedTotal: Decimal;
  readonly problems: readonly string[];
}

interface Shop {
  readonly basics: Basics;
  readonly series: SeriesIds;
  readonly items: ReadonlyMap<string, string>;
  readonly customers: ReadonlyMap<string, string>;
  readonly supplierId: string;
}

/** Sells one day and reads it back. @throws ApiProblem, DemoError */
export async function runRetailDay(client: ApiClient, day: RetailDay, output: Output): Promise<RetailReport> {
  const shop = await prepareShop(client, day, output);
  const { sales, split } = toSales(day, shop);
  const goods = await receiveGoods(client, {
    reference: `GOODS-${day.date}`,
    supplierId: shop.supplierId,
    date: day.date,
    seriesId: shop.series.PDN,
    lines: goodsFor(goodsOf(day, shop)),
  });
  output.write(`  ${day.date}: goods received with ${goods.notes} delivery notes (${goods.made} made now)\n`);

  const known = await knownDocuments(client, day.date, day.date);
  const made = sales.filter((sale) => (known.invoices.get(sale.reference)?.status ?? 'D') === 'D');
  const progress = new Progress(`${day.date} invoices`, made.length, output);
  await concurrently(made, WIDTH, async (sale) => {
    await sell(client, sale, { series: shop.series, known });
    progress.step();
  });
  return { ...(await readBack(client, day, sales)), made: made.length, split, goodsNotes: goods.notes };
}

async function prepareShop(client: ApiClient, day: RetailDay, output: Output): Promise<Shop> {
  const year = Number(day.date.slice(0, 4));
  await ensurePeriods(client, year, [day.date]);
  const [basics, series] = await Promise.all([loadBasics(client), ensureSeries(client, year)]);
  const items = await ensureItems(client, basics, itemsOf(day));
  const customers = await ensurePartners(client, basics.customerGroupId, customersOf(day));
  const suppliers = await ensurePartners(client, basics.vendorGroupId, [{ name: SUPPLIER }]);
  const supplierId = suppliers.ids.get(SUPPLIER);
  if (supplierId === undefined) throw new DemoError(`The supplier ${SUPPLIER} could not be made`);
  output.write(`  ${day.date}: ${items.created} items and ${customers.created} customers created\n`);
  return { basics, series, items: items.ids, customers: customers.ids, supplierId };
}

function itemsOf(day: RetailDay) {
  const items = new Map<string, { name: string; price: number }>();
  for (const { code, description, price } of day.invoices.flatMap((invoice) => invoice.lines)) {
    const known = items.get(code);
    if (!known) items.set(code, { name: description, price });
    else if (known.name === '') known.name = description;
  }
  return [...items].map(([code, { name, price }]) => ({
    code,
    name: name === '' ? code : name,
    type: isService(code) ? ('service' as const) : ('product' as const),
    salePrice: Math.max(price, 0),
    purchasePrice: 0,
    taxCode: TAX_CODE,
  }));
}

function customersOf(day: RetailDay) {
  const customers = new Map<string, { name: string; countryCode?: string }>();
  for (const invoice of day.invoices) {
    const country = countryCode(invoice.country);
    const name = customerName(invoice);
    if (!customers.has(name)) customers.set(name, { name, ...(country === undefined ? {} : { countryCode: country }) });
  }
  return [...customers.values()];
}

function customerName(invoice: RetailInvoice): string {
  return invoice.customer === null ? COUNTER : `Customer ${invoice.customer}`;
}

function* goodsOf(day: RetailDay, shop: Shop) {
  for (const { code, quantity, price } of day.invoices.flatMap((invoice) => invoice.lines)) {
    if (!isService(code)) yield { itemId: shop.items.get(code) ?? '', quantity, price: Math.max(price, 0) };
  }
}

function toSales(day: RetailDay, shop: Shop): { sales: Sale[]; split: string[] } {
  const split: string[] = [];
  const sales = day.invoices.flatMap((invoice) => {
    const parts = chunks(invoice.lines, LINE_LIMIT);
    if (parts.length > 1) split.push(`${invoice.number} (${invoice.lines.length} lines) → ${parts.length} documents`);
    return parts.map((lines, index) => ({
      reference: index === 0 ? invoice.number : `${invoice.number}/${index + 1}`,
      partnerId: shop.customers.get(customerName(invoice)) ?? '',
      date: invoice.date,
      lines: lines.map(({ code, quantity, price }) => ({ itemId: shop.items.get(code) ?? '', quantity, price })),
    }));
  });
  return { sales, split };
}

/** What the service now holds for the day, from nothing but its own answers. */
async function readBack(client: ApiClient, day: RetailDay, sales: readonly Sale[]) {
  const rows = await client.all<DocumentHead>('/api/sales/invoices', { date: day.date });
  const wanted = new Set(sales.map((sale) => sale.reference));
  const posted = rows.filter((row) => wanted.has(row.reference ?? '') && ['O', 'P', 'C'].includes(row.status));
  const postedTotal = sum(posted.map((invoice) => invoice.subtotal)).toFixed();
  const problems: string[] = [];
  if (posted.length !== sales.length) {
    problems.push(`${day.date}: ${posted.length} invoices are posted, ${sales.length} were to be`);
  }
  if (!decimal(postedTotal).eq(day.total)) {
    problems.push(`${day.date}: the posted invoices add up to ${postedTotal}, the file to ${day.total}`);
  }
  return { date: day.date, day, posted: posted.length, postedTotal, invoiceIds: posted.map(({ id }) => id), problems };
}
