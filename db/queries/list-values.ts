/** Values of list filters: the operators of each type, and how values are written in a query string. */
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
  // Several at once, as a JSON array: equal to one means that it is among them. Without declared choices, of any words.
  choices: ['eq', 'in', 'contains', 'empty'],
};

/** The operators that a type of field has. */
export function typeOperators(type: FieldType): readonly Operator[] {
  return OPERATORS[type];
}

type Declared = {
  readonly type: FieldType;
  readonly choices?: readonly string[];
  /** Choices that stand for others. */
  readonly synonyms?: Readonly<Record<string, string>>;
};

/** One value in the form of its field's type. @throws ServiceError invalid_parameter naming the parameter */
export function parseValue(field: Declared, name: string, value: string): string | number | boolean {
  switch (field.type) {
    case 'text':
      return value;
    case 'number':
      // Kept as text: PostgreSQL compares it exactly.
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
