import assert from 'node:assert/strict';
import { epcPayload } from '../../../../domain/bank/sepa/epc-qr.ts';

describe('the QR code of a transfer', () => {
  const order = { name: ' Café\nCentral ', iban: 'es91 2100 0418', bic: null, amount: '12.3', text: 'F-1' } as const;

  it('says whom to pay, how much and why', () => {
    const lines = epcPayload(order)?.split('\n');
    const head = ['BCD', '002', '1', 'SCT', '', 'Café Central', 'ES9121000418', 'EUR12.30'];
    assert.deepEqual(lines, [...head, '', '', 'F-1']);
    assert.equal(epcPayload({ ...order, bic: 'BBVAESMM' })?.split('\n')[4], 'BBVAESMM');
    assert.equal(epcPayload({ ...order, name: 'x'.repeat(100) })?.split('\n')[5]?.length, 70);
  });

  it('is none for what cannot be transferred', () => {
    for (const amount of ['0', '-5', '0.001', '1000000000'] as const)
      assert.equal(epcPayload({ ...order, amount }), null);
  });
});
