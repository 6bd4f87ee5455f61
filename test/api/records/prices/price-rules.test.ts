import assert from 'node:assert/strict';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { DAY, openMarkets } from '../../trade/documents/market.ts';

describe('price rules', () => {
  const app = useApp();
  const market = use(() => openMarkets(app));
  let names = 0;
  const rule = (values: object) => market.make('/api/price-rules', { name: `R${++names}`, ...values });
  const ask = async (parameters: Readonly<Record<string, string | number | boolean>>) => {
    const query = new URLSearchParams(
      Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
    );
    return (await app.client.get(`/api/prices?${query}`)).body;
  };
  /** A customer and an item in a category of its own, below another. */
  const shop = async () => {
    const above = (await market.make('/api/categories', { name: `Fruta ${++names}` })).id as string;
    const category = (await market.make('/api/categories', { name: `Cítricos ${names}`, parentId: above }))
      .id as string;
    const { customerId, listId, itemId: other } = await market.shop([]);
    const itemId = (await market.item({ categoryId: category })).id as string;
    const { groupId } = (await app.client.get(`/api/partners/${customerId}`)).body.data;
    return { above, category, customerId, listId, itemId, other, groupId };
  };

  it('set prices by category, group, list, partner and quantity, and say which counts', async () => {
    const { above, category, customerId, listId, itemId, other } = await shop();
    const asked = { partnerId: customerId, itemId, date: DAY };
    const wide = await rule({ categoryId: above, adjustmentPercent: -10 });
    assert.deepEqual((await ask(asked)).price, 9);
    assert.equal((await ask({ ...asked, itemId: other })).price, 10);
    const near = await rule({ categoryId: category, discountPercent: 15 });
    const { price, discountPercent, source, priceRuleId } = await ask(asked);
    assert.deepEqual([price, discountPercent, source, priceRuleId], [10, 15, 'price_rule', near.id]);
    const listed = await rule({ priceListId: listId, itemId, basis: 'fixed', price: 8.5 });
    const ten = await rule({ partnerId: customerId, itemId, basis: 'fixed', price: 7, minQuantity: 10 });
    const { considered } = await ask({ ...asked, explain: true });
    assert.deepEqual(
      considered.map((each: { id: string; outcome: string; price: number }) => [each.id, each.outcome, each.price]),
      [
        [ten.id, 'quantity_not_reached', 7],
        [listed.id, 'applies', 8.5],
        [near.id, 'comes_after', 10],
        [wide.id, 'comes_after', 9],
        [null, 'comes_after', 10],
      ],
    );
    assert.equal((await ask({ ...asked, quantity: 10 })).price, 7);
    assert.equal((await ask({ itemId, date: DAY })).discountPercent, 15, 'without a partner, rules for all count');
    const { lines } = await market.document('SO', { customerId, listId, itemId, supplierId: '', priceIds: [] }, [
      { itemId, quantity: 1 },
      { itemId, quantity: 10 },
      { itemId: other, quantity: 1 },
      { itemId, quantity: 1, price: 3 },
    ]);
    assert.deepEqual(
      lines.map((line: { price: number; discountPercent: number }) => [line.price, line.discountPercent]),
      [
        [8.5, 0],
        [7, 0],
        [10, 0],
        [3, 0],
      ],
    );
  });

  it('begin with the cost, or the prices of another list', async () => {
    const { customerId, itemId } = await shop();
    const asked = { partnerId: customerId, itemId, date: DAY };
    const cost = await rule({ itemId, basis: 'cost', adjustmentPercent: 50 });
    assert.equal((await ask(asked)).price, 9, 'the purchase price, as nothing is in stock');
    const warehouseId = (await app.client.get('/api/warehouses?isDefault=true')).body.data[0].id;
    const supplierId = (await market.shop([])).supplierId;
    const received = [{ itemId, quantity: 2, price: 4, warehouseId }];
    await market.document('PDN', { customerId, supplierId, itemId, listId: '', priceIds: [] }, received);
    assert.equal((await ask(asked)).price, 6);
    await app.client.del(`/api/price-rules/${cost.id}`);
    const { listId } = await market.shop([], { includesTax: true });
    await market.make(`/api/pricelists/${listId}/prices`, { itemId, price: 12.1 });
    await rule({ itemId, basis: 'price_list', basisPriceListId: listId, adjustmentPercent: 10, rounding: 0.1 });
    const { price, priceWithTax } = await ask(asked);
    assert.deepEqual([price, priceWithTax], [10.991736, 13.3]);
  });

  it('of a promotion apply in its days where they are lower, and combine on top', async () => {
    const { customerId, itemId, groupId } = await shop();
    const asked = { partnerId: customerId, itemId };
    const days = { validFrom: '2025-06-10', validTo: '2025-06-20' };
    const promotion = await market.make('/api/promotions', { code: `P${++names}`, name: 'Verano', ...days });
    const promoted = await rule({ itemId, promotionId: promotion.id, discountPercent: 20 });
    await rule({ partnerId: customerId, itemId, basis: 'fixed', price: 8.5 });
    await rule({ partnerGroupId: groupId, itemId, discountPercent: 2, combines: true });
    const of = async (date: string) => {
      const { price, discountPercent, secondDiscountPercent, priceRuleId } = await ask({ ...asked, date });
      return [price, discountPercent, secondDiscountPercent, priceRuleId === promoted.id];
    };
    assert.deepEqual(await of('2025-06-09'), [8.5, 0, 2, false]);
    assert.deepEqual(await of('2025-06-10'), [10, 20, 2, true]);
    assert.deepEqual(await of('2025-06-20'), [10, 20, 2, true]);
    assert.deepEqual(await of('2025-06-21'), [8.5, 0, 2, false]);
    await app.client.patch(`/api/promotions/${promotion.id}`, { active: false });
    assert.deepEqual(await of('2025-06-15'), [8.5, 0, 2, false]);
    assertProblem(await app.client.del(`/api/promotions/${promotion.id}`), 409, 'in_use');
  });

  it('say what is wrong with them', async () => {
    const { customerId, itemId, category, listId, groupId } = await shop();
    const refused = async (values: object, ...pointers: string[]) => {
      const answer = await app.client.post('/api/price-rules', { name: 'X', ...values });
      assertProblem(answer, 422, 'validation_failed');
      assert.deepEqual(
        answer.body.errors.map((error: { pointer: string }) => error.pointer),
        pointers,
      );
    };
    await refused({ discountPercent: 5, itemId, categoryId: category }, '/categoryId');
    await refused(
      { discountPercent: 5, partnerId: customerId, partnerGroupId: groupId, priceListId: listId },
      '/partnerGroupId',
      '/priceListId',
    );
    await refused({ basis: 'fixed' }, '/price');
    await refused({ price: 4 }, '/price');
    await refused({ basis: 'price_list' }, '/basisPriceListId');
    await refused({ basis: 'cost', basisPriceListId: listId }, '/basisPriceListId');
    await refused({ discountPercent: 5, includesTax: true }, '/includesTax');
    await refused({ discountPercent: 5, adjustmentPercent: 1, combines: true }, '/combines');
    await refused({ discountPercent: 5, validFrom: '2025-02-01', validTo: '2025-01-31' }, '/validTo');
    await refused({ discountPercent: 100.5 }, '/discountPercent');
    await refused({ adjustmentPercent: -101 }, '/adjustmentPercent');
    await refused({ discountPercent: 5, itemId: customerId }, '/itemId');
    const made = await rule({ itemId, discountPercent: 5 });
    const answer = await app.client.patch(`/api/price-rules/${made.id}`, { categoryId: category });
    assertProblem(answer, 422, 'validation_failed');
    assertProblem(await app.client.del(`/api/items/${itemId}`), 409, 'in_use');
  });

  it('without an item are limited in number, as each document looks at them all', async () => {
    await app.database.withTenant({ tenantId: app.tenantId }, (trx) =>
      trx.raw(
        `insert into price_rules (id, tenant_id, name, discount_percent, min_quantity, active, created_at, updated_at)
         select gen_random_uuid(), ?, 'many', 1, 1000000, false, now(), now() from generate_series(1, 500)`,
        [app.tenantId],
      ),
    );
    const answer = await app.client.post('/api/price-rules', { name: 'one more', discountPercent: 5 });
    assertProblem(answer, 422, 'validation_failed');
    assert.equal(answer.body.errors[0].code, 'too_many');
    const { id } = await market.item();
    await rule({ itemId: id, discountPercent: 5 });
  });
});
