/** Bad values for the fields of declared resources, made from their schemas: kinds of faults, each for all fields that can have it. */

import { NOT_BLANK } from '../../services/platform/validation/schemas.ts';
import type { ResourceDeclaration } from '../../services/records/resources/declaration.ts';
import type { Row } from '../../services/records/resources/field.ts';
import { type FieldSchema, fieldSchema, writableFields } from './resource-bodies.ts';

export interface Fault {
  readonly kind: string;
  /** The code that each of the members is refused with. */
  readonly codes: readonly string[];
  readonly values: Row;
}

type BadValue = (schema: FieldSchema) => unknown;

const KINDS: readonly { readonly kind: string; readonly codes: readonly string[]; readonly bad: BadValue }[] = [
  {
    kind: 'of the wrong type',
    codes: ['invalid_type', 'invalid_choice'],
    bad: ({ type }) => (type === 'string' ? 7 : 'seven'),
  },
  { kind: 'objects', codes: ['invalid_type', 'invalid_choice'], bad: () => ({}) },
  {
    kind: 'too long',
    codes: ['too_long'],
    bad: ({ maxLength, format }) => (maxLength && !format ? 'x'.repeat(maxLength + 1) : undefined),
  },
  { kind: 'too short', codes: ['too_short'], bad: ({ minLength }) => (minLength ? '' : undefined) },
  {
    kind: 'blank',
    codes: ['too_short'],
    bad: ({ pattern }) => (pattern === NOT_BLANK ? ' \t\u00a0' : undefined),
  },
  {
    kind: 'out of range below',
    codes: ['out_of_range'],
    bad: ({ minimum }) => (minimum === undefined ? undefined : minimum - 1),
  },
  {
    kind: 'out of range above',
    codes: ['out_of_range'],
    bad: ({ type, maximum }) => (type === 'integer' || type === 'number' ? (maximum ?? 1e12) + 1 : undefined),
  },
  {
    kind: 'too precise',
    codes: ['too_many_decimals'],
    // Smaller remainders are those of binary arithmetic, and rounded.
    bad: ({ decimalPlaces = 9 }) => (decimalPlaces > 7 ? undefined : Number(`1.${'0'.repeat(decimalPlaces)}1`)),
  },
  { kind: 'fractions', codes: ['invalid_type'], bad: ({ type }) => (type === 'integer' ? 1.5 : undefined) },
  { kind: 'of no offered choice', codes: ['invalid_choice'], bad: (schema) => (schema.enum ? 'nonsense' : undefined) },
  {
    kind: 'of the wrong form',
    codes: ['invalid_format'],
    bad: ({ format, pattern }) => (format || (pattern && pattern !== NOT_BLANK) ? 'no such form' : undefined),
  },
  {
    kind: 'days that do not exist',
    codes: ['invalid_format'],
    bad: ({ format }) => (format === 'date' ? '2031-02-30' : undefined),
  },
];

/** The faults that a body of a creation or a change can have, all members of a kind at once. */
export function resourceFaults(declaration: ResourceDeclaration, when: 'create' | 'patch'): Fault[] {
  return KINDS.map(({ kind, codes, bad }) => {
    const values = writableFields(declaration, when).flatMap((name) => {
      const field = declaration.fields[name];
      const value = field && bad(fieldSchema(field));
      return value === undefined ? [] : [[name, value] as const];
    });
    return { kind, codes, values: Object.fromEntries(values) };
  }).filter(({ values }) => Object.keys(values).length > 0);
}
