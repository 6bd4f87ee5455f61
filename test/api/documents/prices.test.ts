import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DOC_TYPES, DOCUMENT_TYPES, type DocType } from '../../../domain/documents/types.ts';
import { startTestApp, type TestApp } from '../../helpers/app.ts';
import { assertProblem } from '../../helpers/problem.ts';

const DAY = '2025-06-15';
const NOBODY = '0190f5fe-7c00-7a00-8abc-012345678901';

describe('prices of documents', () => {
  let app: TestApp;
  let uomId: string;
  let customers: string;
  let suppliers: string;
  let codes = 0;
  before(async () => {
    app = await startTestApp();
    const first = async (path: string) => (await app.client.get(path)).body.data[0].id as string;
    uomId = await first('/api/uom?code=UD');
    customers = await first('/api/partnerGroups?isCustomer=true');
    suppliers = await first('/api/partnerGroups?isVendor=true');
    for (const year of [2024, 2025])
      assert.equal((await app.client.post('/api/periods/generate', { year })).status, 201);
    await app.client.put('/api/config/flags', { allowNegativeStock: true });
  });
  after(() => app?.stop());

  const make = async (path: string, body: unknown) => {
    const answer = await app.client.post(path, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data;
  };
  const item = (values: object = {}) =>
    make('/api/items', { name: 'Naranja', uomId, salePrice: 10, purchasePrice: 6, ...values });

  /** A list with prices of one item, and a customer and a supplier that it is given to. */
  async function market(prices: readonly object[], values: object = {}, partner: object = {}) {
    const list = await make('/api/pricelists', { code: `T${++codes}`, name: 'Tarifa', ...values });
    const { id: itemId } = await item();
    const ids: string[] = [];
    for (const price of prices) {
      ids.push((await make(`/api/pricelists/${list.id}/prices`, { itemId, ...price })).id);
    }
    const given = { priceListId: list.id, ...partner };
    const customer = await make('/api/partners', { name: 'Café', groupId: customers, ...given });
    const supplier = await make('/api/partners', { name: 'Huerta', groupId: suppliers, ...given });
    return { listId: list.id as string, itemId: itemId as string, ids, customer, supplier };
  }
  type Market = Awaited<ReturnType<typeof market>>;

  const document = (docType: DocType, { customer, supplier }: Market, lines: readonly object[], values: object = {}) =>
    make(DOCUMENT_TYPES[docType].path, {
      partnerId: DOCUMENT_TYPES[docType].side === 'sales' ? customer.id : supplier.id,
      date: DAY,
      lines,
      ...values,
    });
  /** Price and discount of the only line of an order. */
  const charged = async (shop: Market, line: object = {}, values: object = {}) => {
    const made = await document('SO', shop, [{ itemId: shop.itemId, quantity: 1, ...line }], values);
    return [made.lines[0].price, made.lines[0].discountPercent];
  };

  for (const docType of DOC_TYPES) {
    it(`come from the partner's list in a ${docType}, by the quantity of each line`, async () => {
      const { side } = DOCUMENT_TYPES[docType];
      const shop = await market([
        { price: 4 },
        { discountPercent: 25, minQuantity: 10 },
        { price: 3.5, minQuantity: 20.5 },
      ]);
      const other = await item({ salePrice: 7, purchasePrice: 5 });
      const quantities = [0.99, 1, 9.99, 10, 20.49, 20.5, 500];
      const made = await document(docType, shop, [
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
    const shop = await market([{ price: 4 }]);
    const order = await document('SO', shop, [{ itemId: shop.itemId, quantity: 5, discountPercent: 2 }]);
    await app.client.patch(`/api/pricelists/${shop.listId}/prices/${shop.ids[0]}`, { price: 8 });
    const note = await document('SDN', shop, [{ baseId: order.id, itemId: shop.itemId, quantity: 5 }]);
    assert.deepEqual([note.lines[0].price, note.lines[0].discountPercent], [4, 2]);
    assert.deepEqual(await charged(shop), [8, 0]);
  });

  it('hold from their first to their last day, those of the list as well', async () => {
    const days = ['2025-06-09', '2025-06-10', '2025-06-20', '2025-06-21'];
    const validity = { validFrom: days[1], validTo: days[2] };
    const entry = await market([
      { price: 4, ...validity },
      { price: 5, validFrom: days[3] },
    ]);
    const list = await market([{ price: 4 }], validity);
    for (const [index, date] of days.entries()) {
      const inside = index === 1 || index === 2;
      assert.deepEqual(await charged(list, {}, { date }), [inside ? 4 : 10, 0], date);
      assert.deepEqual(await charged(entry, {}, { date }), [inside ? 4 : index === 3 ? 5 : 10, 0], date);
    }
  });

  it('are the items’ own while the list is inactive or in another currency', async () => {
    const dollars = await market([{ price: 4 }], { currency: 'USD' });
    assert.deepEqual(await charged(dollars), [10, 0]);
    const shop = await market([{ price: 4 }]);
    await app.client.patch(`/api/pricelists/${shop.listId}`, { active: false });
    assert.deepEqual(await charged(shop), [10, 0]);
    await app.client.patch(`/api/pricelists/${shop.listId}`, { active: true });
    assert.deepEqual(await charged(shop), [4, 0]);
  });

  it('lose the tax that the list includes', async () => {
    const shop = await market([{ price: 1.21 }, { discountPercent: 10, minQuantity: 10 }], { includesTax: true });
    assert.deepEqual(await charged(shop), [1, 0]);
    assert.deepEqual(await charged(shop, { quantity: 10 }), [10, 10]);
    assert.deepEqual(await charged(shop, { vatRegime: 'surcharge' }), [0.958796, 0]);
    assert.deepEqual(await charged(shop, {}, { vatRegime: 'export' }), [1, 0]);
    const reduced = (await app.client.get('/api/taxes?code=IVA10')).body.data[0].id;
    assert.deepEqual(await charged(shop, { taxGroupId: reduced }), [1.1, 0]);
    const exempt = (await app.client.get('/api/taxes?code=IVA0')).body.data[0].id;
    assert.deepEqual(await charged(shop, { taxGroupId: exempt }), [1.21, 0]);
    const bought = await document('PO', shop, [{ itemId: shop.itemId, quantity: 1 }], { vatRegime: 'surcharge' });
    assert.equal(bought.lines[0].price, 1);
  });

  describe('asked for', () => {
    const ask = (parameters: Readonly<Record<string, string | number>>) => {
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries(parameters)) query.set(name, String(value));
      return app.client.get(`/api/prices?${query}`);
    };

    it('say where they come from', async () => {
      const shop = await market([{ price: 4, minQuantity: 2 }]);
      const asked = { partnerId: shop.customer.id, itemId: shop.itemId, date: DAY };
      assert.deepEqual((await ask({ ...asked, quantity: 2 })).body, {
        price: 4,
        discountPercent: 0,
        source: 'price_list',
        priceListId: shop.listId,
        priceId: shop.ids[0],
        currency: 'EUR',
        uomId,
        quantity: 2,
        date: DAY,
      });
      const { price, source, priceListId, priceId, quantity } = (await ask(asked)).body;
      assert.deepEqual([price, source, priceListId, priceId, quantity], [10, 'item', null, null, 1]);
      assert.equal((await ask({ ...asked, docType: 'PINV' })).body.price, 6);
      assert.match((await ask({ partnerId: shop.customer.id, itemId: shop.itemId })).body.date, /^\d{4}-\d\d-\d\d$/);
    });

    it('are of the unit, and count in the item’s own', async () => {
      const shop = await market(
        [{ price: 4 }, { price: 3, minQuantity: 24 }],
        { includesTax: true },
        { vatRegime: 'surcharge' },
      );
      const boxId = (await make('/api/uom', { code: `CJ${++codes}`, name: 'Caja' })).id;
      const partId = (await make('/api/uom', { code: `PT${++codes}`, name: 'Parte' })).id;
      await make(`/api/items/${shop.itemId}/units`, { uomId: boxId, factorNumerator: 12 });
      await make(`/api/items/${shop.itemId}/units`, { uomId: partId, factorNumerator: 1, factorDenominator: 3 });
      const of = async (uom: string, quantity: number, docType = 'SO', partnerId = shop.customer.id) =>
        (await ask({ partnerId, itemId: shop.itemId, date: DAY, uomId: uom, quantity, docType })).body;
      assert.equal((await of(boxId, 1)).price, 38.034865); // 4 × 12 ÷ 1.262
      assert.equal((await of(boxId, 2)).price, 28.526149); // 3 × 12 ÷ 1.262
      assert.equal((await of(boxId, 2)).uomId, boxId);
      assert.equal((await of(partId, 2)).source, 'item');
      assert.equal((await of(partId, 2)).price, 3.333333);
      assert.equal((await of(partId, 3)).source, 'price_list');
      assert.equal((await of(uomId, 1, 'PO', shop.supplier.id)).price, 3.305785); // purchases bear no surcharge
      const stranger = await ask({ partnerId: shop.customer.id, itemId: shop.itemId, uomId: NOBODY });
      assertProblem(stranger, 422, 'validation_failed');
      assert.equal(stranger.body.errors[0].pointer, '/uomId');
    });

    it('are refused where nobody can answer', async () => {
      const shop = await market([]);
      const asked = { partnerId: shop.customer.id, itemId: shop.itemId };
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
      assertProblem(await app.client.get(`/api/prices?itemId=${shop.itemId}`), 400, 'invalid_parameter');
      assertProblem(await ask({ ...asked, partnerId: NOBODY }), 404, 'not_found');
      assertProblem(await ask({ ...asked, itemId: NOBODY }), 404, 'not_found');
      await app.client.patch(`/api/items/${shop.itemId}`, { active: false });
      await app.client.patch(`/api/partners/${shop.customer.id}`, { active: false });
      const inactive = await ask(asked);
      assertProblem(inactive, 422, 'validation_failed');
      assert.deepEqual(
        inactive.body.errors.map((error: { pointer: string }) => error.pointer),
        ['/partnerId', '/itemId'],
      );
    });

    it('agree with a plain search through what the list accepted, and with documents', async () => {
      const shop = await market([]);
      const dayOf = (offset: number) => new Date(Date.UTC(2025, 0, 1 + offset)).toISOString().slice(0, 10);
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
        const validFrom = from === null ? null : dayOf(from);
        const validTo = length === null ? null : dayOf((from ?? 0) + length);
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
        const date = dayOf(days);
        const matching = accepted
          .filter((entry) => entry.validFrom <= date && date <= entry.validTo && entry.minQuantity <= quantity)
          .sort((one, two) => two.minQuantity - one.minQuantity);
        const expected = matching[0]?.price ?? 10;
        const asked = await ask({ partnerId: shop.customer.id, itemId: shop.itemId, date, quantity });
        assert.equal(asked.body.price, expected, JSON.stringify({ date, quantity, accepted }));
        assert.deepEqual(await charged(shop, { quantity }, { date }), [expected, 0]);
      }
    });
  });
});
