/** Prepares a retail day: items, customers, series, and an open period. */
import type { ApiClient } from './api-client.ts';
import { countryCode } from './countries.ts';
import { ensureItems, ensurePartners, ensurePeriods, ensureSeries, loadBasics, type SeriesIds } from './master-data.ts';
import type { Output } from './report.ts';
import { isService, type RetailDay, type RetailInvoice } from './retail-file.ts';
import { DemoError } from './session.ts';

/** The partner for customers without a customer number. */
const COUNTER = 'Over the counter';
const SUPPLIER = 'Online retail supplier';
/** No tax, since the figures of the file are net. */
const TAX_CODE = 'IVA0';

export interface Shop {
  readonly series: SeriesIds;
  readonly supplierId: string;
  /** The warehouse of the goods. */
  readonly warehouseId: string;
  /** Returns the id of an item. @throws Error if the day does not name it */
  itemId(code: string): string;
  /** Returns the customer of an invoice, or the partner for sales over the counter. */
  customerId(invoice: RetailInvoice): string;
}

/** Finds the shop's records and creates missing ones. @throws ApiProblem, DemoError */
export async function prepareShop(client: ApiClient, day: RetailDay, output: Output): Promise<Shop> {
  const year = Number(day.date.slice(0, 4));
  await ensurePeriods(client, year, [day.date]);
  const [basics, series] = await Promise.all([loadBasics(client), ensureSeries(client, year)]);
  const [items, customers, suppliers, warehouses] = await Promise.all([
    ensureItems(client, basics, dayItems(day)),
    ensurePartners(client, basics.customerGroupId, dayCustomers(day)),
    ensurePartners(client, basics.vendorGroupId, [{ name: SUPPLIER }]),
    client.all<{ id: string; isDefault: boolean }>('/api/warehouses'),
  ]);
  const warehouse = warehouses.find(({ isDefault }) => isDefault);
  if (!warehouse) throw new DemoError('The company has no default warehouse; make one the default first');
  output.write(`  ${day.date}: ${items.created} items and ${customers.created} customers created\n`);
  return {
    series,
    supplierId: requireId(suppliers.ids, SUPPLIER),
    warehouseId: warehouse.id,
    itemId: (code) => requireId(items.ids, code),
    customerId: (invoice) => requireId(customers.ids, customerName(invoice)),
  };
}

function dayItems({ invoices, cancellations, corrections }: RetailDay) {
  const items = new Map<string, { name: string; price: number }>();
  for (const { code, description, price } of [...invoices, ...cancellations].flatMap(({ lines }) => lines)) {
    const known = items.get(code);
    if (!known) items.set(code, { name: description, price });
    else if (known.name === '') known.name = description;
  }
  // The description of a correction is a remark, not a name.
  for (const { code } of corrections) if (!items.has(code)) items.set(code, { name: '', price: 0 });
  return [...items].map(([code, { name, price }]) => ({
    code,
    name: name === '' ? code : name,
    type: isService(code) ? ('service' as const) : ('product' as const),
    salePrice: Math.max(price, 0),
    purchasePrice: 0,
    taxCode: TAX_CODE,
  }));
}

function dayCustomers({ invoices, cancellations }: RetailDay) {
  const customers = new Map<string, { name: string; countryCode?: string }>();
  for (const invoice of [...invoices, ...cancellations]) {
    const country = countryCode(invoice.country);
    const name = customerName(invoice);
    if (!customers.has(name)) customers.set(name, { name, ...(country === undefined ? {} : { countryCode: country }) });
  }
  return [...customers.values()];
}

function customerName(invoice: RetailInvoice): string {
  return invoice.customer === null ? COUNTER : `Customer ${invoice.customer}`;
}

function requireId(ids: ReadonlyMap<string, string>, key: string): string {
  const id = ids.get(key);
  if (id === undefined) throw new Error(`${key} is missing`);
  return id;
}
