import assert from 'node:assert/strict';
import { type File420, file420 } from '../../../../domain/ledger/tax-returns/file420.ts';
import { model420 } from '../../../../domain/ledger/tax-returns/model420.ts';
import type { TaxTotal } from '../../../../domain/ledger/tax-returns/totals.ts';
import { taxTotal } from '../../../helpers/tax-totals.ts';

const COMPANY = {
  ...{ name: 'Almacenes Güímar & Hijos', taxId: 'B12345674', address: 'Triana 1', zipCode: '35002', phone: null },
} as const;

function write(totals: readonly TaxTotal[], more: Partial<File420> = {}): string {
  const { boxes, type } = model420({ totals, carried: '10', refund: false, overrides: more.boxes ?? {} });
  const place = { streetType: 'CL', municipality: '35016', cashBasis: false, receiptNumber: null, account: null };
  return file420({ period: { year: 2026, period: '1T' }, company: COMPANY, ...place, ...more, boxes, type });
}

describe('the file of model 420', () => {
  it('has each rate, what is deducted, and the result, in cents', () => {
    const taxes = [
      ...(['0', '5', '9.5'] as const).map((rate) => taxTotal('output', 100, { rate })),
      taxTotal('output', -20, { rate: '7', rectifying: true }),
      taxTotal('input', 300, { rate: '7' }),
      taxTotal('output', 40, { operation: 'export', rate: '0' }),
      taxTotal('pending_input', 50, { operation: 'cash_basis', rate: '7' }),
    ];
    const [first, document] = write(taxes).split('\n');
    assert.equal(first, '<?xml version="1.0" encoding="ISO-8859-1"?>');
    // 0 + 5 + 9.5 − 1.4 = 13.1 charged, 21 deducted: −7.9, less the credit of 10.
    const company =
      '<OTP NIF="B12345674" NRS="ALMACENES GÜÍMAR &amp; HIJOS" SVP="CL" NVP="TRIANA 1" POP="35" CMU="35016" CP="35002" PAI="ES"></OTP>';
    assert.equal(
      document,
      [
        `<DEC MOD="420" ANY="2026" PER="1T"><IDE ACO="N" RECC="N" DRECC="S" EOP="N" ACR="N">${company}</IDE>`,
        '<IGI_DEV TOT="1310"><DEV BAS="10000" TIP="000" CUO="000"></DEV><DEV BAS="10000" TIP="500" CUO="500"></DEV>',
        '<DEV BAS="10000" TIP="950" CUO="950"></DEV><MBC BAS="-2000" CUO="-140"></MBC></IGI_DEV>',
        '<IGI_DED TOT="2100"><OIC BAS="30000" CUO="2100"></OIC></IGI_DED>',
        '<LIQ DIF="-790" RCU="000" CPA="1000" DAC="000" RLI="-1790"></LIQ><RES TIP="C" IMP="1790"></RES>',
        '<ADI EOA="4000" ODD="000"></ADI><RCC><IAB BAS="5000" CUO="350"></IAB></RCC></DEC>',
      ].join(''),
    );
  });

  it('tells a quarter without activity from one whose result is nothing', () => {
    const none = { '43': '0' } as const;
    assert.match(write([], { boxes: none }), /<\/IDE><RES TIP="S"><\/RES><\/DEC>/);
    const even = [taxTotal('output', 100, { rate: '7' }), taxTotal('input', 100, { rate: '7' })];
    assert.match(write(even, { boxes: none }), /RLI="000"><\/LIQ><RES TIP="C" IMP="000">/);
  });

  it('names what it complements, the cash basis and the account of a refund', () => {
    const more = { receiptNumber: '4202026000001', cashBasis: true, account: 'ES9121000418450200051332' };
    const text = write([taxTotal('output', 1000, { rate: '7' })], { ...more, boxes: { '44': '50' } });
    assert.match(
      text,
      /PER="1T" COM="X" NJA="4202026000001">.* RECC="S" .*DAC="5000".* IBAN="ES9121000418450200051332"/,
    );
  });
});
