import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decimal, round } from '../../../../domain/money.ts';
import { TODAY, YEAR } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem, assertRefused } from '../../../helpers/problem.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { openTill } from '../payments/till.ts';

type Body = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;

/** Items at standard costs, and their variances (decision 0321). */
describe('standard costs', function () {
  this.timeout(300_000);
  const app = useApp({}, { each: true });
  const till = use(() => openTill(app), { each: true });
  const books = use(() => openBooks(app), { each: true });
  const day = (month: number, date = 1) => `${YEAR}-0${month}-${String(date).padStart(2, '0')}`;
  const make = (path: string, body: Body = {}): Promise<Data> => books.make(path, body);
  const item = async (more: Body = {}): Promise<string> => {
    const { uomId } = (await app.client.get(`/api/items/${till.itemId}`)).body.data;
    return (await make('/api/items', { name: 'Chair', uomId, costMethod: 'standard', ...more })).id;
  };
  const plan = (itemId: string, date: string, cost: number) => make('/api/standard-costs', { itemId, date, cost });
  const buy = (itemId: string, date: string, quantity: number, price: number) =>
    make('/api/purchases/delivery-notes', { partnerId: till.supplierId, date, lines: [{ itemId, quantity, price }] });
  const sell = (itemId: string, date: string, quantity: number) =>
    make('/api/sales/delivery-notes', { partnerId: till.customerId, date, lines: [{ itemId, quantity, price: 20 }] });
  const value = async (to: string): Promise<number> =>
    (await app.client.get(`/api/reports/stock-valuation?to=${to}`)).body.summary.value;
  const variances = async (itemId: string, to: string): Promise<Data> =>
    (await app.client.get(`/api/reports/cost-variances?from=${YEAR}-01-01&to=${to}&item_id=${itemId}`)).body;
  const shown = async (itemId: string, to: string): Promise<unknown[]> =>
    (await variances(itemId, to)).data.rows.map((row: Data) => [row.kind, row.quantity, row.actual, row.variance]);
  const vary = (date: string) => make('/api/journal-entries/stock-variation', { date });
  const balances = async () => [await books.balance('300'), await books.balance('610'), await books.balance('6109')];

  it('value the stock, what was sold and counts; what goods cost beyond them is a variance', async () => {
    const itemId = await item();
    await plan(itemId, day(1), 5);
    const note = await buy(itemId, day(2), 10, 6);
    const { id: sold } = await sell(itemId, day(3), 4);
    assert.equal(await value(day(3)), 30);
    assert.equal((await app.client.get(`/api/sales/lines?documentId=${sold}`)).body.data[0].cost, 20);
    assert.deepEqual(await shown(itemId, day(3)), [['purchase', 10, 60, 10]]);
    await vary(day(3));
    assert.deepEqual(await balances(), [30, -30, 10]);
    await plan(itemId, day(4), 5.5);
    assert.equal(await value(day(4)), 33);
    assert.equal(await value(day(3, 31)), 30);
    await vary(day(4));
    assert.deepEqual(await balances(), [33, -33, 7]);
    assert.deepEqual(await shown(itemId, day(4)), [
      ['purchase', 10, 60, 10],
      ['new_standard', 6, 30, -3],
    ]);
    const lines = [{ itemId, countedQuantity: 8 }];
    const { warehouseId } = note.lines[0];
    const counted = await make('/api/stock/adjustments', { warehouseId, date: day(5), reason: 'Found', lines });
    assert.equal(counted.lines[0].unitCost, 5.5);
    assert.deepEqual(await balances(), [44, -44, 7]);
    assert.equal((await vary(day(5))) ?? null, null);
  });

  it('know landed costs, returns and assemblies', async () => {
    const before = await value(TODAY);
    const itemId = await item();
    const made = await item();
    await plan(itemId, day(1), 5);
    await plan(made, day(1), 12);
    const note = await buy(itemId, day(2), 10, 6);
    await sell(itemId, day(2), 4);
    await make('/api/landed-costs', { documentIds: [note.id], costs: [{ description: 'Freight', amount: 20 }] });
    await make(`/api/purchases/delivery-notes/${note.id}/return`, {
      lines: [{ baseLineId: note.lines[0].id, quantity: 1 }],
    });
    const rows = await shown(itemId, TODAY);
    assert.deepEqual(rows, [
      ['purchase', 9, 54, 9],
      ['cost_change', 0, 20, 20],
    ]);
    await make(`/api/items/${made}/components`, { componentId: itemId, quantity: 2 });
    const { warehouseId } = note.lines[0];
    await make('/api/stock/assemblies', { itemId: made, quantity: 2, warehouseId });
    assert.deepEqual(await shown(made, TODAY), [['assembly', 2, 20, -4]]);
    assert.equal(await value(TODAY), before + 5 + 24);
    await vary(TODAY);
    assert.deepEqual([await books.balance('300'), await books.balance('6109')], [before + 29, 25]);
  });

  it('leave what was planned in the result: purchases less variances and the stock', async () => {
    await vary(TODAY);
    const planned = async () => (await books.balance('600', '608', '610')) - (await books.balance('6109'));
    const itemId = await item();
    await plan(itemId, day(1), 5);
    const before = await planned();
    const note = await buy(itemId, day(2), 10, 6);
    const base = { baseId: note.id, baseLineId: note.lines[0].id };
    const invoice = await make('/api/purchases/invoices', {
      ...{ partnerId: till.supplierId, supplierReference: 'F-1', date: day(3) },
      lines: [{ ...base, quantity: 10, price: 6.5 }],
    });
    await make(`/api/purchases/invoices/${invoice.id}/post`);
    await sell(itemId, day(4), 3);
    const { lines } = (await app.client.get(`/api/purchases/invoices/${invoice.id}`)).body.data;
    const credit = await make(`/api/purchases/invoices/${invoice.id}/rectify`, {
      ...{ reason: 'Broken', supplierReference: 'A-1', returnStock: true },
      lines: [{ baseLineId: lines[0].id, quantity: 2 }],
    });
    await make(`/api/purchases/invoices/${credit.id}/post`);
    await vary(TODAY);
    assert.equal((await variances(itemId, TODAY)).summary.variance, 12);
    assert.equal((await planned()) - before, 15);
  });

  it('are the average cost before the first of them, and for formulas of prices', async () => {
    const itemId = await item();
    await buy(itemId, day(2), 10, 6);
    assert.equal(await value(day(2)), 60);
    await plan(itemId, day(3), 5);
    assert.deepEqual([await value(day(2)), await value(day(3))], [60, 50]);
    assert.deepEqual(await shown(itemId, day(3)), [['new_standard', 10, 60, 10]]);
    await make('/api/price-rules', { name: 'Cost + 50 %', itemId, basis: 'cost', adjustmentPercent: 50 });
    const { body } = await app.client.get(`/api/prices?itemId=${itemId}&partnerId=${till.customerId}&quantity=1`);
    assert.equal(body.price, 7.5, JSON.stringify(body));
  });

  it('stay right when goods leave before they come', async () => {
    const itemId = await item();
    await app.client.put('/api/config/flags', { allowNegativeStock: true });
    await plan(itemId, day(1), 5);
    const { id: sold } = await sell(itemId, day(2), 4);
    assert.equal(await value(day(2)), -20);
    await buy(itemId, day(3), 10, 6);
    assert.equal(await value(day(3)), 30);
    assert.equal((await app.client.get(`/api/sales/lines?documentId=${sold}`)).body.data[0].cost, 20);
    assert.deepEqual(await shown(itemId, day(3)), [['purchase', 10, 60, 10]]);
  });

  it('are those of components, whatever the costing method of a kit', async () => {
    const itemId = await item();
    await plan(itemId, day(1), 5);
    await buy(itemId, day(2), 10, 6);
    const kit = await item({ kit: true, costMethod: 'fifo' });
    await make(`/api/items/${kit}/components`, { componentId: itemId, quantity: 2 });
    const { id: sold } = await sell(kit, day(3), 3);
    assert.equal((await app.client.get(`/api/sales/lines?documentId=${sold}`)).body.data[0].cost, 30);
  });

  it('take goods of customers back at the cost with which they left', async () => {
    const itemId = await item();
    await plan(itemId, day(1), 50);
    await buy(itemId, day(2), 10, 50);
    const lines = [{ itemId, quantity: 4, price: 90 }];
    const sale = await make('/api/sales/invoices', { partnerId: till.customerId, date: day(3), lines });
    await make(`/api/sales/invoices/${sale.id}/post`);
    await plan(itemId, day(4), 60);
    const body = { reason: 'Broken', date: day(5), returnStock: true };
    const credit = await make(`/api/sales/invoices/${sale.id}/rectify`, body);
    await make(`/api/sales/invoices/${credit.id}/post`);
    const { data } = (await app.client.get(`/api/sales/lines?itemId=${itemId}&docType=SINV`)).body;
    assert.deepEqual(data.map(({ cost }: Data) => cost).sort(), [-200, 200]);
    assert.deepEqual(await shown(itemId, TODAY), [
      ['purchase', 10, 500, 0],
      ['new_standard', 10, 500, -100],
    ]);
    const untracked = await item({ type: 'service' });
    assertRefused(
      await app.client.post('/api/standard-costs', { itemId: untracked, date: day(6), cost: 1 }),
      '/itemId',
    );
  });

  it('are one for each day, and do not change closed periods', async () => {
    const itemId = await item();
    const path = '/api/standard-costs';
    const { id } = await plan(itemId, day(5), 5);
    assertProblem(await app.client.post(path, { itemId, date: day(5), cost: 6 }), 409, 'duplicate');
    assertRefused(await app.client.post(path, { itemId, date: day(6), cost: -1 }), '/cost');
    assertRefused(await app.client.post(path, { itemId, cost: 1 }), '/date');
    const { data: periods } = (await app.client.get(`/api/periods?code=${YEAR}-05`)).body;
    assert.equal((await app.client.patch(`/api/periods/${periods[0].id}`, { status: 'C' })).status, 200);
    for (const answer of [
      await app.client.post(path, { itemId, date: day(4), cost: 6 }),
      await app.client.patch(`${path}/${id}`, { cost: 6 }),
      await app.client.patch(`${path}/${id}`, { date: day(6) }),
      await app.client.del(`${path}/${id}`),
    ]) {
      assertProblem(answer, 409, 'period_closed');
    }
    await plan(itemId, day(6), 6);
  });

  const quantities = fc.integer({ min: 1, max: 4000 }).map((count) => count / 100);
  const prices = fc.integer({ min: 0, max: 100_000 }).map((cents) => cents / 10_000);
  const step = fc.oneof(
    fc.record({ buys: quantities, price: prices }),
    fc.record({ sells: quantities }),
    fc.record({ plans: prices }),
  );

  it('agree with a plain model, also below zero (property)', async () => {
    await app.client.put('/api/config/flags', { allowNegativeStock: true });
    const property = fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 16, size: 'max' }), async (steps) => {
      const itemId = await item();
      await plan(itemId, day(1), 5);
      let [onHand, standard, variance] = [decimal(0), decimal(5), decimal(0)];
      for (const [index, one] of steps.entries()) {
        const date = day(2, index + 1);
        if ('buys' in one) {
          await buy(itemId, date, one.buys, one.price);
          const paid = decimal(round(decimal(one.buys).times(one.price), 2));
          [onHand, variance] = [onHand.plus(one.buys), variance.plus(paid).minus(standard.times(one.buys))];
        } else if ('sells' in one) {
          await sell(itemId, date, one.sells);
          onHand = onHand.minus(one.sells);
        } else {
          await plan(itemId, date, one.plans);
          [variance, standard] = [variance.plus(onHand.times(standard.minus(one.plans))), decimal(one.plans)];
        }
      }
      const { data } = (await app.client.get(`/api/reports/stock-valuation?to=${TODAY}`)).body;
      const found = data.rows.find((row: Data) => row.item_id === itemId)?.value ?? 0;
      assert.ok(onHand.times(standard).minus(found).abs().lte(0.01), `${found} of ${onHand} at ${standard}`);
      const { summary } = await variances(itemId, TODAY);
      assert.ok(variance.minus(summary.variance).abs().lte(0.011), `${summary.variance} instead of ${variance}`);
    });
    await fc.assert(property, { numRuns: 15, endOnFailure: true });
    await vary(TODAY);
    const all = await app.client.get(`/api/reports/cost-variances?from=${YEAR}-01-01&to=${TODAY}`);
    assert.equal(await books.balance('6109'), all.body.summary.variance);
    assert.equal(await books.balance('300'), await value(TODAY));
  });
});
