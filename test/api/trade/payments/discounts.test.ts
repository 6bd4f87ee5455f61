import assert from 'node:assert/strict';
import { assertSound, use, useApp } from '../../../helpers/hooks.ts';
import { link, openTill } from './till.ts';

describe('discounts on invoices with withholding', function () {
  this.timeout(60_000);
  const app = useApp();
  const till = use(() => openTill(app));

  // 1,000 + 21 % VAT 210 − 15 % IRPF 150 = 1,060 to pay.
  const withheld = async (side: 'sales' | 'purchases') =>
    (await till.invoice(side, 1000, { taxGroupId: till.taxGroupId, withholdingRate: 15 })).id;

  const paid = async (direction: 'in' | 'out', amount: number, id: string, extras: Record<string, unknown>) => {
    const docType = direction === 'in' ? 'SINV' : 'PINV';
    const answer = await till.pay(direction, amount, { linked_documents: [link(id, amount, docType, extras)] });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    assert.equal(answer.body.data.linked_documents[0].new_status, 'paid');
    return answer.body.data;
  };
  const paymentTax = async (paymentId: string) => {
    const { body } = await app.client.get(`/api/journal-entries?sourceId=${paymentId}`);
    const entry = await till.read(`/api/journal-entries/${body.data[0].id}`);
    return entry.lines.flatMap(({ tax }: { tax: Record<string, unknown> | null }) =>
      tax === null ? [] : [[tax.kind, tax.rectifying, tax.base, tax.amount]],
    );
  };

  it('lowers the base of the withholding as it lowers that of VAT', async () => {
    // 2 % of 1,060 = 21.20: base 20.00 + VAT 4.20 − IRPF 3.00.
    const payment = await paid('in', 1038.8, await withheld('sales'), { discount: 21.2 });
    assert.equal(payment.linked_documents[0].keep_withholding, false);
    const expected = ['572 1038.8 0', '706 20 0', '47700021 4.2 0', '473 0 3', '430 0 1060'];
    assert.deepEqual(await till.entered(payment.id), expected);
    assert.deepEqual(await paymentTax(payment.id), [
      ['output', true, -20, -4.2],
      ['withholding', true, -20, -3],
    ]);
    await assertSound(app.databaseUrl);
  });

  it('leaves the withholding as it was when told so', async () => {
    // 24.20 less is paid: base 20.00 + VAT 4.20; the 150.00 of IRPF stay.
    const payment = await paid('in', 1035.8, await withheld('sales'), { discount: 24.2, keep_withholding: true });
    assert.equal(payment.linked_documents[0].keep_withholding, true);
    const expected = ['572 1035.8 0', '706 20 0', '47700021 4.2 0', '430 0 1060'];
    assert.deepEqual(await till.entered(payment.id), expected);
    await assertSound(app.databaseUrl);
  });

  it('works alike for what suppliers allow', async () => {
    const payment = await paid('out', 1038.8, await withheld('purchases'), { discount: 21.2 });
    assert.deepEqual(await till.entered(payment.id), [
      '572 0 1038.8',
      '606 0 20',
      '47200021 0 4.2',
      '4751 3 0',
      '410 1060 0',
    ]);
    await assertSound(app.databaseUrl);
  });

  it('is entered anew when a change says otherwise, and sent back it changes nothing', async () => {
    const id = await withheld('sales');
    const payment = await paid('in', 1038.8, id, { discount: 21.2 });
    const path = `/api/payments/in/${payment.id}`;
    const same = await app.client.patch(path, { linked_documents: payment.linked_documents });
    assert.deepEqual(same.body.data, payment);
    const keep = [{ ...link(id, 1038.8), discount: 21.2, keep_withholding: true }];
    const changed = await app.client.patch(path, { linked_documents: keep });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    // 21.20 of 1,210: VAT 3.68, base 17.52; the 3.00 of IRPF are withheld again.
    assert.deepEqual((await till.entered(payment.id)).slice(5), [
      '706 0 20',
      '47700021 0 4.2',
      '473 3 0',
      '706 17.52 0',
      '47700021 3.68 0',
    ]);
    await assertSound(app.databaseUrl);
  });
});
