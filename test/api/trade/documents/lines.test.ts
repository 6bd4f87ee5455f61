import assert from 'node:assert/strict';
import { TODAY } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openTrade } from './trade.ts';

describe('lines of documents', () => {
  const app = useApp();
  const trade = use(() => openTrade(app, 0));

  const make = async (path: string, body: object) => {
    const answer = await app.client.post(path, body);
    assert.ok(answer.status < 300, `POST ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  const first = async (path: string) => (await app.client.get(path)).body.data[0];
  const sale = (...lines: object[]) => ({ partnerId: trade.customerId, lines });
  const purchase = (...lines: object[]) => ({ partnerId: trade.supplierId, lines });
  const faults = async (path: string, body: object) => {
    const { status, body: problem } = await app.client.post(path, body);
    assert.equal(status, 422, JSON.stringify(problem));
    return problem.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`);
  };
  const item = (values: object = {}) => {
    const uom = { uomId: first('/api/uom?code=UD').then(({ id }) => id) };
    return uom.uomId.then((uomId) =>
      make('/api/items', { name: 'Vino', uomId, salePrice: 2, purchasePrice: 1, ...values }),
    );
  };

  it('without item have the default tax of their side', async () => {
    const line = { description: 'Porte', quantity: 1, price: 10 };
    const [general, reduced] = [(await first('/api/taxes?code=IVA21')).id, (await first('/api/taxes?code=IVA10')).id];
    const settings = (await app.client.get('/api/config/tax')).body;
    assert.deepEqual([settings.defaultSalesTaxGroupId, settings.defaultPurchaseTaxGroupId], [general, general]);
    assert.equal((await make('/api/sales', sale(line))).taxTotal, 2.1);

    const changed = await app.client.put('/api/config/tax', { ...settings, defaultPurchaseTaxGroupId: reduced });
    assert.deepEqual([changed.status, changed.body.defaultPurchaseTaxGroupId], [200, reduced]);
    assert.equal((await make('/api/purchases', purchase(line))).taxTotal, 1);
    assert.equal((await make('/api/sales', sale(line))).taxTotal, 2.1);
    const unknown = await app.client.put('/api/config/tax', { defaultSalesTaxGroupId: trade.itemId });
    assert.deepEqual([unknown.status, unknown.body.errors[0].pointer], [422, '/defaultSalesTaxGroupId']);
    assert.equal((await app.client.put('/api/config/tax', {})).body.defaultPurchaseTaxGroupId, general);

    // The default follows its tax to the rate of the day.
    await make('/api/taxes', { code: 'IVA21', name: 'IVA', rate: 22, validFrom: '2026-05-01' });
    assert.equal((await make('/api/sales', sale(line))).taxTotal, 2.2);
    assert.equal((await make('/api/sales', { ...sale(line), date: '2026-04-30' })).taxTotal, 2.1);
  });

  it('say themselves what their unit holds, over what the item says', async () => {
    const { id: itemId } = await item();
    const { id: uomId } = await first('/api/uom?code=CJ');
    await make(`/api/items/${itemId}/units`, { uomId, factorNumerator: 12, factorDenominator: 1 });
    const order = await make('/api/purchases', purchase({ itemId, quantity: 2, uomId, uomFactor: 10 }));
    const [line] = order.lines;
    assert.deepEqual(
      { uomFactor: line.uomFactor, quantity: line.baseUnit.quantity, price: line.price },
      { uomFactor: 10, quantity: 20, price: 10 },
    );
    // It stays with the line even if other members change.
    const changed = await app.client.patch(`/api/purchases/${order.id}`, { lines: [{ id: line.id, quantity: 3 }] });
    assert.deepEqual([changed.status, changed.body.data.lines[0].baseUnit.quantity], [200, 30]);
    const again = await make(`/api/purchases/${order.id}/duplicate`, {});
    assert.deepEqual([again.lines[0].uomFactor, again.lines[0].baseUnit.quantity], [10, 30]);
    const own = await app.client.patch(`/api/purchases/${order.id}`, { lines: [{ id: line.id, uomFactor: 1 }] });
    assert.equal(own.body.data.lines[0].baseUnit.quantity, 3);
    const note = await app.client.patch(`/api/purchases/${order.id}`, { lines: [{ id: line.id }] });
    assert.equal(note.body.data.lines[0].baseUnit.quantity, 3, 'a factor of one is one that was given, too');
    const { baseUnit } = (await make('/api/purchases', purchase({ itemId, quantity: 1, uomId }))).lines[0];
    assert.equal(baseUnit.quantity, 12);
  });

  it('with batches on a first receipt begin to keep the item by batch, while it has no stock without', async () => {
    const notes = '/api/purchases/delivery-notes';
    const batch = (batchNum: string, quantity: number) => ({ batchDetails: [{ batchNum, quantity }], quantity });
    const { id: itemId } = await item();
    await make('/api/purchases', purchase({ itemId, quantity: 1 }));
    assert.deepEqual(await faults(notes, purchase({ itemId, ...batch('A', 2) }, { itemId, quantity: 1 })), [
      '/lines/1/batchDetails required',
    ]);
    assert.equal((await app.client.get(`/api/items/${itemId}`)).body.data.batchTracked, false);
    await make(notes, purchase({ itemId, ...batch('A', 2) }));
    const tracked = (await app.client.get(`/api/items/${itemId}`)).body.data;
    assert.deepEqual([tracked.batchTracked, tracked.version], [true, 2]);
    assert.deepEqual(await faults(notes, purchase({ itemId, quantity: 1 })), ['/lines/0/batchDetails required']);

    const { id: loose } = await item();
    const plain = await make(notes, purchase({ itemId: loose, quantity: 1 }));
    const refused = ['/lines/0/batchDetails stock_without_batch'];
    assert.deepEqual(await faults(notes, purchase({ itemId: loose, ...batch('A', 2) })), refused);
    await make(`${notes}/${plain.id}/cancel`, {});
    await make(notes, purchase({ itemId: loose, ...batch('A', 2) }));

    // An invoice without a note brings the goods in when it is posted.
    const { id: invoiced } = await item();
    const draft = await make('/api/purchases/invoices', purchase({ itemId: invoiced, ...batch('Z', 1) }));
    assert.equal((await app.client.get(`/api/items/${invoiced}`)).body.data.batchTracked, false);
    await make(`/api/purchases/invoices/${draft.id}/post`, {});
    assert.equal((await app.client.get(`/api/items/${invoiced}`)).body.data.batchTracked, true);
    const { id: service } = await item({ type: 'service' });
    assert.deepEqual(await faults(notes, purchase({ itemId: service, ...batch('A', 1) })), [
      '/lines/0/batchDetails not_applicable',
    ]);
  });

  it('with and without batches at the same time leave an item kept in one way', async () => {
    const { id: itemId } = await item();
    await make('/api/purchases', purchase({ itemId, quantity: 1 }));
    const line = (index: number) =>
      index % 2 === 0
        ? { itemId, quantity: 1 }
        : { itemId, quantity: 1, batchDetails: [{ batchNum: `B${index}`, quantity: 1 }] };
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => app.client.post('/api/purchases/delivery-notes', purchase(line(index)))),
    );
    const done = answers.flatMap(({ status }, index) => (status === 201 ? [index % 2] : []));
    assert.equal(new Set(done).size, 1, JSON.stringify(answers.map(({ status }) => status)));
    assert.ok(answers.every(({ status }) => status === 201 || status === 422 || status === 503));
    const { batchTracked } = (await app.client.get(`/api/items/${itemId}`)).body.data;
    assert.equal(batchTracked, done[0] === 1);
  });

  it('of sales do not say what was bought for', async () => {
    const line = { description: 'Porte', quantity: 1, price: 10 };
    for (const path of ['/api/sales', '/api/sales/delivery-notes', '/api/sales/invoices']) {
      assert.deepEqual(await faults(path, sale({ ...line, vatUse: 'none' })), ['/lines/0/vatUse not_applicable']);
      assert.equal((await make(path, sale({ ...line, vatUse: 'current' }))).lines[0].vatUse, 'current');
    }
    const draft = await make('/api/sales/invoices', sale(line));
    const changed = { lines: [{ id: draft.lines[0].id, vatUse: 'investment' }] };
    assertProblem(await app.client.patch(`/api/sales/invoices/${draft.id}`, changed), 422, 'validation_failed');
    assert.equal(
      (await make('/api/purchases/invoices', purchase({ ...line, vatUse: 'none' }))).lines[0].vatUse,
      'none',
    );
  });

  it('can be priced before there is a customer', async () => {
    const { id: itemId } = await item();
    const { status, body } = await app.client.get(`/api/prices?itemId=${itemId}&quantity=3`);
    assert.deepEqual(
      { status, price: body.price, source: body.source, date: body.date },
      { status: 200, price: 2, source: 'item', date: TODAY },
    );
    assert.equal((await app.client.get(`/api/prices?itemId=${itemId}&docType=PO`)).body.price, 1);
    assert.equal((await app.client.get(`/api/prices?itemId=${itemId}&partnerId=${itemId}`)).status, 404);
  });
});
