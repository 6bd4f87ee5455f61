import assert from 'node:assert/strict';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

describe('catalogue', () => {
  let unit: string;
  let box: string;
  const app = useApp();
  before(async () => {
    unit = (await app.client.get('/api/uom?code=UD')).body.data[0].id;
    box = (await app.client.post('/api/uom', { code: 'CJ12', name: 'Caja' })).body.data.id;
  });

  const make = async (path: string, body: unknown) => {
    const answer = await app.client.post(path, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data;
  };
  const category = (name: string, parentId?: string) =>
    make('/api/categories', { name, ...(parentId === undefined ? {} : { parentId }) });
  const item = (values: object = {}) => make('/api/items', { name: 'Naranja', uomId: unit, ...values });

  describe('categories', () => {
    it('form a tree with depths, filtered by subtree', async () => {
      const food = await category('Comida');
      const fruit = await category('Fruta', food.id);
      const citrus = await category('Cítricos', fruit.id);
      assert.deepEqual(
        { foodDepth: food.depth, fruitDepth: fruit.depth, citrusDepth: citrus.depth },
        { foodDepth: 0, fruitDepth: 1, citrusDepth: 2 },
      );
      const under = async (id: string) =>
        (await app.client.get(`/api/categories?under=${id}&sort=depth`)).body.data.map((row: { id: string }) => row.id);
      assert.deepEqual(await under(food.id), [food.id, fruit.id, citrus.id]);
      assert.deepEqual(await under(fruit.id), [fruit.id, citrus.id]);
      assertProblem(await app.client.get(`/api/categories?under[ne]=${food.id}`), 400, 'invalid_parameter');
      assert.equal((await app.client.patch(`/api/categories/${fruit.id}`, { parentId: null })).body.data.depth, 0);
      assert.equal((await app.client.get(`/api/categories/${citrus.id}`)).body.data.depth, 1);
      assert.deepEqual(await under(food.id), [food.id]);
    });

    it('refuse cycles, also when two changes close one together', async () => {
      const [a, b] = [await category('A'), await category('B')];
      const below = await category('C', a.id);
      for (const parentId of [a.id, below.id]) {
        const refused = await app.client.patch(`/api/categories/${a.id}`, { parentId });
        assertProblem(refused, 422, 'validation_failed');
        assert.equal(refused.body.errors[0].pointer, '/parentId');
      }
      const answers = await Promise.all([
        app.client.patch(`/api/categories/${a.id}`, { parentId: b.id }),
        app.client.patch(`/api/categories/${b.id}`, { parentId: a.id }),
      ]);
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422]);
    });

    it('stay while children or items are in them, and begin the codes of their items', async () => {
      const top = await make('/api/categories', { name: 'Zumos', codePrefix: 'ZU' });
      const child = await category('De naranja', top.id);
      assertProblem(await app.client.del(`/api/categories/${top.id}`), 409, 'in_use');
      assert.equal((await app.client.del(`/api/categories/${child.id}`)).status, 204);
      const juice = await item({ categoryId: top.id });
      assert.match(juice.code, /^ZU\d+$/);
      assertProblem(await app.client.del(`/api/categories/${top.id}`), 409, 'in_use');
      assert.equal((await app.client.get(`/api/items?categoryId=${top.id}`)).body.pagination.total, 1);
      assertProblem(
        await app.client.post('/api/items', { name: 'X', uomId: unit, categoryId: unit }),
        422,
        'validation_failed',
      );
    });
  });

  describe('addresses of partners', () => {
    let path: string;
    let partnerId: string;
    beforeEach(async () => {
      const groupId = (await app.client.get('/api/partnerGroups?code=CLI')).body.data[0].id;
      partnerId = (await make('/api/partners', { name: 'Ana', groupId })).id;
      path = `/api/partners/${partnerId}/addresses`;
    });

    it('are created, read, changed and deleted below their partner only', async () => {
      const made = await app.client.post(path, { name: 'Sede', type: 'B', city: 'Ávila' });
      const { id } = made.body.data;
      assert.equal(made.headers.get('location'), `${path}/${id}`);
      assert.equal(made.body.data.partnerId, partnerId);
      assert.deepEqual((await app.client.get(`${path}/${id}`)).body, made.body);
      assertProblem(await app.client.get(`/api/partners/${unit}/addresses`), 404, 'not_found');
      assertProblem(
        await app.client.post(`/api/partners/${unit}/addresses`, { name: 'X', type: 'B' }),
        404,
        'not_found',
      );
      assertProblem(await app.client.get(`/api/partners/${unit}/addresses/${id}`), 404, 'not_found');
      assertProblem(await app.client.post(path, { name: 'X', type: 'Q' }), 422, 'validation_failed');
      assertProblem(
        await app.client.patch(`${path}/${id}`, { city: 'León' }, { 'If-Match': '"9"' }),
        412,
        'stale_version',
      );
      assert.equal((await app.client.patch(`${path}/${id}`, { city: 'León' })).body.data.city, 'León');
      const { body } = await app.client.get(`/api/audit-logs?entityId=${id}`);
      assert.deepEqual(
        body.data.map(({ action }: { action: string }) => action),
        ['UPDATE', 'CREATE'],
      );
      assert.equal((await app.client.del(`${path}/${id}`)).status, 204);
    });

    it('have one default for each type, which goes into documents and leaves with the partner', async () => {
      const first = await make(path, { name: 'Sede', type: 'B' });
      const second = await make(path, { name: 'Otra', type: 'B' });
      assert.deepEqual([first.isDefault, second.isDefault], [true, false]);
      const eight = Array.from({ length: 8 }, (_, index) =>
        make(path, { name: `${index}`, type: 'B', isDefault: true }),
      );
      await Promise.all(eight);
      assert.equal((await app.client.get(`${path}?isDefault=true`)).body.pagination.total, 1);
      const shipping = await make(path, { name: 'Muelle', type: 'S', street: 'Puerto 3' });
      assert.equal(shipping.isDefault, true);
      // A default that becomes one of the other type takes over there.
      await app.client.patch(`${path}/${second.id}`, { isDefault: true });
      assert.equal((await app.client.patch(`${path}/${second.id}`, { type: 'S' })).status, 200);
      const defaults = (await app.client.get(`${path}?isDefault=true`)).body.data;
      assert.deepEqual(
        defaults.map(({ id }: { id: string }) => id),
        [second.id],
      );
      assert.equal((await app.client.del(`/api/partners/${partnerId}`)).status, 204);
    });

    it('are taken over by documents that name none', async () => {
      await make(path, { name: 'Sede', type: 'B', street: 'Mayor 1', zipCode: '28001', city: 'Madrid' });
      await make(path, { name: 'Muelle', type: 'S', street: 'Puerto 3' });
      const lines = [{ itemId: (await item()).id, quantity: 1 }];
      const taken = await make('/api/sales', { partnerId, lines });
      assert.deepEqual(taken.billingAddress, { name: 'Sede', street: 'Mayor 1', city: 'Madrid', zipCode: '28001' });
      assert.deepEqual(taken.shippingAddress, { name: 'Muelle', street: 'Puerto 3' });
      const named = await make('/api/sales', { partnerId, lines, billingAddress: { name: 'Otra' } });
      assert.deepEqual(named.billingAddress, { name: 'Otra' });
    });
  });

  describe('units of items', () => {
    it('have a positive exact factor, once for each unit other than the own', async () => {
      const { id } = await item();
      const path = `/api/items/${id}/units`;
      for (const factorNumerator of [0, -12, 1.5]) {
        assertProblem(await app.client.post(path, { uomId: box, factorNumerator }), 422, 'validation_failed');
      }
      assertProblem(
        await app.client.post(path, { uomId: box, factorNumerator: 1, factorDenominator: 0 }),
        422,
        'validation_failed',
      );
      const own = await app.client.post(path, { uomId: unit, factorNumerator: 1 });
      assert.deepEqual([own.status, own.body.errors[0].pointer], [422, '/uomId']);
      const made = await make(path, { uomId: box, factorNumerator: 12 });
      assert.equal(made.factorDenominator, 1);
      assertProblem(await app.client.post(path, { uomId: box, factorNumerator: 6 }), 409, 'duplicate');
      const swapped = await app.client.patch(`/api/items/${id}`, { uomId: box });
      assert.deepEqual([swapped.status, swapped.body.errors[0].pointer], [422, '/uomId']);
      assert.equal(
        (await app.client.patch(`${path}/${made.id}`, { factorNumerator: 24 })).body.data.factorNumerator,
        24,
      );
      assertProblem(await app.client.del(`/api/uom/${box}`), 409, 'in_use');
      assert.equal((await app.client.del(`/api/items/${id}`)).status, 204);
    });

    it('share one space of barcodes with items, also at the same time', async () => {
      const one = await item({ barcode: '8410000000017' });
      const path = `/api/items/${one.id}/units`;
      const body = { uomId: box, factorNumerator: 12 };
      const taken = await app.client.post(path, { ...body, barcode: '8410000000017' });
      assertProblem(taken, 409, 'duplicate');
      assert.equal(taken.body.errors[0].pointer, '/barcode');
      const barcode = '8410000000024';
      const answers = await Promise.all([
        app.client.post(path, { ...body, barcode }),
        app.client.post('/api/items', { name: 'A', uomId: unit, barcode }),
        app.client.post('/api/items', { name: 'B', uomId: unit, barcode }),
      ]);
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
      assert.equal((await app.client.patch(`/api/items/${one.id}`, { barcode: '8410000000017' })).status, 200);
      assertProblem(await app.client.patch(`/api/items/${one.id}`, { barcode }), 409, 'duplicate');
    });
  });
});
