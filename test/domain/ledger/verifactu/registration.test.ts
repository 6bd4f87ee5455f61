import assert from 'node:assert/strict';
import type { StatedTax } from '../../../../domain/ledger/verifactu/breakdown.ts';
import { registrationFaults } from '../../../../domain/ledger/verifactu/faults.ts';
import { type InvoiceFacts, registration } from '../../../../domain/ledger/verifactu/registration.ts';

const tax = (more: Partial<StatedTax> = {}): StatedTax => ({
  kind: 'output',
  operation: 'domestic',
  groupId: 'iva21',
  rate: '21',
  base: '100',
  amount: '21',
  ...more,
});
const facts = (more: Partial<InvoiceFacts> = {}): InvoiceFacts => ({
  company: { name: 'Almacenes Prueba SL', taxId: 'B12345674', taxSet: 'vat' },
  partner: { name: 'Cliente SA', taxId: 'A58818501', country: 'ES' },
  number: 'A26-0001',
  date: '2026-11-20',
  operationDate: null,
  texts: ['Transporte'],
  taxes: [tax()],
  reasons: {},
  rectified: null,
  ...more,
});
const RULES = {
  today: '2026-11-20',
  simplifiedLimit: '400',
  hasCompanyAddress: true,
  hasCustomerAddress: true,
} as const;
const codes = (more: Partial<InvoiceFacts>, rules: Partial<typeof RULES> = {}) =>
  registrationFaults(registration(facts(more)), { ...RULES, ...rules }).map(
    ({ pointer, code }) => `${pointer} ${code}`,
  );

describe('the record of an invoice', () => {
  it('divides it by what is taxed alike, and adds up', () => {
    const made = registration(
      facts({
        taxes: [
          tax(),
          tax({ base: '50', amount: '10.5' }),
          tax({ rate: '10', groupId: 'iva10', amount: '10' }),
          tax({ operation: 'exempt', rate: '0', amount: '0', base: '7' }),
          { ...tax(), kind: 'withholding', amount: '15' },
        ],
      }),
    );
    assert.deepEqual(made.details, [
      { tax: '01', regime: '01', qualification: 'S1', base: '150.00', rate: '21.00', amount: '31.50' },
      { tax: '01', regime: '01', qualification: 'S1', base: '100.00', rate: '10.00', amount: '10.00' },
      { tax: '01', regime: '01', exemption: 'E1', base: '7.00' },
    ]);
    assert.deepEqual([made.taxTotal, made.total], ['41.50', '298.50']);
  });

  it('states IGIC and IPSI by their codes, at rates of their own, and no regime of IPSI', () => {
    const of = (taxSet: 'igic' | 'ipsi', rate: `${number}`) => {
      const company = { ...facts().company, taxSet };
      return { company, taxes: [tax({ rate, amount: rate }), tax({ operation: 'export', rate: '0', amount: '0' })] };
    };
    assert.deepEqual(registration(facts(of('igic', '9.5'))).details, [
      { tax: '03', regime: '01', qualification: 'S1', base: '100.00', rate: '9.50', amount: '9.50' },
      { tax: '03', regime: '02', exemption: 'E2', base: '100.00' },
    ]);
    assert.deepEqual(registration(facts(of('ipsi', '0.5'))).details, [
      { tax: '02', qualification: 'S1', base: '100.00', rate: '0.50', amount: '0.50' },
      { tax: '02', exemption: 'E2', base: '100.00' },
    ]);
    assert.deepEqual([codes(of('igic', '9.5')), codes(of('ipsi', '0.5'))], [[], []]);
  });

  it('says why taxes are not charged', () => {
    const free = (groupId: string, operation: StatedTax['operation']) =>
      tax({ groupId, operation, rate: '0', amount: '0' });
    const made = registration(
      facts({
        taxes: [
          free('ships', 'export'),
          free('goods', 'export'),
          free('zone', 'export'),
          free('gold', 'exempt'),
          free('abroad', 'services_abroad'),
          free('alms', 'not_subject'),
        ],
        reasons: { ships: 'E3', zone: 'E4', gold: 'E6', abroad: 'N2', alms: 'N1' },
      }),
    );
    assert.deepEqual(
      made.details.map(({ regime, qualification, exemption }) => [regime, qualification ?? exemption]),
      [
        ['02', 'E3'],
        ['02', 'E2'],
        ['01', 'E4'],
        ['01', 'E6'],
        ['01', 'N2'],
        ['01', 'N1'],
      ],
    );
  });

  it('has surcharges beside their taxes', () => {
    const surcharge = { kind: 'surcharge', rate: '5.2', amount: '5.2' } as const;
    const retail = { operation: 'surcharge' } as const;
    const made = registration(facts({ taxes: [tax(retail), tax({ ...retail, ...surcharge })] }));
    assert.deepEqual(made.details, [
      {
        tax: '01',
        regime: '01',
        qualification: 'S1',
        base: '100.00',
        rate: '21.00',
        amount: '21.00',
        surchargeRate: '5.20',
        surchargeAmount: '5.20',
      },
    ]);
    assert.equal(made.total, '126.20');
  });

  it('has the key of the cash basis for tax that is pending', () => {
    const pending = { kind: 'pending_output', operation: 'cash_basis' } as const;
    const made = registration(facts({ taxes: [tax(pending)] }));
    assert.deepEqual(made.details, [
      { tax: '01', regime: '07', qualification: 'S1', base: '100.00', rate: '21.00', amount: '21.00' },
    ]);
  });

  it('names what is not taxed by the reason', () => {
    const untaxed = (operation: StatedTax['operation']) => {
      const [detail] = registration(facts({ taxes: [tax({ operation, rate: '0', amount: '0' })] })).details;
      return [detail?.regime, detail?.qualification ?? detail?.exemption, detail?.rate];
    };
    assert.deepEqual(untaxed('intra_eu_goods'), ['01', 'E5', undefined]);
    assert.deepEqual(untaxed('export'), ['02', 'E2', undefined]);
    assert.deepEqual(untaxed('services_abroad'), ['01', 'N2', undefined]);
    assert.deepEqual(untaxed('not_subject'), ['01', 'N1', undefined]);
    assert.deepEqual(untaxed('reverse_charge'), ['01', 'S2', '0.00']);
  });

  it('has sales under the Union scheme by their bases, and the tax of other states in the total alone', () => {
    const made = registration(facts({ taxes: [tax({ operation: 'oss_goods', rate: '20', amount: '20' })] }));
    assert.deepEqual(made.details, [{ tax: '01', regime: '17', qualification: 'N2', base: '100.00' }]);
    assert.deepEqual([made.taxTotal, made.total], ['0.00', '120.00']);
  });

  it('has sales under the margin scheme by their margins, and their prices in the total', () => {
    const margin = { operation: 'margin' } as const;
    const rest = tax({ ...margin, rate: '0', base: '605', amount: '0' });
    const made = registration(facts({ taxes: [tax({ ...margin, base: '500', amount: '105' }), rest] }));
    const taxed = { qualification: 'S1', base: '500.00', rate: '21.00', amount: '105.00' } as const;
    assert.deepEqual(made.details, [{ tax: '01', regime: '03', ...taxed }]);
    assert.deepEqual([made.taxTotal, made.total], ['105.00', '1210.00']);
  });

  it('names recipients by the tax id of their country', () => {
    const recipient = (taxId: string, country: string) =>
      registration(facts({ partner: { name: 'X', taxId, country } })).recipients?.[0];
    assert.deepEqual(recipient('A58818501', 'ES'), { name: 'X', taxId: 'A58818501' });
    const german = { country: 'DE', type: '02', id: 'DE111111125' };
    assert.deepEqual(recipient('DE111111125', 'DE'), { name: 'X', other: german });
    assert.deepEqual(recipient('12-3456789', 'US')?.other, { country: 'US', type: '04', id: '12-3456789' });
  });

  it('has the type of the invoice, and that of the one that it rectifies', () => {
    const rectified = { number: 'A1', date: '2026-11-01' };
    const type = (more: Partial<InvoiceFacts>) => registration(facts(more)).type;
    const nobody = { partner: { name: 'X', taxId: null, country: 'ES' } };
    assert.deepEqual([type({}), type(nobody)], ['F1', 'F2']);
    assert.deepEqual(
      [
        type({ rectified: { ...rectified, type: 'F1' } }),
        type({ rectified: { ...rectified, type: 'F2' } }),
        type({ ...nobody, rectified: { ...rectified, type: null } }),
      ],
      ['R1', 'R5', 'R5'],
    );
    const made = registration(facts({ rectified: { ...rectified, type: 'F1' } }));
    assert.deepEqual(
      [made.rectification, made.rectified],
      ['I', [{ issuer: 'B12345674', number: 'A1', date: '2026-11-01' }]],
    );
  });

  it('says when it was supplied on another day, and what was, once and in 500 characters', () => {
    const { operationDate, description } = registration(
      facts({ operationDate: '2026-11-20', texts: [' A', 'A ', 'B'] }),
    );
    assert.deepEqual([operationDate, description], [undefined, 'A; B']);
    const long = registration(facts({ operationDate: '2026-11-19', texts: ['x'.repeat(600)] }));
    assert.deepEqual([long.operationDate, long.description.length], ['2026-11-19', 500]);
  });

  it('says that it is of a hundred million', () => {
    const large = (base: '100000000' | '99999999.99') =>
      registration(facts({ taxes: [tax({ operation: 'export', rate: '0', amount: '0', base })] })).large;
    assert.deepEqual([large('100000000'), large('99999999.99')], ['S', undefined]);
  });
});

describe('what keeps an invoice from being issued', () => {
  it('is nothing if all is there', () => {
    assert.deepEqual(codes({}), []);
  });

  it('is a number with accents or signs that are reserved, or too long', () => {
    for (const number of ['Ñ1', 'A"1', 'A=1', '<1>', 'A'.repeat(61)])
      assert.deepEqual(codes({ number }), ['/seriesId verifactu_1287'], number);
    assert.deepEqual(codes({ number: 'A&1/2 3' }), []);
  });

  it('is a day to come, or one before there were records', () => {
    assert.deepEqual(codes({ date: '2026-11-21' }), ['/date verifactu_1112']);
    assert.deepEqual(codes({ date: '2024-10-27' }), ['/date verifactu_1152']);
    assert.deepEqual(codes({ date: '2024-10-28' }), []);
    assert.deepEqual(codes({ operationDate: '2026-11-21' }), ['/operationDate verifactu_1173']);
    assert.deepEqual(codes({ operationDate: '2006-11-19' }), ['/operationDate verifactu_1134']);
    assert.deepEqual(codes({ operationDate: '2006-11-20' }), []);
  });

  it('is a customer without a tax id above the limit, with taxes, whatever the sign', () => {
    const partner = { name: 'X', taxId: null, country: 'ES' };
    const of = (base: '330.58' | '330.59' | '-330.59', amount: '69.42' | '-69.42') =>
      codes({ partner, taxes: [tax({ base, amount })] });
    assert.deepEqual(of('330.58', '69.42'), []);
    assert.deepEqual(of('330.59', '69.42'), ['/partnerId verifactu_1150']);
    assert.deepEqual(of('-330.59', '-69.42'), ['/partnerId verifactu_1150']);
    const rectified = { number: 'A1', date: '2026-11-01', type: 'F1' } as const;
    assert.deepEqual(codes({ partner, rectified }), ['/partnerId verifactu_1189']);
  });

  it('is a rate or a surcharge that the law does not have', () => {
    assert.deepEqual(codes({ taxes: [tax({ rate: '18' })] }), ['/lines verifactu_1124']);
    assert.deepEqual(codes({ taxes: [tax({ rate: '0', amount: '0' })] }), []);
    const surcharge = { kind: 'surcharge', rate: '1.4', amount: '1.4' } as const;
    assert.deepEqual(codes({ taxes: [tax(), tax(surcharge)] }), ['/lines verifactu_1127']);
    assert.deepEqual(codes({ taxes: [tax({ rate: '10' }), tax({ ...surcharge })] }), []);
  });

  it('is an intra-EU supply to a customer without a VAT number of another member', () => {
    const taxes = [tax({ operation: 'intra_eu_goods', rate: '0', amount: '0' })];
    assert.deepEqual(codes({ taxes }), ['/partnerId verifactu_1289']);
    const partner = { name: 'X', taxId: 'DE111111125', country: 'DE' };
    assert.deepEqual(codes({ taxes, partner }), []);
  });

  it('is more than twelve ways of taxing', () => {
    const rates = Array.from({ length: 13 }, (_, at) => tax({ rate: `${at + 100}` as `${number}` }));
    assert.ok(codes({ taxes: rates }).includes('/lines verifactu_1195'));
  });

  it('is an address that a full invoice lacks, unless its customer is a person', () => {
    const found = (taxId: string | null, rules: object) =>
      registrationFaults(registration(facts({ partner: { name: 'X', taxId, country: 'ES' } })), {
        ...RULES,
        ...rules,
      }).map(({ pointer, code }) => `${pointer} ${code}`);
    assert.deepEqual(found('A58818501', { hasCustomerAddress: false }), ['/billingAddress no_address']);
    assert.deepEqual(found('A58818501', { hasCompanyAddress: false }), [' no_company_address']);
    assert.deepEqual(found('12345678Z', { hasCustomerAddress: false }), []);
    assert.deepEqual(found(null, { hasCustomerAddress: false, hasCompanyAddress: false }), []);
  });
});
