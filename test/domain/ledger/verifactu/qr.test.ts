import assert from 'node:assert/strict';
import { lookupUrl } from '../../../../domain/ledger/verifactu/qr.ts';

describe('the address in the QR code of an invoice', () => {
  const invoice = { issuer: '89890001K', number: '12345678&G33', date: '2024-01-01' };

  it('names issuer, number, date and total, encoded', () => {
    const query = 'nif=89890001K&numserie=12345678%26G33&fecha=01-01-2024&importe=241.40';
    const lookup = 'https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR';
    assert.equal(lookupUrl('production', invoice, '241.4'), `${lookup}?${query}`);
    const spaced = { ...invoice, number: 'A 1/Ñ' };
    assert.match(lookupUrl('production', spaced, '-0.5'), /numserie=A%201%2F%C3%91&fecha=01-01-2024&importe=-0\.50$/);
  });

  it('leads to the test service where records are sent there', () => {
    assert.match(lookupUrl('test', invoice, '1'), /^https:\/\/prewww2\.aeat\.es\/wlpl\/TIKE-CONT\/ValidarQR\?/);
  });
});
