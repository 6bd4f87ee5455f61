import assert from 'node:assert/strict';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openTill } from '../../trade/payments/till.ts';
import { openBooks } from './books.ts';

type Body = Record<string, unknown>;

/** Income tax that is withheld from some lines, or at several rates (decision 0160). */
describe('withholding by line', () => {
  const app = useApp();
  const till = use(() => openTill(app));
  const books = use(() => openBooks(app));
  const path = '/api/purchases/invoices';
  let taxGroupId: unknown;
  before(async () => {
    [{ id: taxGroupId }] = await till.read('/api/taxes?code=IVA21');
  });

  const line = (price: number, more: Body = {}) => ({
    description: 'Servicio',
    quantity: 1,
    price,
    taxGroupId,
    ...more,
  });

  it("is rounded once per rate and entered by rate; lines default to the document's rate", async () => {
    const lines = [line(1000), line(500.05, { withholdingRate: 19 }), line(100, { withholdingRate: 0 }), line(10.1)];
    const body = { partnerId: till.supplierId, withholdingRate: 15, lines };
    const draft = await books.make<{ id: string; withholdingAmount: number; total: number }>(path, body);
    // 15 % of 1,010.10 are 151.515: 151.52; 19 % of 500.05 are 95.0095: 95.01. 1,610.15 + 338.13 − 246.53.
    assert.deepEqual([draft.withholdingAmount, draft.total], [246.53, 1701.75]);
    await books.make(`${path}/${draft.id}/post`);
    const entry = ['H 410 1701.75', 'D 629 1610.15', 'D 47200021 338.13', 'H 4751 151.52', 'H 4751 95.01'];
    assert.deepEqual(await books.enteredFor(draft.id), entry);
    const back = await books.make<{ id: string; withholdingAmount: number }>(`${path}/${draft.id}/rectify`, {
      reason: 'Abono',
    });
    assert.equal(back.withholdingAmount, -246.53);
    const copy = await books.make<{ withholdingAmount: number }>(`${path}/${draft.id}/duplicate`);
    assert.equal(copy.withholdingAmount, 246.53);
  });

  it('rejects invalid rates', async () => {
    for (const withholdingRate of [-1, 101, 'x']) {
      const body = { partnerId: till.supplierId, lines: [line(1, { withholdingRate })] };
      const answer = await app.client.post(path, body);
      assert.deepEqual([answer.status, answer.body.errors[0].pointer], [422, '/lines/0/withholdingRate']);
    }
  });
});
