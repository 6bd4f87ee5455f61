import assert from 'node:assert/strict';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openTill } from '../../trade/payments/till.ts';
import { openBooks } from './books.ts';

type Body = Record<string, unknown>;

/** Deductible VAT of purchases, and the part added to the cost (decision 0160), over HTTP and to the cent. */
describe('partly deductible VAT', () => {
  const app = useApp();
  const till = use(() => openTill(app));
  const books = use(() => openBooks(app));
  const path = '/api/purchases/invoices';
  let taxGroupId: unknown;
  before(async () => {
    [{ id: taxGroupId }] = await till.read('/api/taxes?code=IVA21');
  });

  const service = (price: number, code: string, more: Body = {}) => {
    return { description: 'Gasto', quantity: 1, price, taxGroupId, accountId: books.account(code), ...more };
  };
  const draft = (lines: readonly Body[], more: Body = {}) =>
    books.make<Body & { id: string; lines: Body[] }>(path, { partnerId: till.supplierId, lines, ...more });
  async function invoice(lines: readonly Body[]) {
    const { id } = await draft(lines);
    return await books.make<Body & { id: string; lines: Body[] }>(`${path}/${id}/post`);
  }
  const settle = async (value: Body) => assert.equal((await app.client.put('/api/config/tax', value)).status, 200);

  it('is deducted by half for a car, and the line shows the lost part', async () => {
    // 21 % of 100.05 is 21.0105: 21.01, of which 50 % are 10.505: 10.51 are deducted and 10.50 lost.
    const { id, lines, total } = await invoice([service(100.05, '628', { deductiblePercent: 50 })]);
    assert.deepEqual([lines[0]?.nonDeductibleTax, lines[0]?.deductiblePercent, total], [10.5, 50, 121.06]);
    assert.deepEqual(await books.enteredFor(id), ['H 410 121.06', 'D 628 110.55', 'D 47200021 10.51']);
    // Rectified, all of it comes back.
    const back = await books.make(`${path}/${id}/rectify`, { reason: 'Devolución' });
    await books.make(`${path}/${back.id}/post`);
    assert.deepEqual(await books.enteredFor(back.id), ['D 410 121.06', 'H 628 110.55', 'H 47200021 10.51']);
  });

  it('follows the pro rata, which a rectifying invoice keeps after it has changed', async () => {
    await settle({ proRata: 80 });
    const bought = await invoice([service(100, '629'), service(100, '628', { deductiblePercent: 50 })]);
    // 21 × 80 % = 16.80 of the first; 21 × 50 % × 80 % = 8.40 of the second.
    assert.deepEqual(
      bought.lines.map((line) => line.nonDeductibleTax),
      [4.2, 12.6],
    );
    assert.equal(bought.proRata, 80);
    const entry = ['H 410 242', 'D 629 104.2', 'D 628 112.6', 'D 47200021 16.8', 'D 47200021 8.4'];
    assert.deepEqual(await books.enteredFor(bought.id), entry);
    await settle({ proRata: 60 });
    const back = await books.make(`${path}/${bought.id}/rectify`, { reason: 'Error' });
    await books.make(`${path}/${back.id}/post`);
    const swapped = entry.map((line) => (line.startsWith('H') ? line.replace('H', 'D') : line.replace('D', 'H')));
    assert.deepEqual(await books.enteredFor(back.id), swapped);
    await settle({});
  });

  it("follows the company's regime at the purchase, not that at posting or rectification", async () => {
    const goods = { itemId: till.itemId, quantity: 1, price: 100 };
    const general = await draft([goods]);
    const abroad = await draft([goods], { vatRegime: 'intra_eu' });
    await settle({ surchargeRegime: true });
    const charged = await draft([goods]);
    const acquired = await draft([goods], { vatRegime: 'intra_eu' });
    const post = async ({ id }: { id: string }) => {
      await books.make(`${path}/${id}/post`);
      return await books.enteredFor(id);
    };
    // In the general regime 21.00 are deducted, also of what the buyer assesses; posted in the other one.
    assert.deepEqual(await post(general), ['H 400 121', 'D 600 100', 'D 47200021 21']);
    assert.deepEqual(await post(abroad), ['H 400 100', 'D 600 100', 'D 47220021 21', 'H 47720021 21']);
    const rectify = ({ id }: { id: string }) => books.make(`${path}/${id}/rectify`, { reason: 'Error' });
    assert.deepEqual(await post(await rectify(general)), ['D 400 121', 'H 608 100', 'H 47200021 21']);
    // A retailer pays 21 % and 5.2 % of surcharge and deducts neither; posted after the regime was left.
    await settle({});
    assert.deepEqual(await post(charged), ['H 400 126.2', 'D 600 126.2']);
    assert.deepEqual(await post(acquired), ['H 400 100', 'D 600 126.2', 'H 47720021 21', 'H 47710520 5.2']);
    assert.deepEqual(await post(await rectify(charged)), ['D 400 126.2', 'H 608 126.2']);
  });

  it('follows the special pro rata, which ignores lines with a percentage of their own', async () => {
    await settle({ proRata: 80, proRataKind: 'special' });
    const lines = [
      service(100, '629', { deductiblePercent: 100 }),
      service(100, '628'),
      service(100, '627', { deductiblePercent: 0 }),
    ];
    const { id } = await invoice(lines);
    const entry = ['H 410 363', 'D 629 100', 'D 628 104.2', 'D 627 121', 'D 47200021 21', 'D 47200021 16.8'];
    assert.deepEqual(await books.enteredFor(id), entry);
    await settle({});
  });

  it('is reduced proportionally by a discount for prompt payment', async () => {
    const { id } = await invoice([service(100, '628', { deductiblePercent: 50 })]);
    const linked = { document_type: 'purchase_invoice', document_id: id, discount: 12.1 };
    const paid = await till.pay('out', 108.9, { linked_documents: [linked] });
    // A tenth of 10.50 lost, and of 10.50 deducted.
    const entry = ['H 572 108.9', 'H 606 10', 'H 628 1.05', 'H 47200021 1.05', 'D 410 121'];
    assert.deepEqual(await books.enteredFor(paid.body.data.id), entry);
  });

  it('keeps its percentage through orders and notes, changes and duplicates', async () => {
    const goods = { itemId: till.itemId, quantity: 2, price: 50, deductiblePercent: 50 };
    const order = await books.make('/api/purchases', { partnerId: till.supplierId, lines: [goods] });
    const note = await books.make(`/api/purchases/${order.id}/receive`);
    const made = await books.make<{ id: string }>(`/api/purchases/delivery-notes/${note.id}/invoice`);
    const read = async (id: string) => (await till.read(`${path}/${id}`)).lines[0];
    assert.deepEqual([(await read(made.id)).deductiblePercent, (await read(made.id)).nonDeductibleTax], [50, 10.5]);
    const copy = await books.make(`${path}/${made.id}/duplicate`);
    assert.equal((await read(copy.id)).deductiblePercent, 50);
    const line = await read(copy.id);
    const changed = await app.client.patch(`${path}/${copy.id}`, { lines: [{ ...line, deductiblePercent: null }] });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    assert.deepEqual(
      [changed.body.data.lines[0].deductiblePercent, changed.body.data.lines[0].nonDeductibleTax],
      [null, 0],
    );
  });

  it('rejects invalid percentages', async () => {
    const sent = async (side: string, partnerId: string, line: Body) => {
      const { status, body } = await app.client.post(`/api/${side}/invoices`, { partnerId, lines: [line] });
      return [status, body.errors?.[0].pointer, body.errors?.[0].code];
    };
    const at = '/lines/0/deductiblePercent';
    const none = service(1, '628', { vatUse: 'none', deductiblePercent: 50 });
    assert.deepEqual(await sent('purchases', till.supplierId, none), [422, at, 'not_applicable']);
    const sold = { description: 'x', quantity: 1, price: 1, taxGroupId, deductiblePercent: 50 };
    assert.deepEqual(await sent('sales', till.customerId, sold), [422, at, 'not_applicable']);
    for (const deductiblePercent of [-1, 100.1, 'half']) {
      const [status, pointer] = await sent('purchases', till.supplierId, service(1, '628', { deductiblePercent }));
      assert.deepEqual([status, pointer], [422, at]);
    }
    assert.equal((await app.client.put('/api/config/tax', { proRata: 101 })).status, 422);
    assert.equal((await app.client.put('/api/config/tax', { proRataKind: 'none' })).status, 422);
  });
});
