/** Files of models 111, 115, 347 and 349 for the tax agency. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  file111,
  file115,
  file123,
  PAGE_111,
  PAGE_115,
  PAGE_123,
  type WithheldFile,
} from '../../../../domain/ledger/tax-returns/file111.ts';
import { DESIGNS_347, file347, file349 } from '../../../../domain/ledger/tax-returns/file347.ts';
import { type Field, writeRecord } from '../../../../domain/ledger/tax-returns/fixed-width.ts';
import { RECORD_LENGTH } from '../../../../domain/ledger/tax-returns/informative.ts';
import { model115 } from '../../../../domain/ledger/tax-returns/model115.ts';
import { type CapitalIncome, model123 } from '../../../../domain/ledger/tax-returns/model123.ts';
import type { Record347 } from '../../../../domain/ledger/tax-returns/model347.ts';

const company = { name: 'Peñón S.L.', taxId: 'B12345674', phone: '+34 968 12 34 56' };
const declarant = { ...company, sequence: 0, receiptNumber: null };
const person: Record347 = {
  ...{ key: 'B', partnerId: '1', name: 'Hotel Sol', nif: 'B64717838', country: 'ES', province: '03', isReverse: false },
  ...{ quarters: ['2420', '-121', '0', '0.5'], cash: '6001' },
};
const at = (record: string, from: number, to: number) => record.slice(from - 1, to);
const split = (file: string) => file.split('\r\n').slice(0, -1);
/** Cents in a field with a sign. */
const signed = (text: string) => (text.startsWith('N') ? -1 : 1) * Number(text.slice(1));

describe('the file of model 347', () => {
  it('has a record of the company, and one for each person', () => {
    const abroad = {
      ...person,
      nif: 'DE123456789',
      country: 'DE',
      province: null,
      isReverse: true,
      cash: '0' as const,
    };
    const [first = '', second = '', third = ''] = split(file347(2026, declarant, [person, abroad]));
    assert.equal(at(first, 1, 67), `13472026B12345674${'PEÑÓN S.L.'.padEnd(40)}T968123456`);
    assert.equal(at(first, 108, 160), '3472026000001  0000000000000000000002 000000000459900');
    assert.equal(at(second, 18, 98), `B64717838${' '.repeat(9)}${'HOTEL SOL'.padEnd(40)}D03   B 000000000229950`);
    assert.equal(at(second, 101, 115), '000000000600100');
    assert.equal(at(second, 132, 151), '2026 000000000242000');
    assert.equal(at(second, 168, 183), 'N000000000012100');
    assert.equal(at(second, 232, 247), ' 000000000000050');
    assert.equal(at(second, 282, 282), ' ');
    assert.equal(at(third, 77, 82), '99DE B');
    assert.equal(at(third, 264, 282), 'DE123456789       X');
    assert.equal(at(third, 18, 26).trim(), '');
  });

  it('is substitutive in place of another', () => {
    const second = { ...declarant, sequence: 1, receiptNumber: '3472026000001' };
    const [first = ''] = split(file347(2026, second, [person]));
    assert.equal(at(first, 108, 135), '3472026000002 S3472026000001');
  });

  it('has records of one length, whose sums are those of the first one', () => {
    const cents = fc.integer({ min: -1e9, max: 1e9 }).map((value) => `${value / 100}` as `${number}`);
    const record = fc.record({ quarters: fc.tuple(cents, cents, cents, cents), name: fc.string({ maxLength: 60 }) });
    fc.assert(
      fc.property(fc.array(record, { maxLength: 6 }), (parts) => {
        const file = file347(
          2026,
          declarant,
          parts.map((part) => ({ ...person, ...part, name: part.name.replaceAll(/[\r\n]/g, '') })),
        );
        const [first = '', ...others] = split(file);
        for (const each of [first, ...others]) assert.equal(each.length, RECORD_LENGTH);
        assert.equal(Number(at(first, 136, 144)), others.length);
        const total = others.reduce((sum, each) => sum + signed(at(each, 83, 98)), 0);
        assert.equal(signed(at(first, 145, 160)), total);
      }),
    );
  });
});

describe('the file of model 349', () => {
  it('has operators and corrections', () => {
    const operator = { key: 'E', partnerId: '1', name: 'Bonn GmbH', nif: 'DE123456789', country: 'DE' } as const;
    const correction = { ...operator, period: { year: 2025, period: '4T' }, before: '500', rectified: '450' } as const;
    const period = { year: 2026, period: '1T' };
    const file = file349(period, declarant, [{ ...operator, base: '1234.5' }], [correction]);
    const [first = '', second = '', third = ''] = split(file);
    assert.deepEqual([first.length, second.length, third.length], [500, 500, 500]);
    assert.equal(at(first, 108, 120), '3492026210001');
    assert.equal(at(first, 136, 185), '1T000000001000000000123450000000001000000000045000');
    assert.equal(at(second, 76, 146), `DE123456789      ${'BONN GMBH'.padEnd(40)}E0000000123450`);
    assert.equal(at(third, 133, 178), `E${' '.repeat(13)}20254T00000000450000000000050000`);
  });
});

describe('the files of models 111 and 115', () => {
  const given: WithheldFile = {
    ...{ period: { year: 2026, period: '1T' }, type: 'I', company, rectification: null },
    boxes: { '01': '2', '02': '1700', '03': '204', '07': '1', '08': '-400', '09': '-28', '28': '176', '30': '176' },
  };

  it('have one page with the boxes in order', () => {
    const file = file111(given);
    assert.ok(file.startsWith('<T111020261T0000><AUX>') && file.endsWith('</T11101000></T111020261T0000>'), file);
    const page = file.slice(17 + 311, -18);
    assert.equal(page.length, PAGE_111);
    assert.equal(at(page, 12, 22), ' IB12345674');
    assert.equal(at(page, 103, 150), '20261T000000020000000000017000000000000000020400');
    // After two groups of work: the one of professionals.
    assert.equal(at(page, 193, 234), '00000001N0000000000040000N0000000000002800');
    assert.equal(at(page, 538, 551).trim(), '');
    const added = file111({ ...given, rectification: { receiptNumber: '1112026123456' } });
    assert.equal(at(added.slice(17 + 311, -18), 538, 551), 'X1112026123456');
    assert.equal(at(page, 487, 537), `${'17600'.padStart(17, '0')}${'0'.repeat(17)}${'17600'.padStart(17, '0')}`);
  });

  it('have the landlords and rents of 115', () => {
    const rent = {
      partnerId: '1',
      name: 'Casa',
      nif: null,
      country: 'ES',
      province: null,
      property: null,
      rate: '19',
      base: '1000',
      withheld: '190',
    } as const;
    const page = file115({ ...given, boxes: model115([rent]) }).slice(17 + 311, -18);
    assert.equal(page.length, PAGE_115);
    assert.equal(
      at(page, 109, 157),
      `${'1'.padStart(15, '0')}${'100000'.padStart(17, '0')}${'19000'.padStart(17, '0')}`,
    );
  });
});

describe('the file of model 123', () => {
  it('has dividends and the rest apart, and names the return that it adds to', () => {
    const person = {
      ...({ partnerId: '1', name: 'Ana', nif: null, country: 'ES', province: null, rate: '19' } as const),
      ...({ accruedOn: null, isOfBonds: false, isRelated: false } as const),
    };
    const incomes: CapitalIncome[] = [
      { ...person, kind: 'dividend', base: '1000', withheld: '190' },
      { ...person, kind: 'interest', base: '200', withheld: '38' },
    ];
    const boxes = model123(incomes, { '11': '-8', '13': '100' });
    assert.deepEqual(
      [boxes['03'], boxes['06'], boxes['09'], boxes['12'], boxes['14']],
      ['2', '1200', '228', '220', '120'],
    );
    const rectification = { receiptNumber: '1232026123456' };
    const given = { period: { year: 2026, period: '1T' }, type: 'I', company, rectification, boxes } as const;
    const page = file123(given).slice(17 + 311, -18);
    assert.equal(page.length, PAGE_123);
    const [one, two] = ['1', '2'].map((count) => count.padStart(15, '0'));
    assert.equal(at(page, 109, 170), `${one}${one}${two}${'100000'.padStart(17, '0')}`);
    assert.equal(at(page, 324, 354), `${'12000'.padStart(17, '0')}X1232026123456`);
  });
});

describe('records of fixed width', () => {
  it('have fields that do not overlap', () => {
    for (const [name, design] of Object.entries(DESIGNS_347)) {
      const fields = (Object.values(design) as Field[]).toSorted(([one], [other]) => one - other);
      for (const [index, [from]] of fields.entries()) {
        const [before, width] = fields[index - 1] ?? [1, 0];
        assert.ok(from >= before + width && from <= RECORD_LENGTH, `${name} ${from}`);
      }
    }
  });

  it('refuse numbers that do not fit', () => {
    assert.throws(() => writeRecord({ a: [1, 3, 'digits'] }, 3, { a: 1000 }), RangeError);
    assert.throws(() => writeRecord({ a: [1, 3, 'cents'] }, 3, { a: -1 }), RangeError);
    assert.equal(writeRecord({ a: [2, 3, 'text'] }, 5, { a: 'Łódź' }), '  ÓD ');
  });
});
