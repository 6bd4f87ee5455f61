/** The file of model 190 for the tax agency, and what it needs to know. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { countFamily, type DeclaredFamily, disabilityClass } from '../../../../domain/ledger/tax-returns/family190.ts';
import {
  DECLARANT_190,
  file190,
  isNegative190,
  RECIPIENT_190,
  type Recipient190,
} from '../../../../domain/ledger/tax-returns/file190.ts';
import type { Field } from '../../../../domain/ledger/tax-returns/fixed-width.ts';
import { RECORD_LENGTH } from '../../../../domain/ledger/tax-returns/informative.ts';
import { type Known190, missing190 } from '../../../../domain/ledger/tax-returns/missing190.ts';
import { withheldSubkey } from '../../../../domain/ledger/tax-returns/withheld.ts';

const declarant = { name: 'Peñón S.L.', taxId: 'B12345674', phone: '968123456', sequence: 0, receiptNumber: null };
const at = (record: string, from: number, to: number) => record.slice(from - 1, to);
const split = (file: string) => file.split('\r\n').slice(0, -1);
const cents = (text: string) => (text.startsWith('N') ? -1 : 1) * Number(text.replace('N', ''));

const ALONE: DeclaredFamily = {
  ...{ familySituation: 3, children: 0, childrenUnderThree: 0, childrenInFull: false },
  ...{ disabledChildren: [], ascendants: [] },
};
const lawyer: Recipient190 = {
  ...{ key: 'G', subkey: '01', name: 'Eva Soto', nif: '00000000T', province: '03', ceutaOrMelilla: false },
  ...{ amount: '1500', withheld: '225', inKind: '0', inKindWithheld: '0', contributions: '0', personal: null },
};
const employee: Recipient190 = {
  ...{ key: 'A', subkey: null, name: 'Ana Ruiz', nif: '12345678Z', province: '28', ceutaOrMelilla: true },
  ...{ amount: '20000.5', withheld: '2000.1', inKind: '100', inKindWithheld: '10', contributions: '1300' },
  personal: {
    ...{ birthYear: 1980, familySituation: 2, spouseNif: '00000001R', disability: 1, contract: 2 },
    geographicMobility: true,
    family: countFamily({ ...ALONE, children: 4, childrenUnderThree: 1 }, 2026),
  },
};

describe('the file of model 190', () => {
  it('has a record of the company with the sums', () => {
    const [first = ''] = split(file190(2026, declarant, [employee, lawyer]));
    assert.equal(at(first, 1, 67), `11902026B12345674${'PEÑÓN S.L.'.padEnd(40)}T968123456`);
    assert.equal(at(first, 108, 175), `1902026000001  ${'0'.repeat(13)}000000002 000000002160050000000000223510`);
    assert.equal(at(first, 176, 500).trim(), '');
  });

  it('has wages with what the employee has declared', () => {
    const [, record = ''] = split(file190(2026, declarant, [employee]));
    assert.equal(at(record, 18, 80), `12345678Z${' '.repeat(9)}${'ANA RUIZ'.padEnd(40)}28A00`);
    assert.equal(at(record, 81, 107), ' 00000020000500000000200010');
    assert.equal(at(record, 108, 147), ' 000000001000000000000010000000000001000');
    assert.equal(at(record, 148, 170), '00001' + '19802' + '00000001R' + '1201');
    assert.equal(at(record, 171, 222), `${'0'.repeat(13)}0000000130000${'0'.repeat(26)}`);
    // One child under three and three others, none of them in full.
    assert.equal(at(record, 223, 254), `100300${'0'.repeat(22)}2220`);
    assert.equal(at(record, 255, 394), ` ${'0'.repeat(26)} ${'0'.repeat(112)}`);
    assert.equal(at(record, 395, 500).trim(), '');
  });

  it('has the subkeys of others, and where the tax on administrators was paid', () => {
    const director: Recipient190 = { ...lawyer, key: 'E', subkey: '02', contributions: '50' };
    const [, second = '', third = ''] = split(file190(2026, declarant, [lawyer, director]));
    assert.deepEqual([at(second, 76, 80), at(third, 76, 80)], ['03G01', '03E02']);
    assert.deepEqual([at(second, 184, 196), at(third, 184, 196)], ['0'.repeat(13), '0000000005000']);
    assert.deepEqual([at(second, 323, 335), at(third, 323, 335)], ['0'.repeat(13), '0000000022500']);
    assert.equal(at(second, 153, 170), `00000${' '.repeat(9)}0000`);
  });

  it('has records of one length, whose sums are those of the first one', () => {
    const amount = fc.integer({ min: 0, max: 1e9 }).map((value) => `${value / 100}` as `${number}`);
    const record = fc.record({ amount, withheld: amount, inKind: amount, inKindWithheld: amount });
    fc.assert(
      fc.property(fc.array(record, { maxLength: 6 }), (parts) => {
        const [first = '', ...others] = split(
          file190(
            2026,
            declarant,
            parts.map((part) => ({ ...lawyer, ...part })),
          ),
        );
        for (const each of [first, ...others]) assert.equal(each.length, RECORD_LENGTH);
        const total = (fields: readonly (readonly [number, number])[]) =>
          others.reduce((sum, each) => sum + fields.reduce((of, [from, to]) => of + cents(at(each, from, to)), 0), 0);
        assert.equal(
          cents(at(first, 145, 160)),
          total([
            [81, 94],
            [108, 121],
          ]),
        );
        assert.equal(
          cents(at(first, 161, 175)),
          total([
            [95, 107],
            [122, 134],
          ]),
        );
      }),
    );
  });

  it('has fields that do not overlap', () => {
    for (const design of [DECLARANT_190, RECIPIENT_190]) {
      const fields = (Object.values(design) as Field[]).toSorted(([one], [other]) => one - other);
      for (const [index, [from, length]] of fields.entries()) {
        const [before, width] = fields[index - 1] ?? [1, 0];
        assert.ok(from >= before + width && from + length - 1 <= RECORD_LENGTH, String(from));
      }
    }
  });

  it('cannot have what is below 0', () => {
    assert.deepEqual([employee, { ...lawyer, withheld: '-0.01' } as const].map(isNegative190), [false, true]);
  });
});

describe('families in model 190', () => {
  it('count in full if nobody else deducts them', () => {
    const disabled = [
      { disability: 33, needsHelp: false },
      { disability: 33, needsHelp: true },
      { disability: 65, needsHelp: false },
    ];
    const ascendants = [
      { birthYear: 1951, disability: 0, needsHelp: false, sharedBy: 1 },
      { birthYear: 1952, disability: 65, needsHelp: true, sharedBy: 2 },
    ];
    const family = { ...ALONE, children: 3, childrenUnderThree: 1, disabledChildren: disabled, ascendants };
    const [half, full] = [false, true].map((childrenInFull) => countFamily({ ...family, childrenInFull }, 2026));
    assert.deepEqual(Object.values(half ?? {}).join(''), '10' + '20' + '101010' + '1011' + '000010' + '222');
    assert.deepEqual(Object.values(full ?? {}).join(''), '11' + '22' + '111111' + '1011' + '000010' + '111');
    assert.deepEqual(countFamily({ ...family, familySituation: 1 }, 2026), full);
    assert.deepEqual(disabled.map(disabilityClass), [1, 2, 3]);
  });
});

describe('what model 190 needs to know', () => {
  const known: Known190 = {
    ...{ key: 'A', employeeId: 'e', partnerId: null, name: 'Ana', nif: '12345678Z', province: '28', subkey: null },
    ...{ birthYear: 1980, familySituation: 3, spouseNif: null },
  };
  const asked = (of: Partial<Known190>) =>
    missing190({ ...known, ...of }).map(({ record, member }) => [record, member]);

  it('is listed with the record that lacks it', () => {
    assert.deepEqual(asked({}), []);
    assert.deepEqual(asked({ nif: null, birthYear: null, province: null }), [
      ['/api/employees/e', 'nif'],
      ['/api/employees/e/tax-data', 'province'],
      ['/api/employees/e/tax-data', 'birthYear'],
    ]);
    assert.deepEqual(asked({ familySituation: 2 }), [['/api/employees/e/tax-data', 'spouseNif']]);
    assert.deepEqual(asked({ key: 'E', birthYear: null }), [['/api/employees/e/tax-data', 'subkey']]);
    const partner = { key: 'G', employeeId: null, partnerId: 'p' } as const;
    assert.deepEqual(asked({ ...partner, province: null, nif: null }), [
      ['/api/partners/p', 'nif'],
      ['/api/partners/p/addresses', 'zipCode'],
      ['/api/partners/p', 'withholdingSubkey'],
    ]);
    assert.deepEqual(asked({ ...partner, partnerId: null }), [[null, 'partnerId']]);
  });

  it('follows from the percentage, unless it is that of several rules', () => {
    const subkeys = (['35', '15.00', '7', '2', '1', '19'] as const).map((rate) => withheldSubkey(rate, null));
    assert.deepEqual(subkeys, ['04', '01', null, '01', null, null]);
    const stated = (['35', '15', '7', '2', '1'] as const).map((rate) => withheldSubkey(rate, '03'));
    assert.deepEqual(stated, ['04', '01', '03', '03', null]);
  });
});
