import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type CellKind, readCell, writeCell } from '../../../../domain/records/tables/cells.ts';
import { tableConventions } from '../../../../domain/records/tables/conventions.ts';

const FORMATS = [
  { locale: 'es-ES', dateFormat: 'dd/MM/yyyy', timezone: 'Europe/Madrid' },
  { locale: 'en-US', dateFormat: 'MM/dd/yyyy', timezone: 'America/New_York' },
  { locale: 'en-GB', dateFormat: 'dd-MM-yy', timezone: 'Europe/London' },
  { locale: 'de-CH', dateFormat: 'dd.MM.yyyy', timezone: 'Europe/Zurich' },
  { locale: 'fr-FR', dateFormat: 'yyyy-MM-dd', timezone: 'Asia/Kathmandu' },
  { locale: 'ar-EG', dateFormat: 'yy MM dd', timezone: 'Australia/Lord_Howe' },
];
const conventions = fc.constantFrom(...FORMATS).map(tableConventions);
const spanish = tableConventions(FORMATS[0] as (typeof FORMATS)[0]);
const american = tableConventions(FORMATS[1] as (typeof FORMATS)[0]);

/** Exact decimals as the service answers them: below 10^12, at most 15 digits. */
const numbers = fc
  .tuple(fc.integer({ min: -999_999_999, max: 999_999_999 }), fc.integer({ min: 0, max: 6 }))
  .map(([digits, places]) => Number(`${digits}e-${places}`))
  .filter((value) => !Object.is(value, -0));
const time = { min: new Date('1971-01-01T00:00:00Z'), max: new Date('2090-01-01T00:00:00Z'), noInvalidDate: true };
const instants = fc.date(time).map((date) => new Date(Math.floor(date.getTime() / 1000) * 1000).toISOString());
const days = fc.date({ ...time, min: new Date('1800-01-01T00:00:00Z') }).map((date) => date.toISOString().slice(0, 10));
/** Texts with what spreadsheets make formulas of at their beginning. */
const texts = fc
  .tuple(
    fc.array(fc.constantFrom("'", '=', '+', '-', '−', '@', '\t', '\r', '1', ' ', ''), { maxLength: 3 }),
    fc.string(),
  )
  .map(([start, rest]) => start.join('') + rest)
  .filter((text) => text !== '');

const VALUES: Readonly<Record<CellKind, fc.Arbitrary<unknown>>> = {
  text: texts,
  number: numbers,
  integer: fc.integer(),
  boolean: fc.boolean(),
  date: days,
  instant: instants,
  texts: fc.array(texts, { minLength: 1 }),
  json: fc.dictionary(texts, fc.oneof(texts, fc.integer(), fc.boolean()), { noNullPrototype: true }),
};

function read(kind: CellKind, cell: string, form = spanish): unknown {
  const result = readCell(kind, cell, form);
  return 'fault' in result ? result.fault : result.value;
}

describe('cells of tables', () => {
  for (const [kind, values] of Object.entries(VALUES) as [CellKind, fc.Arbitrary<unknown>][]) {
    it(`a ${kind} comes back as it was written, in every format`, () => {
      fc.assert(
        fc.property(values, conventions, (value, form) => {
          assert.deepEqual(readCell(kind, writeCell(kind, value, form), form), { value });
        }),
      );
    });

    it(`null of kind ${kind} is an empty cell`, () => {
      assert.equal(writeCell(kind, null, spanish), '');
      assert.deepEqual(readCell(kind, '', spanish), { value: null });
    });
  }

  it('numbers have the decimal sign of the locale and no grouping', () => {
    assert.equal(writeCell('number', 1234567.5, spanish), '1234567,5');
    assert.equal(writeCell('number', '-0.000001', american), '-0.000001');
    assert.deepEqual([spanish.separator, american.separator], [';', ',']);
  });

  it('grouped numbers are read, those of another convention are not', () => {
    assert.equal(read('number', '1.234.567,50'), 1234567.5);
    assert.equal(read('number', '1 234,5'), 1234.5);
    assert.equal(read('number', '1,234.5', american), 1234.5);
    assert.equal(read('number', '-,5'), -0.5);
    assert.equal(read('number', '−7'), -7);
    for (const wrong of ['1,234.5', '12.5', '1.23,4', '1.234 567', '1e5', 'abc', '-', ',', '5 €', '٣']) {
      assert.equal(read('number', wrong), 'invalid_type', wrong);
    }
  });

  it('days are in the form of the company, or as YYYY-MM-DD', () => {
    assert.equal(writeCell('date', '2026-02-03', spanish), '03/02/2026');
    assert.equal(writeCell('date', '2026-02-03', american), '02/03/2026');
    for (const written of ['03/02/2026', '3/2/26', '3-2-2026', '2026-02-03']) {
      assert.equal(read('date', written), '2026-02-03', written);
    }
    assert.equal(read('date', '1/1/75'), '1975-01-01');
    for (const wrong of ['31/02/2026', '2026/02/03', '3/2', '3/2/126', '02/13/2026', 'x']) {
      assert.equal(read('date', wrong), 'invalid_format', wrong);
    }
  });

  it('instants are on the clock of the company; the hour that comes twice says which it is', () => {
    assert.equal(writeCell('instant', '2026-07-01T22:30:05.987Z', spanish), '02/07/2026 00:30:05');
    assert.equal(writeCell('instant', '2026-10-25T00:30:00Z', spanish), '25/10/2026 02:30:00');
    assert.equal(writeCell('instant', '2026-10-25T01:30:00Z', spanish), '25/10/2026 02:30:00 +01:00');
    assert.equal(read('instant', '2026-07-01T22:30:05.5Z'), '2026-07-01T22:30:05.500Z');
    assert.equal(read('instant', '2/7/2026 0:30'), '2026-07-01T22:30:00.000Z');
    assert.equal(read('instant', '02/07/2026'), '2026-07-01T22:00:00.000Z');
    // 02:30 does not exist on the day when summer time begins.
    assert.equal(read('instant', '29/03/2026 02:30:00'), '2026-03-29T01:30:00.000Z');
    for (const wrong of ['02/07/2026 25:00', '31/02/2026 10:00', '10:00', 'x']) {
      assert.equal(read('instant', wrong), 'invalid_format', wrong);
    }
  });

  it('truth values are read in the words of people and spreadsheets', () => {
    for (const word of ['true', 'TRUE', 'VERDADERO', 'Sí', 'si', 'yes', '1']) assert.equal(read('boolean', word), true);
    for (const word of ['false', 'FALSO', 'no', '0']) assert.equal(read('boolean', word), false);
    assert.equal(read('boolean', 'perhaps'), 'invalid_type');
    assert.equal(read('boolean', 'constructor'), 'invalid_type');
  });
});
