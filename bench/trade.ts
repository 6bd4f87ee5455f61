/** A customer, series and items with plenty of stock, for benchmarks of documents. */
import type { Stage } from './stage.ts';

export interface BenchTrade {
  readonly customerId: string;
  readonly taxGroupId: string;
  readonly warehouseId: string;
  readonly periodId: string;
  /** Accounts of customers, of sales of goods, and of their VAT. */
  readonly accounts: readonly [string, string, string];
  /** Today's date for the company. */
  readonly date: string;
  readonly items: readonly string[];
  /** Series of sales invoices. */
  readonly series: readonly string[];
}

const LINES_AT_ONCE = 500;

export async function openTrade(
  { client, fill, tenantId }: Stage,
  wanted: { readonly items: number; readonly goods: boolean; readonly series: number },
): Promise<BenchTrade> {
  const list = async (path: string): Promise<{ id: string }[]> => (await client.get(path)).body.data;
  const first = async (path: string) => (await list(path))[0]?.id as string;
  const made = async (path: string, body: object) => {
    const answer = await client.post(path, body);
    if (answer.status !== 201)
      throw new Error(`POST ${path} was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  const warehouseId = await first('/api/warehouses?isDefault=true');
  const taxGroupId = await first('/api/taxes?code=IVA21');
  const uomId = await first('/api/uom?code=UD');
  const customer = await made('/api/partners', {
    name: 'Cliente',
    groupId: await first('/api/partnerGroups?isCustomer=true'),
  });
  const supplier = await made('/api/partners', {
    name: 'Proveedor',
    groupId: await first('/api/partnerGroups?isVendor=true'),
  });
  await fill(
    `insert into items (id, tenant_id, code, sku, name, uom_id, sale_price, purchase_price, stock_tracked, sales_tax_group_id,
      purchase_tax_group_id, created_at, updated_at)
     select gen_random_uuid(), $1, 'BENCH' || n, 'BENCH' || n, 'Artículo ' || n, $2, 3.5, 2, $3, $4, $4, now(), now()
       from generate_series(1, ${wanted.items}) n`,
    [tenantId, uomId, wanted.goods, taxGroupId],
  );
  const items: string[] = [];
  for (let page = 1; items.length < wanted.items; page++) {
    items.push(...(await list(`/api/items?q=BENCH&limit=200&page=${page}`)).map(({ id }) => id));
  }

  for (let from = 0; wanted.goods && from < items.length; from += LINES_AT_ONCE) {
    const lines = items.slice(from, from + LINES_AT_ONCE).map((itemId) => ({ itemId, quantity: 1_000_000, price: 2 }));
    await made('/api/purchases/delivery-notes', { partnerId: supplier.id, lines });
  }
  const series: string[] = [];
  for (let number = 1; number <= wanted.series; number++) {
    series.push((await made('/api/series', { docType: 'SINV', prefix: `B${number}-` })).id);
  }
  const account = (code: string) => first(`/api/accounts?code=${code}`);
  const accounts = [await account('430'), await account('700'), await account('47700021')] as const;
  const { periodId, date } = await made('/api/sales', {
    partnerId: customer.id,
    lines: [{ itemId: items[0], quantity: 1 }],
  });
  await fill('analyze');
  return { customerId: customer.id, taxGroupId, warehouseId, periodId, accounts, date, items, series };
}
