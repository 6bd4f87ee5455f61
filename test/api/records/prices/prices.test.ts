import assert from 'node:assert/strict';
import fc from 'fast-check';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { DAY, openMarkets } from '../../trade/documents/market.ts';

const NOBODY = '0190f5fe-7c00-7a00-8abc-012345678901';

describe('prices that are asked for', () => {
  const app = useApp();
  const market = use(() => openMarkets(app));

  const ask = (parameters: Readonly<Record<string, string | number>>) => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) query.set(name, String(value));
    return app.client.get(`/api/prices?${query}`);
  };

  it('say where they come from', async () => {
    const shop = await market.shop([{ price: 4, minQuantity: 2 }]);
    const asked = { partnerId: shop.customerId, itemId: shop.itemId, date: DAY };
    assert.deepEqual((await ask({ ...asked, quantity: 2 })).body, {
      price: 4,
      priceWithTax: null,
      discountPercent: 0,
      secondDiscountPercent: 0,
      source: 'price_list',
      priceListId: shop.listId,
      priceId: shop.priceIds[0],
      priceRuleId: null,
      combinedRuleId: null,
      currency: 'EUR',
      uomId: market.uomId,
      quantity: 2,
      date: DAY,
    });
    const { price, source, priceListId, priceId, quantity } = (await ask(asked)).body;
    assert.deepEqual(
      { price, source, priceListId, priceId, quantity },
      { price: 10, source: 'item', priceListId: null, priceId: null, quantity: 1 },
    );
    assert.equal((await ask({ ...asked, docType: 'PINV' })).body.price, 6);
    assert.match((await ask({ partnerId: shop.customerId, itemId: shop.itemId })).body.date, /^\d{4}-\d\d-\d\d$/);
  });

  it('are of the unit, and count in the item’s own', async () => {
    const shop = await market.shop(
      [{ price: 4 }, { price: 3, minQuantity: 24 }],
      { includesTax: true },
      { vatRegime: 'surcharge' },
    );
    const boxId = (await market.make('/api/uom', { code: 'CJ12', name: 'Caja' })).id;
    const partId = (await market.make('/api/uom', { code: 'TERCIO', name: 'Parte' })).id;
    await market.make(`/api/items/${shop.itemId}/units`, { uomId: boxId, factorNumerator: 12 });
    await market.make(`/api/items/${shop.itemId}/units`, { uomId: partId, factorNumerator: 1, factorDenominator: 3 });
    const of = async (uom: string, quantity: number, docType = 'SO', partnerId = shop.customerId) =>
      (await ask({ partnerId, itemId: shop.itemId, date: DAY, uomId: uom, quantity, docType })).body;
    assert.equal((await of(boxId, 1)).price, 38.034865); // 4 × 12 ÷ 1.262
    assert.equal((await of(boxId, 2)).price, 28.526149); // 3 × 12 ÷ 1.262
    assert.equal((await of(boxId, 2)).uomId, boxId);
    assert.equal((await of(partId, 2)).source, 'item');
    assert.equal((await of(partId, 2)).price, 3.333333);
    assert.equal((await of(partId, 3)).source, 'price_list');
    assert.equal((await of(market.uomId, 1, 'PO', shop.supplierId)).price, 3.305785); // purchases bear no surcharge
    const stranger = await ask({ partnerId: shop.customerId, itemId: shop.itemId, uomId: NOBODY });
    assertProblem(stranger, 422, 'validation_failed');
    assert.equal(stranger.body.errors[0].pointer, '/uomId');
  });

  it('lose the tax of the day', async () => {
    const old = { code: 'GRAVADO', name: 'Viejo', rate: 10, validTo: '2025-06-30' };
    const { id: salesTaxGroupId } = await market.make('/api/taxes', old);
    await market.make('/api/taxes', { ...old, name: 'Nuevo', rate: 25, validFrom: '2025-07-01', validTo: null });
    const shop = await market.shop([{ price: 5.5 }], { includesTax: true });
    await app.client.patch(`/api/items/${shop.itemId}`, { salesTaxGroupId });
    for (const [date, price] of [
      ['2025-06-30', 5],
      ['2025-07-01', 4.4],
    ] as const) {
      assert.equal((await ask({ partnerId: shop.customerId, itemId: shop.itemId, date })).body.price, price);
      assert.deepEqual(await market.charged(shop, {}, { date }), [price, 0]);
    }
  });

  it('are refused where nobody can answer', async () => {
    const shop = await market.shop([]);
    const asked = { partnerId: shop.customerId, itemId: shop.itemId };
    for (const wrong of [
      { partnerId: 'x' },
      { quantity: 0 },
      { quantity: -1 },
      { quantity: 'many' },
      { quantity: '1e400' },
      { quantity: '0.0000001' },
      { date: '2025-02-30' },
      { docType: 'XX' },
      { uomId: '17' },
      { colour: 'red' },
    ]) {
      assertProblem(await ask({ ...asked, ...wrong } as Record<string, string>), 400, 'invalid_parameter');
    }
    assertProblem(await app.client.get(`/api/prices?partnerId=${shop.customerId}`), 400, 'invalid_parameter');
    assertProblem(await ask({ ...asked, partnerId: NOBODY }), 404, 'not_found');
    assertProblem(await ask({ ...asked, itemId: NOBODY }), 404, 'not_found');
    await app.client.patch(`/api/items/${shop.itemId}`, { active: false });
    await app.client.patch(`/api/partners/${shop.customerId}`, { active: false });
    const inactive = await ask(asked);
    assertProblem(inactive, 422, 'validation_failed');
    assert.deepEqual(
      inactive.body.errors.map((error: { pointer: string }) => error.pointer),
      ['/partnerId', '/itemId'],
    );
  });

  it('agree with a plain search through what the list accepted, and with documents', async () => {
    const shop = await market.shop([]);
    const dayAfter = (offset: number) => new Date(Date.UTC(2025, 0, 1 + offset)).toISOString().slice(0, 10);
    const offset = fc.integer({ min: 0, max: 40 });
    const entries = fc.sample(
      fc.record({
        from: fc.option(offset),
        length: fc.option(fc.integer({ min: 0, max: 15 })),
        minQuantity: fc.integer({ min: 1, max: 4 }),
      }),
      40,
    );
    const accepted: { price: number; minQuantity: number; validFrom: string; validTo: string }[] = [];
    for (const [index, { from, length, minQuantity }] of entries.entries()) {
      const validFrom = from === null ? null : dayAfter(from);
      const validTo = length === null ? null : dayAfter((from ?? 0) + length);
      const body = { itemId: shop.itemId, price: index + 100, minQuantity, validFrom, validTo };
      const whole = { ...body, validFrom: validFrom ?? '0001-01-01', validTo: validTo ?? '9999-12-31' };
      const overlaps = accepted.some(
        (other) =>
          other.minQuantity === minQuantity && other.validFrom <= whole.validTo && other.validTo >= whole.validFrom,
      );
      const { status } = await app.client.post(`/api/pricelists/${shop.listId}/prices`, body);
      assert.equal(status, overlaps ? 409 : 201, JSON.stringify({ body, accepted }));
      if (!overlaps) accepted.push(whole);
    }
    const questions = fc.sample(fc.record({ offset, quantity: fc.integer({ min: 1, max: 6 }) }), 30);
    for (const { offset: days, quantity } of questions) {
      const date = dayAfter(days);
      const matching = accepted
        .filter((entry) => entry.validFrom <= date && date <= entry.validTo && entry.minQuantity <= quantity)
        .sort((one, two) => two.minQuantity - one.minQuantity);
      const expected = matching[0]?.price ?? 10;
      const asked = await ask({ partnerId: shop.customerId, itemId: shop.itemId, date, quantity });
      assert.equal(asked.body.price, expected, JSON.stringify({ date, quantity, accepted }));
      assert.deepEqual(await market.charged(shop, { quantity }, { date }), [expected, 0]);
    }
  });
});
