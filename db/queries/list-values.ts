/** Values of list filters: the operators of each type, and the form of values in a query string. */
import { isDay } from '../../domain/days.ts';
import { ServiceError } from '../../domain/errors.ts';
import { isUuid } from '../ids.ts';

export type FieldType = 'text' | 'number' | 'integer' | 'boolean' | 'date' | 'instant' | 'uuid' | 'choice' | 'choices';

export const LIST_OPERATORS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'contains', 'empty'] as const;
export type Operator = (typeof LIST_OPERATORS)[number];

const EQUALITY: readonly Operator[] = ['eq', 'ne', 'in', 'empty'];
const ORDER: readonly Operator[] = ['gt', 'gte', 'lt', 'lte'];
const OPERATORS: Readonly<Record<FieldType, readonly Operator[]>> = {
  text: [...EQUALITY, ...ORDER, 'contains'],
  number: [...EQUALITY, ...ORDER],
  integer: [...EQUALITY, ...ORDER],
  date: [...EQUALITY, ...ORDER],
  instant: ['eq', 'empty', ...ORDER],
  boolean: ['eq', 'ne', 'empty'],
  uuid: EQUALITY,
  choice: EQUALITY,
  // Several choices, as a JSON array: `eq` means that one is among them. Without declared choices, any words.
  choices: ['eq', 'in', 'contains', 'empty'],
};

/** The operators of a type of field. */
export function typeOperators(type: FieldType): readonly Operator[] {
  return OPERATORS[type];
}

type Declared = {
  readonly type: FieldType;
  readonly choices?: readonly string[];
  /** Alternative names of choices. */
  readonly synonyms?: Readonly<Record<string, string>>;
};

/** Parses a value according to the type of its field. @throws ServiceError invalid_parameter naming the parameter */
export function parseValue(field: Declared, name: string, value: string): string | number | boolean {
  switch (field.type) {
    case 'text':
      return value;
    case 'number':
      // Stays text: PostgreSQL compares it exactly.
      return /^-?\d{1,15}(\.\d{1,9})?$/.test(value) ? value : refuse(name, 'a number');
    case 'integer':
      return /^-?\d{1,9}$/.test(value) ? Number(value) : refuse(name, 'a whole number');
    case 'boolean':
      return value === 'true' || value === 'false' ? value === 'true' : refuse(name, 'true or false');
    case 'date':
      return isDay(value) ? value : refuse(name, 'a day as YYYY-MM-DD');
    case 'instant':
      return isDay(value) || isInstant(value) ? value : refuse(name, 'a day as YYYY-MM-DD or an instant in ISO 8601');
    case 'uuid':
      return isUuid(value) ? value.toLowerCase() : refuse(name, 'a UUID');
    case 'choice':
    case 'choices':
      if (field.type === 'choices' && field.choices === undefined) return value;
      return field.choices?.includes(value)
        ? (field.synonyms?.[value] ?? value)
        : refuse(name, `one of ${field.choices?.join(', ')}`);
  }
}

/** Whether a text is an instant in ISO 8601 with an offset that PostgreSQL knows (less than 16 hours), on an existing date. */
export function isInstant(text: string): boolean {
  const [, day] =
    /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-5]):[0-5]\d)$/.exec(text) ?? [];
  return day !== undefined && isDay(day) && !Number.isNaN(Date.parse(text));
}

function refuse(name: string, expected: string): never {
  throw new ServiceError('invalid_parameter', `${name} must be ${expected}`);
}
