/** Lines of the VAT books in the codes of the tax agency. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { goodType } from '../../../../domain/ledger/tax-returns/vat-book-goods.ts';
import {
  type Booked,
  type BookedPurchase,
  type BookedSale,
  boughtAs,
  boughtFor,
  issuedType,
  issuer,
  paymentMeans,
  receivedType,
  recipient,
  seriesAndNumber,
  taxDeducted,
  taxDue,
} from '../../../../domain/ledger/tax-returns/vat-books.ts';

const PARTNER = { name: 'Ana', taxId: '12345678Z', country: 'ES' };
const COMPANY = { name: 'Nosotros', taxId: 'B12345674', country: 'ES' };
const BOOKED: Booked = {
  ...{
    phase: 'invoice',
    operation: 'domestic',
    rectifying: false,
    groupId: 'g',
    rate: '21',
    base: '100',
    amount: '21',
  },
  ...{ isDocument: true, partner: PARTNER, rectified: null, rectificationType: null },
};
const sale = (more: Partial<BookedSale> = {}): BookedSale => ({
  ...BOOKED,
  ...{ recordType: null, exchanged: false, reason: null, surcharge: '0', untaxed: '0' },
  ...more,
});
const purchase = (more: Partial<BookedPurchase> = {}): BookedPurchase => ({ ...BOOKED, deductible: '21', ...more });
const NOBODY = { ...PARTNER, taxId: null };

describe('lines of the VAT books', () => {
  it('type sales by their record, else by recipient and correction', () => {
    const types = [
      sale(),
      sale({ partner: NOBODY }),
      sale({ exchanged: true }),
      sale({ recordType: 'R3' }),
      sale({ rectified: { taxId: 'A' }, rectificationType: 'R4' }),
      sale({ rectified: { taxId: null } }),
      sale({ isDocument: false, rectifying: true }),
    ].map(issuedType);
    assert.deepEqual(types, ['F1', 'F2', 'F3', 'R3', 'R4', 'R5', 'R1']);
    assert.equal(recipient(sale(), 'F2').name, 'VENTAS A CONSUMIDOR FINAL');
  });

  it('type purchases, and name who issued them', () => {
    const proRata = purchase({
      groupId: null,
      rate: '0',
      base: '0',
      amount: '-5',
      deductible: '-5',
      isDocument: false,
    });
    const bought = [
      purchase(),
      purchase({ partner: NOBODY }),
      purchase({ operation: 'import' }),
      purchase({ partner: null, isDocument: false }),
      purchase({ rectified: { taxId: 'A' } }),
      proRata,
    ];
    assert.deepEqual(bought.map(receivedType), ['F1', 'F2', 'F5', 'F6', 'R1', 'SF']);
    const names = bought.map((one) => issuer(one, COMPANY).name);
    assert.deepEqual(names, ['Ana', 'Ana', 'Nosotros', '', 'Ana', 'AJUSTE PRORRATA DEFINITIVA']);
  });

  it('count the base alone where the company owes the tax itself', () => {
    const of = (operation: Booked['operation']) => {
      const bought = purchase({ operation });
      return [boughtAs(bought).key, boughtAs(bought).reversed, boughtFor(bought)];
    };
    assert.deepEqual(of('domestic'), ['01', false, '121']);
    assert.deepEqual(of('intra_eu_goods'), ['09', false, '100']);
    assert.deepEqual(of('reverse_charge'), ['01', true, '100']);
    assert.deepEqual(of('services_from_abroad'), ['01', true, '100']);
    assert.deepEqual(of('cash_basis'), ['07', false, '121']);
  });

  it('declare tax of the cash basis with its payments', () => {
    assert.deepEqual(
      [taxDue(sale({ phase: 'pending' })), taxDue(sale({ phase: 'payment', surcharge: '5' }))],
      ['0', '26'],
    );
    assert.deepEqual([taxDeducted(purchase({ phase: 'pending' })), taxDeducted(purchase())], ['0', '21']);
    const means = (['transfer', 'cheque', 'direct_debit', 'cash', null] as const).map((method) =>
      paymentMeans({ method, atEnd: false }),
    );
    assert.deepEqual([...means, paymentMeans({ method: null, atEnd: true })], ['01', '02', '05', '04', '04', '03']);
  });

  it('divide numbers by the prefix of their series, and name goods by their accounts', () => {
    assert.deepEqual(seriesAndNumber('F26-00012', 'F26-'), { series: 'F26-', number: '00012' });
    assert.deepEqual(seriesAndNumber('00012', ''), { series: null, number: '00012' });
    assert.deepEqual(['21300001', '206', '2110', '200', null].map(goodType), ['21', '33', '12', '39', '29']);
  });
});
