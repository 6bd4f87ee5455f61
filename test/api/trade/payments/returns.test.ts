import assert from 'node:assert/strict';
import { YEAR } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { link, openTill } from './till.ts';

describe('payments that come back', function () {
  this.timeout(60_000);
  const app = useApp({}, { each: true });
  const till = use(() => openTill(app), { each: true });

  const state = async (id: string, type = 'sales_invoice') => {
    const { remaining, status, payments } = await till.read(`/api/payments/reconciliation/${type}/${id}`);
    return [remaining, status, ...payments.map(({ amount_applied: amount }: { amount_applied: number }) => amount)];
  };
  const aging = async (to: string) => {
    const { summary } = (await app.client.get(`/api/reports/aging?to=${to}`)).body;
    return [summary.total_debt, summary.credit];
  };

  it('open their invoice again, on their own day, and leave the receipt as it was', async () => {
    const { id } = await till.invoice('sales', 90, { date: `${YEAR}-03-01` });
    const receipt = await till.paid(90, [link(id)], { payment_date: `${YEAR}-04-10`, payment_method: 'direct_debit' });
    const back = await till.cameBack(receipt, { date: `${YEAR}-05-20`, notes: 'AM04' });
    assert.deepEqual(
      [back.amount, back.returns, back.payment_method, back.credit, back.linked_documents[0]?.new_status],
      [90, receipt, 'direct_debit', 0, 'pending'],
    );
    // Bank and customer the other way round; the receipt's own entry stands.
    assert.deepEqual(await till.entered(back.id), ['572 0 90', '430 90 0']);
    assert.deepEqual(await till.entered(receipt), ['572 90 0', '430 0 90']);
    assert.deepEqual(await state(id), [90, 'pending', 90, -90]);
    assert.equal((await app.client.get(`/api/sales/invoices/${id}`)).body.data.status, 'O');
    const { returned_by: by, linked_documents: links } = await till.read(`/api/payments/in/${receipt}`);
    assert.deepEqual([by, links[0].amount_applied], [back.id, 90]);
    // Open, paid, and open again, each on its days.
    assert.deepEqual(await aging(`${YEAR}-04-01`), [90, 0]);
    assert.deepEqual(await aging(`${YEAR}-05-01`), [0, 0]);
    assert.deepEqual(await aging(`${YEAR}-05-31`), [90, 0]);
    // After a new payment, the return cannot be undone.
    await till.paid(90, [link(id)]);
    assertProblem(await app.client.del(`/api/payments/out/${back.id}`), 409, 'invalid_transition');
  });

  it('also from a period that is closed, but not into one', async () => {
    const { id } = await till.invoice('sales', 90, { date: `${YEAR}-03-01` });
    const receipt = await till.paid(90, [link(id)], { payment_date: `${YEAR}-03-10` });
    const [period] = await till.read(`/api/periods?from=${YEAR}-03-01`);
    assert.equal((await app.client.patch(`/api/periods/${period.id}`, { status: 'C' })).status, 200);
    assertProblem(await till.comesBack(receipt, { date: `${YEAR}-03-20` }), 409, 'period_closed');
    assert.deepEqual(await state(id), [0, 'paid', 90]);
    await till.cameBack(receipt);
    assert.deepEqual(await state(id), [90, 'pending', 90, -90]);
  });

  it('take back withholding and write-off, what was left as credit, and advances', async () => {
    const { id } = await till.invoice('sales', 100);
    const lines = [{ description: 'Servicio', quantity: 1, price: 50, taxGroupId: till.taxGroupId }];
    const order = (await app.client.post('/api/sales', { partnerId: till.customerId, lines })).body.data.id;
    // 84 + 15 withheld + 1 lost pay the invoice; 10 of 100 is an advance, and 6 are left.
    const receipt = await till.paid(100, [
      link(id, 84, 'sales_invoice', { withholding: 15, write_off: 1 }),
      link(order, 10, 'sales_order'),
    ]);
    assert.deepEqual(await till.entered(receipt), ['572 100 0', '473 15 0', '659 1 0', '438 0 16', '430 0 100']);
    const back = await till.cameBack(receipt);
    assert.deepEqual(await till.entered(back.id), ['572 0 100', '473 0 15', '659 0 1', '438 16 0', '430 100 0']);
    assert.deepEqual(await state(id), [100, 'pending', 84, -84]);
    assert.deepEqual((await state(order, 'sales_order')).slice(0, 1), [60.5]);
    assert.deepEqual(await aging(till.today), [100, 0]);
    // Undone, the receipt stands again; its advance has become credit.
    assert.equal((await app.client.del(`/api/payments/out/${back.id}`)).status, 204);
    assert.deepEqual(await state(id), [0, 'paid', 84]);
    assert.deepEqual(await aging(till.today), [0, 16]);
  });

  it('with fees that the company bears, or charges to the customer', async () => {
    const [one, other] = [(await till.invoice('sales', 90)).id, (await till.invoice('sales', 40)).id];
    const own = await till.cameBack(await till.paid(90, [link(one)]), { fees: 5.5 });
    assert.deepEqual(await till.entered(own.id), ['572 0 90', '430 90 0', '626 5.5 0', '572 0 5.5']);
    const charged = await till.cameBack(await till.paid(40, [link(other)]), { fees: 3, fees_borne_by: 'partner' });
    assert.deepEqual(await till.entered(charged.id), ['572 0 40', '430 40 0', '430 3 0', '572 0 3']);
    const [item] = await till.read('/api/open-items?outstanding[ne]=0');
    assert.deepEqual([item.total, item.partner_id, item.account_code], [3, till.customerId, '430']);
    // 90 + 40 + 3 are owed again; the 3 are paid like an invoice, and then hold the return.
    assert.deepEqual(await aging(till.today), [133, 0]);
    const fee = await till.paid(3, [link(item.id, 3, 'open_item')]);
    assertProblem(await app.client.del(`/api/payments/out/${charged.id}`), 409, 'in_use');
    await app.client.del(`/api/payments/in/${fee}`);
    assert.equal((await app.client.del(`/api/payments/out/${charged.id}`)).status, 204);
    assert.deepEqual(await aging(till.today), [90, 0]);
  });

  it('open the instalment that they paid', async () => {
    const lines = [{ percent: 50, days: 30 }, { days: 60 }];
    const terms = await app.client.post('/api/payment-terms', { code: 'HALVES', name: 'Halves', lines });
    const { id } = await till.invoice('sales', 90, { paymentTermsId: terms.body.data.id });
    const open = async () =>
      (await till.read(`/api/sales/invoices/${id}`)).instalments.map((one: { outstanding: number }) => one.outstanding);
    const receipt = await till.paid(45, [link(id, 45, 'sales_invoice', { instalment: 2 })]);
    assert.deepEqual(await open(), [45, 0]);
    const back = await till.cameBack(receipt);
    assert.deepEqual(await open(), [45, 45]);
    assert.equal((await app.client.del(`/api/payments/out/${back.id}`)).status, 204);
    assert.deepEqual(await open(), [45, 0]);
  });

  it('of a transfer to a supplier', async () => {
    const { id } = await till.invoice('purchases', 70);
    const answer = await till.pay('out', 70, { linked_documents: [link(id, 70, 'purchase_invoice')] });
    const back = await till.cameBack(answer.body.data.id, {}, 'out');
    assert.deepEqual(await till.entered(back.id), ['572 70 0', '410 0 70']);
    assert.deepEqual(await state(id, 'purchase_invoice'), [70, 'pending', 70, -70]);
    assert.deepEqual((await till.read(`/api/payments/in/${back.id}`)).returns, answer.body.data.id);
  });

  it('stay spent when reference and notes change, and so do their returns', async () => {
    const { id } = await till.invoice('sales', 90);
    const receipt = await till.paid(90, []);
    const back = await till.cameBack(receipt);
    const changed = { reference: 'PO 4711', notes: 'Sin fondos' };
    for (const path of [`/api/payments/in/${receipt}`, `/api/payments/out/${back.id}`]) {
      const { status, body } = await app.client.patch(path, changed);
      assert.deepEqual(
        [status, body.data.reference, body.data.amount_applied, body.data.credit],
        [200, 'PO 4711', 90, 0],
      );
    }
    assertProblem(await app.client.post(`/api/payments/in/${receipt}/apply`, { mode: 'by_date' }), 409, 'nothing_open');
    assert.deepEqual(await state(id), [90, 'pending']);
  });

  it('are refused where nothing can come back', async () => {
    const { id } = await till.invoice('sales', 90);
    const receipt = await till.paid(90, [link(id)]);
    assertProblem(await till.comesBack(id), 404, 'not_found');
    assertProblem(await till.comesBack(receipt, {}, 'out'), 404, 'not_found');
    for (const [more, pointer] of [
      [{ date: `${YEAR - 1}-12-31` }, '/date'],
      [{ fees: 1.005 }, '/fees'],
      [{ fees: -1 }, '/fees'],
      [{ fees_borne_by: 'partner' }, '/fees_borne_by'],
      [{ fees: 1, fees_borne_by: 'bank' }, '/fees_borne_by'],
      [{ bank_account_id: id }, '/bank_account_id'],
    ] as const) {
      const answer = await till.comesBack(receipt, more);
      assertProblem(answer, 422, 'validation_failed');
      assert.equal(answer.body.errors[0].pointer, pointer);
    }
    assert.deepEqual(await state(id), [0, 'paid', 90]);
    const back = await till.cameBack(receipt);
    assertProblem(await till.comesBack(receipt), 409, 'invalid_transition');
    assertProblem(await till.comesBack(back.id, {}, 'out'), 409, 'invalid_transition');
    assertProblem(await app.client.del(`/api/payments/in/${receipt}`), 409, 'in_use');
    const changed = { linked_documents: [] };
    assertProblem(await app.client.patch(`/api/payments/in/${receipt}`, changed), 409, 'invalid_transition');
    assertProblem(await app.client.post(`/api/payments/in/${receipt}/apply`, { mode: 'by_date' }), 409, 'nothing_open');
  });
});
