/** The file of model 193 for the tax agency. */
import assert from 'node:assert/strict';
import {
  DECLARANT_193,
  file193,
  type Income193,
  isNegative193,
  missing193,
  RECIPIENT_193,
} from '../../../../domain/ledger/tax-returns/file193.ts';
import type { Field } from '../../../../domain/ledger/tax-returns/fixed-width.ts';
import { RECORD_LENGTH } from '../../../../domain/ledger/tax-returns/informative.ts';
import { capitalKey } from '../../../../domain/ledger/tax-returns/model123.ts';

const declarant = { name: 'Peñón S.L.', taxId: 'B12345674', phone: '968123456', sequence: 0, receiptNumber: null };
const at = (record: string, from: number, to: number) => record.slice(from - 1, to);
const split = (file: string) => file.split('\r\n').slice(0, -1);

const dividend: Income193 = {
  ...{ key: 'A', nature: '02', name: 'Eva Soto', nif: '00000000T', province: '03', accruedOn: '2026-06-30' },
  ...{ rate: '19', base: '1000', withheld: '190' },
};
const interest: Income193 = { ...dividend, key: 'B', nature: '03', accruedOn: null, base: '200.5', withheld: '38.1' };

describe('the file of model 193', () => {
  it('has a record of the company with the sums, and one for each income', () => {
    const [first = '', second = '', third = ''] = split(file193(2026, declarant, [dividend, interest]));
    assert.deepEqual([first.length, second.length, third.length], [500, 500, 500]);
    assert.equal(at(first, 136, 189), '000000002000000000120050000000000022810000000000022810');
    assert.equal(at(first, 220, 234), '0'.repeat(15));
    assert.equal(at(second, 18, 95), `00000000T${' '.repeat(9)}${'EVA SOTO'.padEnd(40)} 031B12345674   A021`);
    assert.equal(at(second, 118, 138), '000010000000100000   ');
    assert.equal(at(second, 139, 181), `${'0'.repeat(13)}000000010000019000000000019000`);
    assert.equal(at(second, 249, 261), '0000000019000');
    assert.equal(at(second, 314, 339), `00000001${' '.repeat(9)}30062026D`);
    assert.equal(at(third, 92, 95), 'B031');
    assert.equal(at(third, 315, 339), `0000002${' '.repeat(9)}00000000D`);
    assert.equal(at(third, 340, 500).trim(), '');
  });

  it('has fields that do not overlap', () => {
    for (const design of [DECLARANT_193, RECIPIENT_193]) {
      const fields = (Object.values(design) as Field[]).toSorted(([one], [other]) => one - other);
      for (const [index, [from, length]] of fields.entries()) {
        const [before, width] = fields[index - 1] ?? [1, 0];
        assert.ok(from >= before + width && from + length - 1 <= RECORD_LENGTH, String(from));
      }
    }
  });

  it('cannot have what is below 0', () => {
    const back: Income193 = { ...interest, base: '-1' };
    assert.deepEqual([dividend, back].map(isNegative193), [false, true]);
  });

  it('needs to know who and where the recipient is', () => {
    const known = { partnerId: 'p', name: 'Eva', nif: '00000000T', province: '03' };
    assert.deepEqual(missing193(known), []);
    const asked = (more: object) => missing193({ ...known, ...more }).map(({ record, member }) => [record, member]);
    assert.deepEqual(asked({ nif: null, province: null }), [
      ['/api/partners/p', 'nif'],
      ['/api/partners/p/addresses', 'zipCode'],
    ]);
    assert.deepEqual(asked({ partnerId: null, name: null }), [[null, 'partnerId']]);
  });

  it('has interest of related people under a key of its own', () => {
    const loan = { kind: 'interest', isOfBonds: false, isRelated: false, nif: '00000000T', country: 'ES' } as const;
    const keys = [
      { ...loan, kind: 'dividend', isRelated: true } as const,
      loan,
      { ...loan, isRelated: true, isOfBonds: true },
      { ...loan, isRelated: true, nif: 'B64717838' },
      { ...loan, isRelated: null, nif: null, country: null },
    ].map(capitalKey);
    assert.deepEqual(
      keys.map(({ key, nature }) => key + nature),
      ['A02', 'B03', 'D01', 'B03', 'B03'],
    );
  });
});
