/** Bills and cash: entered when they are taken, and once more when the bank has the money. */
import assert from 'node:assert/strict';
import { BankDesk } from '../../../helpers/bank-desk.ts';
import { sampleLine } from '../../../helpers/bank-files.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { link, openTill } from '../../trade/payments/till.ts';

describe('bills of exchange', () => {
  const app = useApp();
  const till = use(() => openTill(app));
  const books = use(() => openBooks(app));
  const desk = use(() => new BankDesk(app, till));
  before(async () => {
    await desk.openAccount();
  });

  const pay = async (direction: 'in' | 'out', amount: number, more: Record<string, unknown>) => {
    const answer = await till.pay(direction, amount, more);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data.id as string;
  };

  for (const [direction, side, sign, account, partner, bill] of [
    ['in', 'sales', 1, '431', '430', 'accepted by a customer is collected'],
    ['out', 'purchases', -1, '401', '410', 'accepted for a supplier is paid'],
  ] as const) {
    it(`a bill ${bill} by the line of the bank that shows it; opening the line takes that back`, async () => {
      const { id: invoiceId } = await till.invoice(side, 50);
      const documentType = side === 'sales' ? 'sales_invoice' : 'purchase_invoice';
      const id = await pay(direction, 50, {
        payment_method: 'effects',
        linked_documents: [link(invoiceId, undefined, documentType)],
      });
      const [own, other] = direction === 'in' ? ['D', 'H'] : ['H', 'D'];
      assert.deepEqual(await books.enteredFor(id), [`${own} ${account} 50`, `${other} ${partner} 50`]);
      const [line = ''] = await desk.importLines('2026-03-02', [sampleLine({ amount: `${50 * sign}` })]);
      const { entry_id, payment_ids } = await desk.accepted({ line_id: line, payment_id: id });
      assert.deepEqual(payment_ids, [id]);
      assert.ok(entry_id !== null);
      assert.deepEqual(await books.enteredFor(line), [`${own} 572 50`, `${other} ${account} 50`]);
      assert.equal((await app.client.del(`/api/payments/${direction}/${id}`)).status, 409);
      assert.equal((await desk.reopen([line])).status, 200);
      assert.equal(await books.balance(account), 50 * sign);
      await desk.accepted({ line_id: line, payment_id: id });
      assert.equal(await books.balance(account), 0);
    });
  }

  it('cash that is deposited moves to the bank account, and money already there does not move again', async () => {
    const cash = await pay('in', 70, { payment_method: 'cash' });
    const transfer = await pay('in', 30, {});
    const [one = ''] = await desk.importLines('2026-03-03', [sampleLine({ amount: '100' })]);
    await desk.accepted({ line_id: one, parts: [{ payment_id: cash }, { payment_id: transfer }] });
    assert.deepEqual(await books.enteredFor(one), ['D 572 70', 'H 570 70']);
    const { id: bankAccount } = (await app.client.get('/api/config/bank-accounts')).body.data[0];
    const straight = await pay('in', 20, { payment_method: 'effects', bank_account_id: bankAccount });
    assert.deepEqual(await books.enteredFor(straight), ['D 572 20', 'H 438 20']);
  });
});
