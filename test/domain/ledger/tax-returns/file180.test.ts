/** The file of model 180 for the tax agency. */
import assert from 'node:assert/strict';
import {
  DECLARANT_180,
  file180,
  isNegative180,
  LANDLORD_180,
  missing180,
  type Rent180,
} from '../../../../domain/ledger/tax-returns/file180.ts';
import type { Field } from '../../../../domain/ledger/tax-returns/fixed-width.ts';
import { RECORD_LENGTH } from '../../../../domain/ledger/tax-returns/informative.ts';
import type { RentedPlace } from '../../../../domain/ledger/tax-returns/model115.ts';

const declarant = { name: 'Peñón S.L.', taxId: 'B12345674', phone: '968123456', sequence: 0, receiptNumber: null };
const at = (record: string, from: number, to: number) => record.slice(from - 1, to);
const split = (file: string) => file.split('\r\n').slice(0, -1);

const shop: RentedPlace = {
  ...{ id: '1', name: 'Tienda', cadastralReference: '9872023VH5797S0001WX', streetType: 'CL', street: 'Mayor' },
  ...{ number: 5, stairs: 'A', floor: 'BJ', door: '2', details: null, municipality: 'Alicante' },
  ...{ municipalityCode: '03014', zipCode: '03001' },
};
const rent: Rent180 = {
  ...{ name: 'Casa S.A.', nif: 'A08001851', province: '08', rate: '19', base: '12000.5', withheld: '2280.1' },
  property: shop,
};

describe('the file of model 180', () => {
  it('has a record of the company with the sums, and one for each property', () => {
    const [first = '', second = ''] = split(file180(2026, declarant, [rent]));
    assert.deepEqual([first.length, second.length], [RECORD_LENGTH, RECORD_LENGTH]);
    assert.equal(at(first, 1, 57), `11802026B12345674${'PEÑÓN S.L.'.padEnd(40)}`);
    assert.equal(at(first, 108, 175), `1802026000001  ${'0'.repeat(13)}000000001 000000001200050000000000228010`);
    assert.equal(at(second, 18, 78), `A08001851${' '.repeat(9)}${'CASA S.A.'.padEnd(40)}081`);
    assert.equal(at(second, 79, 114), ' 00000012000501900000000022801000001');
    assert.equal(at(second, 115, 189), `9872023VH5797S0001WXCL   ${'MAYOR'.padEnd(50)}`);
    assert.equal(at(second, 190, 215), 'NUM00005         A  BJ 2  ');
    assert.equal(at(second, 216, 285).trim(), '');
    assert.equal(at(second, 286, 327), `${'ALICANTE'.padEnd(30)}030140303001`);
    assert.equal(at(second, 328, 500).trim(), '');
  });

  it('tells where a property is', () => {
    const places: Partial<RentedPlace>[] = [
      { zipCode: '28001' },
      { zipCode: '48001' },
      { zipCode: '31001' },
      { cadastralReference: null },
    ];
    const rents = places.map((place) => ({ ...rent, property: { ...shop, number: null, ...place } }));
    const [, ...records] = split(file180(2026, declarant, rents));
    assert.deepEqual(
      records.map((record) => at(record, 114, 114)),
      ['1', '2', '3', '4'],
    );
    assert.equal(at(records[0] ?? '', 190, 197), 'S/N00000');
  });

  it('takes back rents, but no tax', () => {
    const back: Rent180 = { ...rent, base: '-100', withheld: '0' };
    const [first = '', second = ''] = split(file180(2026, declarant, [back]));
    assert.deepEqual([at(first, 145, 160), at(second, 79, 92)], ['N000000000010000', 'N0000000010000']);
    assert.deepEqual([back, { withheld: '-19' } as const].map(isNegative180), [false, true]);
  });

  it('has fields that do not overlap', () => {
    for (const design of [DECLARANT_180, LANDLORD_180]) {
      const fields = (Object.values(design) as Field[]).toSorted(([one], [other]) => one - other);
      for (const [index, [from, length]] of fields.entries()) {
        const [before, width] = fields[index - 1] ?? [1, 0];
        assert.ok(from >= before + width && from + length - 1 <= RECORD_LENGTH, String(from));
      }
    }
  });

  it('needs to know who and where the landlord is, and which property', () => {
    const known = { partnerId: 'p', name: 'Casa', nif: 'A08001851', province: '08', property: shop };
    assert.deepEqual(missing180(known), []);
    assert.deepEqual(
      missing180({ ...known, nif: null, province: null, property: null }).map(({ record, member }) => [record, member]),
      [
        ['/api/partners/p', 'nif'],
        ['/api/partners/p/addresses', 'zipCode'],
        ['/api/rented-properties?partnerId=p', 'property'],
      ],
    );
  });
});
