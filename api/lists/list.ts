/** Lists over HTTP: the parameters of a list's grammar, and the shape of the response. */
import { type TSchema, Type } from 'typebox';
import { MAX_CURSOR } from '../../db/queries/cursor.ts';
import {
  fieldOperators,
  filterableFields,
  type ListDefinition,
  type ListField,
  MAX_LIMIT,
  MAX_PAGE,
  MAX_SEARCH,
  sortableFields,
} from '../../db/queries/list.ts';
import type { FieldType, Operator } from '../../db/queries/list-values.ts';
import type { ListResult } from '../../db/queries/run-list.ts';
import { isDay } from '../../domain/days.ts';
import { ServiceError } from '../../domain/errors.ts';
import { pascalCase } from '../../domain/words.ts';
import { choice, integer, uuid } from '../../services/platform/validation/schemas.ts';
import { wordFor } from '../openapi/vocabulary/index.ts';
import type { RouteResponse } from '../route.ts';
import { assertPageFits } from './page-size.ts';

/**
 * Builds the query schema of a list's route, with additional parameters. The values reach the handler as texts, for
 * `parseListQuery`.
 */
export function listParameters(definition: ListDefinition, additional: Readonly<Record<string, TSchema>> = {}) {
  const sortable = sortableFields(definition);
  const searchable = Object.keys(definition.fields).filter((name) => definition.fields[name]?.searchable === true);
  const properties: Record<string, TSchema> = {
    page: integer({ minimum: 1, maximum: MAX_PAGE, default: 1 }),
    cursor: Type.String({
      maxLength: MAX_CURSOR,
      description:
        'In place of page: empty for the first page, then next_cursor of the page before. Rows that come or go meanwhile neither ' +
        'hide nor repeat others',
    }),
    limit: integer({ minimum: 1, maximum: MAX_LIMIT, default: definition.defaultLimit ?? 50 }),
    ...(definition.offsets === true
      ? {
          offset: integer({ minimum: 0, maximum: MAX_PAGE, description: 'Rows before the first one; instead of page' }),
        }
      : {}),
    sort: Type.Array(choice(sortable.flatMap((name) => [name, `-${name}`])), {
      minItems: 1,
      description: `Fields, comma-separated, "-" for descending. Defaults to ${definition.defaultSort || 'newest first'}`,
    }),
    ...(searchable.length > 0
      ? { q: Type.String({ maxLength: MAX_SEARCH, description: `Text search over ${searchable.join(', ')}` }) }
      : {}),
  };

  for (const name of filterableFields(definition)) {
    const description = wordFor(name)?.[0] ?? 'Filter';
    properties[name] = { ...filterSchema(definition.fields[name] as ListField), description };
  }
  return Type.Unsafe<Record<string, string>>({
    type: 'object',
    properties: { ...properties, ...additional },
    'x-list': true,
  });
}

/** Checks that a parameter is a date. @throws ServiceError invalid_parameter naming it */
export function assertDay(name: string, value: string): string {
  if (!isDay(value)) throw new ServiceError('invalid_parameter', `${name} must be a date as YYYY-MM-DD`);
  return value;
}

/** Checks that `to` is not before `from`. @throws ServiceError invalid_parameter */
export function assertRange({ from, to }: { readonly from?: string; readonly to?: string }): void {
  if (from !== undefined && to !== undefined && to < from)
    throw new ServiceError('invalid_parameter', 'to must not be before from');
}

/** Builds `{data, pagination}` with additional members. @throws ServiceError invalid_parameter if the page is too large */
export function listAnswer<Row>(
  { rows, pagination }: ListResult<Row>,
  toJson: (row: Row) => unknown,
  more: Readonly<Record<string, unknown>> = {},
): RouteResponse {
  const data = rows.map(toJson);
  assertPageFits(data);
  return { status: 200, body: { data, pagination, ...more } };
}

/** Patterns of a date, and of an instant in ISO 8601. */
const DATE = '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])';
const MOMENT = [DATE, '(T([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,9})?)?(Z|[+-](0\\d|1[0-5]):[0-5]\\d))?$'].join(
  '',
);
const NUMBER_LIMIT = 999_999_999_999_999;
const INTEGER_LIMIT = 999_999_999;

const OPERATOR_WORDS: Readonly<Record<Operator, string>> = {
  eq: 'Equal to it, like the value alone',
  ne: 'Not equal to it',
  gt: 'Greater, or later',
  gte: 'Greater, later or equal',
  lt: 'Less, or earlier',
  lte: 'Less, earlier or equal',
  in: 'Equal to one of these, comma-separated',
  contains: 'Contains this text; of several choices, this one',
  empty: 'Whether it has no value',
};

/** Schema of a filter: a value, or an object of operators and values as in `name[operator]=value`. */
function filterSchema(field: ListField): TSchema {
  const { type, choices = [] } = field;
  const value = valueSchema(type, choices);
  const operators = fieldOperators(field);
  if (operators.length === 1) return value;
  const title = `${pascalCase(type === 'uuid' ? 'id' : type)}Filter`;
  // Choices differ from list to list; their operators take any text.
  const isChoice = type === 'choice' || type === 'choices';
  const operand = isChoice ? Type.String() : value;
  const operands: Partial<Record<Operator, TSchema>> = { in: Type.String(), empty: Type.Boolean() };
  const members = operators.map((operator) => [
    operator,
    Type.Optional({ ...(operands[operator] ?? operand), description: OPERATOR_WORDS[operator] }),
  ]);
  const byOperator = Type.Object(Object.fromEntries(members), {
    title: `${title}Operators`,
    additionalProperties: false,
  });
  return Type.Unsafe({ anyOf: [value, byOperator], ...(isChoice ? {} : { title }) });
}

/** Schema of the values that `parseValue` accepts. */
function valueSchema(type: FieldType, choices: readonly string[]): TSchema {
  switch (type) {
    case 'number':
      return Type.Number({ minimum: -NUMBER_LIMIT, maximum: NUMBER_LIMIT });
    case 'integer':
      return integer({ minimum: -INTEGER_LIMIT, maximum: INTEGER_LIMIT });
    case 'boolean':
      return Type.Boolean();
    case 'date':
      // As a pattern: generators mistake an alternative with a format for a type of their own.
      return Type.String({ pattern: `${DATE}$` });
    case 'instant':
      return Type.String({ pattern: MOMENT });
    case 'uuid':
      return uuid();
    case 'choice':
    case 'choices':
      return choices.length > 0 ? choice(choices) : Type.String();
    case 'text':
      return Type.String();
  }
}
