/** A small trade over HTTP: what the tests of documents buy and sell. */
import type { TestApp } from '../../../helpers/app.ts';
import type { TestClient } from '../../../helpers/client.ts';

export interface Trade {
  readonly customerId: string;
  readonly supplierId: string;
  readonly itemId: string;
  readonly taxGroupId: string;
  readonly warehouseId: string;
}

async function made(client: TestClient, path: string, body: unknown): Promise<{ id: string }> {
  const answer = await client.post(path, body);
  if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

async function first(client: TestClient, path: string): Promise<string> {
  const answer = await client.get(path);
  const id = answer.body.data?.[0]?.id;
  if (!id) throw new Error(`GET ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return id;
}

/** A customer, a supplier and an item with `stock` pieces in the default warehouse. */
export async function openTrade(
  app: Pick<TestApp, 'client'>,
  stock = 100,
  client: TestClient = app.client,
): Promise<Trade> {
  const customers = await first(client, '/api/partnerGroups?isCustomer=true');
  const suppliers = await first(client, '/api/partnerGroups?isVendor=true');
  const uomId = await first(client, '/api/uom?code=UD');
  const { defaultSalesTaxGroupId: taxGroupId } = (await client.get('/api/config/tax')).body;
  const warehouseId = await first(client, '/api/warehouses?isDefault=true');
  const customer = await made(client, '/api/partners', {
    name: 'Café Central',
    groupId: customers,
    paymentTermDays: 30,
  });
  const supplier = await made(client, '/api/partners', { name: 'Huerta del Sur', groupId: suppliers });
  const item = await made(client, '/api/items', {
    name: 'Naranjas',
    uomId,
    salePrice: 2.5,
    purchasePrice: 1.2,
    salesTaxGroupId: taxGroupId,
    purchaseTaxGroupId: taxGroupId,
  });
  if (stock > 0)
    await made(client, '/api/purchases/delivery-notes', {
      partnerId: supplier.id,
      lines: [{ itemId: item.id, quantity: stock }],
    });
  return { customerId: customer.id, supplierId: supplier.id, itemId: item.id, taxGroupId, warehouseId };
}
