import assert from 'node:assert/strict';
import { DOC_TYPES, DOCUMENT_TYPES } from '../../../../domain/trade/documents/types.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openMarkets, type Shop } from './market.ts';

describe('prices of documents', () => {
  const app = useApp();
  const market = use(() => openMarkets(app));

  const charged = (shop: Shop, line?: object, values?: object) => market.charged(shop, line, values);

  for (const docType of DOC_TYPES) {
    it(`come from the partner's list in a ${docType}, by the quantity of each line`, async () => {
      const { side } = DOCUMENT_TYPES[docType];
      const shop = await market.shop([
        { price: 4 },
        { discountPercent: 25, minQuantity: 10 },
        { price: 3.5, minQuantity: 20.5 },
      ]);
      const other = await market.item({ salePrice: 7, purchasePrice: 5 });
      const quantities = [0.99, 1, 9.99, 10, 20.49, 20.5, 500];
      const made = await market.document(docType, shop, [
        ...quantities.map((quantity) => ({ itemId: shop.itemId, quantity })),
        { itemId: other.id, quantity: 100 },
        { itemId: shop.itemId, quantity: 1, price: 9 },
        { itemId: shop.itemId, quantity: 10, discountPercent: 5 },
        { itemId: shop.itemId, quantity: 1, discountPercent: 5 },
      ]);
      const own = side === 'sales' ? 10 : 6;
      assert.deepEqual(
        made.lines.map((line: { price: number; discountPercent: number }) => [line.price, line.discountPercent]),
        [
          [own, 0],
          [4, 0],
          [4, 0],
          [own, 25],
          [own, 25],
          [3.5, 0],
          [3.5, 0],
          [side === 'sales' ? 7 : 5, 0],
          [9, 0],
          [own, 5],
          [4, 5],
        ],
      );
      assert.equal(made.lines[3].amount, own * 7.5);
    });
  }

  it('stay as they were ordered when the list changes', async () => {
    const shop = await market.shop([{ price: 4 }]);
    const order = await market.document('SO', shop, [{ itemId: shop.itemId, quantity: 5, discountPercent: 2 }]);
    await app.client.patch(`/api/pricelists/${shop.listId}/prices/${shop.priceIds[0]}`, { price: 8 });
    const note = await market.document('SDN', shop, [{ baseId: order.id, itemId: shop.itemId, quantity: 5 }]);
    assert.deepEqual([note.lines[0].price, note.lines[0].discountPercent], [4, 2]);
    assert.deepEqual(await charged(shop), [8, 0]);
  });

  it('hold from their first to their last day, those of the list as well', async () => {
    const days = ['2025-06-09', '2025-06-10', '2025-06-20', '2025-06-21'];
    const validity = { validFrom: days[1], validTo: days[2] };
    const entry = await market.shop([
      { price: 4, ...validity },
      { price: 5, validFrom: days[3] },
    ]);
    const list = await market.shop([{ price: 4 }], validity);
    for (const [index, date] of days.entries()) {
      const inside = index === 1 || index === 2;
      assert.deepEqual(await charged(list, {}, { date }), [inside ? 4 : 10, 0], date);
      assert.deepEqual(await charged(entry, {}, { date }), [inside ? 4 : index === 3 ? 5 : 10, 0], date);
    }
  });

  it('are the items’ own while the list is inactive or in another currency', async () => {
    const dollars = await market.shop([{ price: 4 }], { currency: 'USD' });
    assert.deepEqual(await charged(dollars), [10, 0]);
    const shop = await market.shop([{ price: 4 }]);
    await app.client.patch(`/api/pricelists/${shop.listId}`, { active: false });
    assert.deepEqual(await charged(shop), [10, 0]);
    await app.client.patch(`/api/pricelists/${shop.listId}`, { active: true });
    assert.deepEqual(await charged(shop), [4, 0]);
  });

  it('lose the tax that the list includes', async () => {
    const shop = await market.shop([{ price: 1.21 }, { discountPercent: 10, minQuantity: 10 }], { includesTax: true });
    assert.deepEqual(await charged(shop), [1, 0]);
    assert.deepEqual(await charged(shop, { quantity: 10 }), [10, 10]);
    assert.deepEqual(await charged(shop, { vatRegime: 'surcharge' }), [0.958796, 0]);
    assert.deepEqual(await charged(shop, {}, { vatRegime: 'export' }), [1, 0]);
    const reduced = (await app.client.get('/api/taxes?code=IVA10')).body.data[0].id;
    assert.deepEqual(await charged(shop, { taxGroupId: reduced }), [1.1, 0]);
    const exempt = (await app.client.get('/api/taxes?code=IVA0')).body.data[0].id;
    assert.deepEqual(await charged(shop, { taxGroupId: exempt }), [1.21, 0]);
    const bought = await market.document('PO', shop, [{ itemId: shop.itemId, quantity: 1 }], {
      vatRegime: 'surcharge',
    });
    assert.equal(bought.lines[0].price, 1);
  });
});
