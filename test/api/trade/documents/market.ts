/** Price lists over HTTP, and the customers who buy by them, for the tests of prices. */
import { DOCUMENT_TYPES, type DocType } from '../../../../domain/trade/documents/types.ts';
import type { TestApp } from '../../../helpers/app.ts';

/** The default date of documents. */
export const DAY = '2025-06-15';

/** A price list with prices of one item, and a customer and a supplier that it is given to. */
export interface Shop {
  readonly listId: string;
  readonly itemId: string;
  /** Ids of the prices, in the order given. */
  readonly priceIds: readonly string[];
  readonly customerId: string;
  readonly supplierId: string;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Answered = any;

export interface Market {
  readonly uomId: string;
  /** Posts what must be accepted. */
  make(path: string, body: object): Promise<Answered>;
  /** An item that is sold at 10 and bought at 6. */
  item(values?: object): Promise<Answered>;
  shop(prices: readonly object[], list?: object, partner?: object): Promise<Shop>;
  document(docType: DocType, shop: Shop, lines: readonly object[], values?: object): Promise<Answered>;
  /** Price and discount of an order's only line, of one piece. */
  charged(shop: Shop, line?: object, values?: object): Promise<[number, number]>;
}

/** Prepares the company of an app for documents of 2024 and 2025, with or without stock. */
export async function openMarkets({ client }: TestApp): Promise<Market> {
  const first = async (path: string) => (await client.get(path)).body.data[0].id as string;
  const uomId = await first('/api/uom?code=UD');
  const customers = await first('/api/partnerGroups?isCustomer=true');
  const suppliers = await first('/api/partnerGroups?isVendor=true');
  let codes = 0;

  const make = async (path: string, body: object): Promise<Answered> => {
    const answer = await client.post(path, body);
    if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  for (const year of [2024, 2025]) await make('/api/periods/generate', { year });
  await client.put('/api/config/flags', { allowNegativeStock: true });

  const market: Market = {
    uomId,
    make,
    item: (values = {}) => make('/api/items', { name: 'Naranja', uomId, salePrice: 10, purchasePrice: 6, ...values }),
    async shop(prices, list = {}, partner = {}) {
      const { id: listId } = await make('/api/pricelists', { code: `T${++codes}`, name: 'Tarifa', ...list });
      const { id: itemId } = await market.item();
      const priceIds: string[] = [];
      for (const price of prices) {
        priceIds.push((await make(`/api/pricelists/${listId}/prices`, { itemId, ...price })).id);
      }
      const given = { priceListId: listId, ...partner };
      const customer = await make('/api/partners', { name: 'Café', groupId: customers, ...given });
      const supplier = await make('/api/partners', { name: 'Huerta', groupId: suppliers, ...given });
      return { listId, itemId, priceIds, customerId: customer.id, supplierId: supplier.id };
    },
    document(docType, { customerId, supplierId }, lines, values = {}) {
      const { path, side } = DOCUMENT_TYPES[docType];
      const partnerId = side === 'sales' ? customerId : supplierId;
      return make(path, { partnerId, date: DAY, lines, ...values });
    },
    async charged(shop, line = {}, values = {}) {
      const lines = [{ itemId: shop.itemId, quantity: 1, ...line }];
      const { price, discountPercent } = (await market.document('SO', shop, lines, values)).lines[0];
      return [price, discountPercent];
    },
  };
  return market;
}
