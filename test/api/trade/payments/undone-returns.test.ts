/** Returns of payments that are deleted, and the days that returns can have. */
import assert from 'node:assert/strict';
import { YEAR } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { link, openTill } from './till.ts';

describe('returns of payments that are undone', function () {
  this.timeout(60_000);
  const app = useApp({}, { each: true });
  const till = use(() => openTill(app), { each: true });

  const undone = (id: string) => app.client.del(`/api/payments/out/${id}`);
  const invoice = async (id: string) => {
    const { status, paid_total, paidTotal } = await till.read(`/api/sales/invoices/${id}`);
    return [status, paid_total ?? paidTotal];
  };

  it('leave a cancelled invoice unpaid', async () => {
    const { id } = await till.invoice('sales', 100);
    const { id: back } = await till.cameBack(await till.paid(100, [link(id)]));
    assert.equal((await app.client.post(`/api/sales/invoices/${id}/cancel`, {})).status, 200);
    // 0 of 100 are paid; the receipt's 100 would be paid on what nobody owes any more.
    assertProblem(await undone(back), 409, 'invalid_transition');
    assert.deepEqual(await invoice(id), ['X', 0]);
  });

  it('restore what was paid beyond the invoice', async () => {
    const alone = (await till.invoice('sales', 100)).id;
    // 150 on 100 leave −50; back are 150 − 150 = 0, and undone 150 again.
    const { id: back } = await till.cameBack(await till.paid(150, [link(alone, 150)]));
    assert.deepEqual(await invoice(alone), ['O', 0]);
    assert.equal((await undone(back)).status, 204);
    assert.deepEqual(await invoice(alone), ['C', 150]);
  });

  it('restore one of two receipts that were too much, unless more was paid since', async () => {
    const { id } = await till.invoice('sales', 100);
    await till.paid(60, [link(id)]);
    // 60 + 60 on 100 are 20 too much; with one back 60 are paid, and undone 120 again.
    const receipt = await till.paid(60, [link(id, 60)]);
    const { id: back } = await till.cameBack(receipt);
    assert.deepEqual(await invoice(id), ['O', 60]);
    assert.equal((await undone(back)).status, 204);
    assert.deepEqual(await invoice(id), ['C', 120]);
    const { id: again } = await till.cameBack(receipt);
    // 60 + 40 pay it; 60 more would be 160, of which 40 came since.
    const other = await till.paid(40, [link(id)]);
    assertProblem(await undone(again), 409, 'invalid_transition');
    assert.equal((await app.client.del(`/api/payments/in/${other}`)).status, 204);
    assert.equal((await undone(again)).status, 204);
    assert.deepEqual(await invoice(id), ['C', 120]);
  });

  it('restore two receipts that were too much together, in any order', async () => {
    for (const first of [0, 1]) {
      const { id } = await till.invoice('sales', 100);
      // 60 + 60 on 100: 20 too much, and the second receipt said so. Both come back: 120 − 60 − 60 = 0.
      const receipts = [await till.paid(60, [link(id)]), await till.paid(60, [link(id, 60)])];
      const backs = [(await till.cameBack(receipts[0] as string)).id, (await till.cameBack(receipts[1] as string)).id];
      assert.deepEqual(await invoice(id), ['O', 0]);
      assert.equal((await undone(backs[first] as string)).status, 204);
      assert.deepEqual(await invoice(id), ['O', 60]);
      assert.equal((await undone(backs[1 - first] as string)).status, 204);
      assert.deepEqual(await invoice(id), ['C', 120]);
    }
  });

  it('stay where two receipts never paid the invoice together', async () => {
    const { id } = await till.invoice('sales', 100);
    const one = (await till.cameBack(await till.paid(100, [link(id)]))).id;
    const other = (await till.cameBack(await till.paid(100, [link(id)]))).id;
    // 100 came back and was paid anew, which came back too. One of them stands again; both would be 200 of 100.
    assert.equal((await undone(one)).status, 204);
    assertProblem(await undone(other), 409, 'invalid_transition');
    assert.deepEqual(await invoice(id), ['C', 100]);
  });

  it('stay where something was paid since, whatever else came back meanwhile', async () => {
    const { id } = await till.invoice('sales', 100);
    const receipts = [await till.paid(60, [link(id)]), await till.paid(60, [link(id, 60)])];
    const second = (await till.cameBack(receipts[1] as string)).id;
    await till.cameBack(receipts[0] as string);
    const since = await till.paid(50, [link(id)]);
    // 50 + 60 are 110 of 100, and the 50 came last: −60 of the other return do not count against them.
    assertProblem(await undone(second), 409, 'invalid_transition');
    assert.equal((await app.client.del(`/api/payments/in/${since}`)).status, 204);
    assert.equal((await undone(second)).status, 204);
    assert.deepEqual(await invoice(id), ['O', 60]);
  });

  it('stay where the instalment that they paid was paid since', async () => {
    const lines = [{ percent: 50, days: 30 }, { days: 60 }];
    const terms = await app.client.post('/api/payment-terms', { code: 'HALVES', name: 'Halves', lines });
    const { id } = await till.invoice('sales', 90, { paymentTermsId: terms.body.data.id });
    const half = () => till.paid(45, [link(id, 45, 'sales_invoice', { instalment: 2 })]);
    const back = (await till.cameBack(await half())).id;
    const anew = await half();
    // 45 + 45 are the 90 of the invoice, but of the second instalment 90 of 45.
    assertProblem(await undone(back), 409, 'invalid_transition');
    assert.equal((await app.client.del(`/api/payments/in/${anew}`)).status, 204);
    assert.equal((await undone(back)).status, 204);
    assert.deepEqual(await invoice(id), ['O', 45]);
  });

  it('stay where more was paid since than the invoice was of', async () => {
    const { id } = await till.invoice('sales', 100);
    const { id: back } = await till.cameBack(await till.paid(100, [link(id)]));
    // 250 since leave 100 − 250 = −150, further from zero than the 100 given back.
    await till.paid(250, [link(id, 250)]);
    assertProblem(await undone(back), 409, 'invalid_transition');
    assert.deepEqual(await invoice(id), ['C', 250]);
  });

  it('have no day on which the payment had not settled anything yet', async () => {
    const receipt = await till.paid(100, [], { payment_date: `${YEAR}-03-01` });
    const { id } = await till.invoice('sales', 100, { date: `${YEAR}-03-20` });
    const applied = { linked_documents: [link(id)] };
    assert.equal((await app.client.patch(`/api/payments/in/${receipt}`, applied)).status, 200);
    // The credit of 1 March settles the invoice on the 20th. Back on the 10th, the invoice would have −100 settled until then.
    for (const day of ['10', '19']) {
      const answer = await till.comesBack(receipt, { date: `${YEAR}-03-${day}` });
      assertProblem(answer, 422, 'validation_failed');
      assert.deepEqual([answer.body.errors[0].pointer, answer.body.errors[0].code], ['/date', 'out_of_range']);
    }
    await till.cameBack(receipt, { date: `${YEAR}-03-20` });
    const debt = async (to: string) => {
      const { summary } = (await app.client.get(`/api/reports/aging?to=${YEAR}-03-${to}`)).body;
      return [summary.total_debt, summary.credit];
    };
    assert.deepEqual(
      [await debt('10'), await debt('19'), await debt('20')],
      [
        [0, 100],
        [0, 100],
        [100, 0],
      ],
    );
  });
});
