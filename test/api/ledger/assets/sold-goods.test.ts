import assert from 'node:assert/strict';
import { openRegister } from '../../../helpers/assets.ts';
import { YEAR } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openTill } from '../../trade/payments/till.ts';
import { openBooks } from '../accounting/books.ts';

describe('sales of investment goods that were used', () => {
  const app = useApp();
  const register = use(() => openRegister(app, YEAR));
  const books = use(() => openBooks(app));
  const till = use(() => openTill(app));

  const sell = async (price: number, tax = 'IVA21') => {
    const [{ id: taxGroupId }] = await till.read(`/api/taxes?code=${tax}`);
    const line = { description: 'Sale', quantity: 1, price, taxGroupId, accountId: books.account('771') };
    const sale = { partnerId: till.customerId, date: `${YEAR}-04-15`, lines: [line] };
    const { id } = await books.make('/api/sales/invoices', sale);
    return await books.make<{ lines: { id: string }[] }>(`/api/sales/invoices/${id}/post`);
  };
  const dispose = async (id: string, price: number, tax?: string) => {
    const [line] = (await sell(price, tax)).lines;
    const answer = await app.client.post(`/api/assets/${id}/dispose`, {
      kind: 'sold',
      date: `${YEAR}-04-15`,
      documentLineId: line?.id,
    });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  };
  const figures = async () => {
    const { operations, operationsWithRight } = await till.read(`/api/pro-rata/${YEAR}`);
    const { boxes } = (await till.read(`/api/reports/tax/model390?year=${YEAR}`)) as { boxes: Record<string, number> };
    return [operationsWithRight, operations, ...['99', '105', '107', '108'].map((box) => boxes[box])];
  };

  it('count for neither the pro rata nor the turnover of the annual return', async () => {
    await sell(3000);
    await sell(2150, 'IVA0');
    assert.deepEqual(await figures(), [3000, 5150, 3000, 2150, 0, 5150]);
    const dear = await register.buy({ cost: 6000 });
    await dispose(dear.id, 2000);
    assert.deepEqual(await figures(), [3000, 5150, 5000, 2150, 2000, 5150]);
    await dispose((await register.buy({ cost: 6000 })).id, 700, 'IVA0');
    assert.deepEqual(await figures(), [3000, 5150, 5000, 2850, 2700, 5150]);
    assert.equal((await app.client.post(`/api/assets/${dear.id}/undo`)).status, 200);
    assert.deepEqual(await figures(), [5000, 7150, 5000, 2850, 700, 7150]);
  });

  it('do not include goods of less than 3,005.06 €, nor what has no body', async () => {
    const before = await figures();
    await dispose((await register.buy({ cost: 1200 })).id, 500);
    const software = register.groups.get('SOFTWARE');
    assert.ok(software);
    await dispose((await register.buy({ groupId: software, cost: 9000 })).id, 500);
    const added = [1000, 1000, 1000, 0, 0, 1000];
    assert.deepEqual(
      await figures(),
      before.map((figure, index) => (figure as number) + (added[index] as number)),
    );
  });
});
