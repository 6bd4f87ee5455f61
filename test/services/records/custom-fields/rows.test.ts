import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CUSTOM_FIELD_TYPES, type CustomFieldType } from '../../../../domain/records/custom-fields.ts';
import { matches, regexFault } from '../../../../services/records/custom-fields/regex.ts';
import { checkRow as checkTableRow, showCustomFields } from '../../../../services/records/custom-fields/rows.ts';
import { parseValue, writeValue } from '../../../../services/records/custom-fields/text.ts';
import { customField, OPTIONS, SAMPLES } from '../../../helpers/custom-fields.ts';
import { leastCpu, MAX_STRETCH_MS, slowness } from '../../../helpers/main-thread.ts';

const amounts = fc
  .tuple(fc.integer({ min: -999_999_999, max: 999_999_999 }), fc.integer({ min: 0, max: 6 }))
  .map(([digits, places]) => Number(`${digits}e-${places}`));
const words = fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' }).filter((text) => text.length <= 500);

/** Any valid value of each type, in the form in which it is stored. */
const ANY: Readonly<Record<CustomFieldType, fc.Arbitrary<unknown>>> = {
  TEXT: words,
  TEXTAREA: words,
  NUMBER: fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }),
  DECIMAL: amounts,
  CURRENCY: amounts,
  PERCENTAGE: fc.integer({ min: 0, max: 1_000_000 }).map((digits) => Number(`${digits}e-4`)),
  BOOLEAN: fc.boolean(),
  DATE: fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  DATETIME: fc
    .date({ min: new Date('0001-01-02'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  SELECT: fc.constantFrom(...OPTIONS),
  MULTISELECT: fc.shuffledSubarray(OPTIONS, { minLength: 1 }),
  URL: fc.webUrl().filter((url) => /^https?:/.test(url)),
  EMAIL: fc.emailAddress().filter((address) => /^[a-z0-9.]+@/i.test(address)),
  PHONE: fc
    .tuple(fc.constantFrom('', '+'), fc.integer({ min: 100, max: 999_999_999 }))
    .map(([plus, digits]) => plus + digits),
};

const COMPANY = 'a company';
const checkRow = (
  ...[fields, given, stored]: [
    Parameters<typeof checkTableRow>[1],
    Parameters<typeof checkTableRow>[2],
    Parameters<typeof checkTableRow>[3],
  ]
) => checkTableRow(COMPANY, fields, given, stored);

describe('custom values of a record', () => {
  for (const type of CUSTOM_FIELD_TYPES) {
    const field = customField(type);
    const check = (value: unknown) => checkRow([field], { custom_x: value }, null);

    it(`keep every valid ${type} exactly, through storage and texts`, () => {
      fc.assert(
        fc.property(fc.oneof(ANY[type], fc.constantFrom(...SAMPLES[type].valid)), (value) => {
          const { values, faults } = check(value);
          assert.deepEqual(faults, []);
          const answered = showCustomFields([field], { custom_x: JSON.parse(JSON.stringify(values)).x });
          assert.deepEqual(answered, { custom_x: value });
          const isTrimmed = typeof value !== 'string' || type.startsWith('TEXT') || value.trim() === value;
          if (isTrimmed) assert.deepEqual(parseValue(field, writeValue(value)), value);
        }),
      );
    });

    it(`refuse what is no ${type}, at its pointer`, () => {
      for (const [value, code] of SAMPLES[type].invalid) {
        const { faults } = check(value);
        assert.equal(faults.length, 1, JSON.stringify([value, faults]));
        assert.match(faults[0]?.pointer ?? '', /^\/custom_x(\/\d+)?$/);
        assert.equal(faults[0]?.code, code, JSON.stringify(value));
      }
    });

    it(`answer any JSON given for a ${type} with a value or a fault, in a form that stays as it is`, () => {
      fc.assert(
        fc.property(fc.jsonValue(), (value) => {
          const { values, faults } = check(value);
          if (faults.length > 0 || values.x === undefined) return;
          assert.deepEqual(check(values.x), { values, faults: [] });
        }),
      );
    });
  }

  it('bring instants into one form, by which their texts sort', () => {
    const { values } = checkRow([customField('DATETIME')], { custom_x: '2026-02-28T01:30:00.123456+02:00' }, null);
    assert.equal(values.x, '2026-02-27T23:30:00.123Z');
  });

  it('get defaults when they are new, and only then', () => {
    const fields = [
      customField('NUMBER', { fieldName: 'n', defaultValue: '7' }),
      customField('BOOLEAN', { fieldName: 'b', defaultValue: 'false' }),
    ];
    assert.deepEqual(checkRow(fields, {}, null).values, { n: 7, b: false });
    assert.deepEqual(checkRow(fields, { custom_n: null }, null).values, { b: false });
    assert.deepEqual(checkRow(fields, {}, { b: true }).values, { b: true });
  });

  it('need what is required, but old records may go on without', () => {
    const fields = [customField('TEXT', { required: true })];
    const codes = (given: Record<string, unknown>, stored: Record<string, unknown> | null) =>
      checkRow(fields, given, stored).faults.map(({ pointer, code }) => `${pointer} ${code}`);
    for (const given of [{}, { custom_x: null }, { custom_x: '' }])
      assert.deepEqual(codes(given, null), ['/custom_x required']);
    assert.deepEqual(codes({ custom_x: null }, { x: 'a' }), ['/custom_x required']);
    assert.deepEqual(codes({}, {}), []);
    assert.deepEqual(codes({ custom_x: null }, {}), []);
    assert.deepEqual(checkRow([customField('TEXT')], { custom_x: null }, { x: 'a', kept: 1 }).values, { kept: 1 });
  });

  it('may keep a value that a stricter definition would refuse', () => {
    const fields = [customField('TEXT', { validationRegex: '^\\d+$' })];
    assert.deepEqual(checkRow(fields, { custom_x: 'old' }, { x: 'old' }).faults, []);
    assert.equal(checkRow(fields, { custom_x: 'new' }, { x: 'old' }).faults[0]?.code, 'invalid_format');
  });

  it('may be called like members of every object', () => {
    const field = customField('TEXT', { fieldName: 'constructor' });
    assert.deepEqual(checkRow([field], {}, {}), { values: {}, faults: [] });
    assert.deepEqual(
      checkRow([customField('TEXT', { fieldName: 'constructor', required: true })], { custom_constructor: null }, {})
        .faults,
      [],
    );
    const { values } = checkRow([field], { custom_constructor: 'x' }, null);
    assert.deepEqual(showCustomFields([field], { custom_constructor: values.constructor }), {
      custom_constructor: 'x',
    });
  });

  it('report every fault, unknown fields among them', () => {
    const fields = [customField('NUMBER', { fieldName: 'n' }), customField('TEXT', { fieldName: 't', required: true })];
    const { faults } = checkRow(fields, { custom_n: 'x', custom_other: 1 }, null);
    assert.deepEqual(
      faults.map(({ pointer, code }) => `${pointer} ${code}`),
      ['/custom_other unknown_field', '/custom_n invalid_type', '/custom_t required'],
    );
  });

  it('are stored under the key of their field, and shown under its name', () => {
    const field = customField('TEXT', { storageKey: 'x:2' });
    assert.deepEqual(checkRow([field], { custom_x: 'new' }, { x: 'of a deleted field' }).values, {
      x: 'of a deleted field',
      'x:2': 'new',
    });
    const answer = { id: 1, custom_x: 'of a deleted field', 'custom_x:2': 'new' };
    assert.deepEqual(showCustomFields([field, customField('DATE', { fieldName: 'd' })], answer), {
      id: 1,
      custom_x: 'new',
      custom_d: null,
    });
  });
});

describe('a regular expression of a field', () => {
  const hostile = ['(a+)+$', '(a|aa)+$', '(.*a){25}$', '^([a-z]+)*$'];

  for (const validationRegex of hostile) {
    it(`such as ${validationRegex} takes no longer for what it does not match`, () => {
      const { faults } = checkRow(
        [customField('TEXTAREA', { validationRegex })],
        { custom_x: `${'a'.repeat(5000)}!` },
        null,
      );
      assert.deepEqual(
        faults.map(({ pointer, code }) => `${pointer} ${code}`),
        ['/custom_x invalid_format'],
      );
    });
  }

  it('is refused when its time would grow faster than the text, or when it is too large', () => {
    for (const pattern of ['(?=a)b', '(?<!a)b', '(a)\\1', '[a-z]{999}[a-z]{999}', '(a{100}){100}', '(', '[z-a]']) {
      assert.ok(regexFault(COMPANY, pattern), pattern);
      assert.equal(matches(COMPANY, pattern, 'ab'), undefined, pattern);
    }
  });

  it('takes of the process what its company has left, and nothing of what others have', () => {
    const [hostileCompany, other] = ['hostile', 'other'];
    const dear = (count: number) => matches(hostileCompany, `(?:[a-z]{1,${count}}|[b-y]x)*[!?]$`, 'abc'.repeat(1500));
    let tries = 0;
    while (dear(200 + tries) !== undefined) assert.ok(++tries < 500, 'the time never runs out');
    assert.equal(matches(other, '^(b+)+$', `${'b'.repeat(5000)}!`), false);
    assert.equal(matches(hostileCompany, '^(b+)+$', 'bbb'), true, 'what is cheap goes on');
  });

  it('stops the process for less than a tenth of a second, however many a record has', () => {
    const text = 'a'.repeat(8000);
    let companies = 0;
    // Each time another company, which has used nothing yet.
    const taken = leastCpu(() => {
      companies += 1;
      for (let field = 0; field < 100; field += 1) {
        matches(`company ${companies}`, '^(b+)+$', text.slice(0, 500));
        matches(`company ${companies}`, `(.*a){${10 + (field % 15)}}$`, text);
      }
    }, 3);
    assert.ok(taken < MAX_STRETCH_MS * slowness(), `it took ${taken} ms`);
  });

  it('knows Unicode, and is anchored by its own signs only', () => {
    const check = (validationRegex: string, value: string) =>
      checkRow([customField('TEXT', { validationRegex })], { custom_x: value }, null).faults.length === 0;
    assert.ok(check('^\\p{Lu}\\p{L}+$', 'Ñandú'));
    assert.ok(check('b', 'abc'));
    assert.ok(!check('^b$', 'abc'));
  });
});
