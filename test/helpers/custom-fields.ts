/** Custom fields for tests: definitions, and for each type values that are one and values that are none. */
import type { CustomFieldType } from '../../domain/records/custom-fields.ts';
import type { CustomFieldDefinition } from '../../services/records/custom-fields/definitions.ts';

export const OPTIONS = ['rojo', 'azul', 'verde, oscuro'];

/** For each type: some valid values, and invalid ones with the code of their fault. */
export const SAMPLES: Readonly<
  Record<CustomFieldType, { valid: unknown[]; invalid: [value: unknown, code: string][] }>
> = {
  TEXT: {
    valid: ['a', "O'Brien; drop table items; --", 'ñ€😀', ' ', 'x'.repeat(500)],
    invalid: [
      [1, 'invalid_type'],
      ['x'.repeat(501), 'too_long'],
    ],
  },
  TEXTAREA: {
    valid: ['a\nb', 'x'.repeat(10_000)],
    invalid: [
      [{}, 'invalid_type'],
      ['x'.repeat(10_001), 'too_long'],
    ],
  },
  NUMBER: {
    valid: [0, -7, 999_999_999_999_999],
    invalid: [
      ['7', 'invalid_type'],
      [1.5, 'invalid_type'],
      [1e15, 'out_of_range'],
    ],
  },
  DECIMAL: {
    valid: [0, 0.1, -1234.567891, 999_999_999_999.999],
    invalid: [
      ['0.1', 'invalid_type'],
      [0.1234567, 'too_many_decimals'],
      [1e12, 'out_of_range'],
    ],
  },
  CURRENCY: {
    valid: [12.34, -0.01],
    invalid: [
      [true, 'invalid_type'],
      [1e300, 'out_of_range'],
    ],
  },
  PERCENTAGE: {
    valid: [0, 33.3333, 100],
    invalid: [
      [100.01, 'out_of_range'],
      [-1, 'out_of_range'],
      ['5%', 'invalid_type'],
    ],
  },
  BOOLEAN: {
    valid: [true, false],
    invalid: [
      ['true', 'invalid_type'],
      [1, 'invalid_type'],
    ],
  },
  DATE: {
    valid: ['2026-02-28', '0001-01-01', '9999-12-31'],
    invalid: [
      ['2026-02-30', 'invalid_format'],
      ['28.02.2026', 'invalid_format'],
      [20260228, 'invalid_type'],
    ],
  },
  DATETIME: {
    valid: ['2026-02-28T10:00:00.000Z'],
    invalid: [
      ['2026-02-28', 'invalid_format'],
      ['2026-02-30T10:00:00Z', 'invalid_format'],
      ['9999-12-31T23:59:59-12:00', 'out_of_range'],
    ],
  },
  SELECT: {
    valid: OPTIONS,
    invalid: [
      ['Rojo', 'invalid_choice'],
      [['rojo'], 'invalid_type'],
    ],
  },
  MULTISELECT: {
    valid: [['rojo'], ['verde, oscuro', 'rojo']],
    invalid: [
      ['rojo', 'invalid_type'],
      [['rojo', 'rojo'], 'duplicate'],
      [['gris'], 'invalid_choice'],
    ],
  },
  URL: {
    valid: ['https://example.test/a?b=c', 'http://localhost:8080'],
    invalid: [
      ['ftp://example.test', 'invalid_format'],
      ['javascript:alert(1)', 'invalid_format'],
      ['example', 'invalid_format'],
    ],
  },
  EMAIL: {
    valid: ['ana@example.test'],
    invalid: [
      ['ana@', 'invalid_format'],
      ['ana', 'invalid_format'],
    ],
  },
  PHONE: {
    valid: ['+34 912 345 678', '(91) 234-56.78', '112', '912345678 ext. 12'],
    invalid: [
      ['12', 'invalid_format'],
      ['call me', 'invalid_format'],
      [112, 'invalid_type'],
    ],
  },
};

/** A definition as `activeFields` gives it. */
export function customField(type: CustomFieldType, rest: Partial<CustomFieldDefinition> = {}): CustomFieldDefinition {
  const fieldName = rest.fieldName ?? 'x';
  return {
    id: '01900000-0000-7000-8000-000000000000',
    tableName: 'Item',
    fieldName,
    storageKey: fieldName,
    label: 'X',
    type,
    visibleInList: true,
    visibleInForm: true,
    required: false,
    defaultValue: null,
    options: type.endsWith('SELECT') ? OPTIONS : null,
    validationRegex: null,
    filterable: false,
    ...rest,
  };
}
