/** Lists over HTTP: the parameters of a list's grammar for the description, and the answer's shape. */
import { type TSchema, Type } from 'typebox';
import {
  filterableFields,
  type ListDefinition,
  type ListField,
  MAX_LIMIT,
  operatorsOfField,
  sortableFields,
} from '../db/queries/list.ts';
import type { FieldType } from '../db/queries/list-values.ts';
import type { ListResult } from '../db/queries/run-list.ts';
import { isDay } from '../domain/days.ts';
import { ServiceError } from '../domain/errors.ts';
import { choice, day, integer, text, uuid } from '../services/validation/schemas.ts';
import type { RouteResponse } from './route.ts';

/** The query schema of a list's route, with parameters of its own besides; the values reach the handler as texts, for `parseListQuery`. */
export function listParameters(definition: ListDefinition, besides: Readonly<Record<string, TSchema>> = {}) {
  const sortable = sortableFields(definition);
  const searchable = Object.keys(definition.fields).filter((name) => definition.fields[name]?.searchable === true);
  const properties: Record<string, TSchema> = {
    page: integer({ minimum: 1, default: 1 }),
    limit: integer({ minimum: 1, maximum: MAX_LIMIT, default: definition.defaultLimit ?? 50 }),
    sort: text({
      description: `Fields, comma-separated, "-" for descending: ${sortable.join(', ')}. Default ${definition.defaultSort}`,
    }),
    ...(searchable.length > 0 ? { q: text({ description: `Text search over ${searchable.join(', ')}` }) } : {}),
  };
  for (const name of filterableFields(definition)) {
    const field = definition.fields[name] as ListField;
    const { type, choices = [] } = field;
    const operators = operatorsOfField(field).filter((operator) => operator !== 'eq');
    const forms = operators.map((operator) => `${name}[${operator}]`).join(', ');
    const description = forms === '' ? 'Filter' : `Filter; with operators as ${forms}`;
    properties[name] = { ...valueSchema(type, choices), description };
  }
  return Type.Unsafe<Record<string, string>>({
    type: 'object',
    properties: { ...properties, ...besides },
    'x-list': true,
  });
}

/** A day given as a parameter. @throws ServiceError invalid_parameter naming it */
export function assertDay(name: string, value: string): string {
  if (!isDay(value)) throw new ServiceError('invalid_parameter', `${name} must be a day as YYYY-MM-DD`);
  return value;
}

/** Days from and to, where both are given. @throws ServiceError invalid_parameter */
export function assertRange({ from, to }: { readonly from?: string; readonly to?: string }): void {
  if (from !== undefined && to !== undefined && to < from)
    throw new ServiceError('invalid_parameter', 'to must not be before from');
}

/** `{data, pagination}` */
export function listAnswer<Row>({ rows, pagination }: ListResult<Row>, present: (row: Row) => unknown): RouteResponse {
  return { status: 200, body: { data: rows.map(present), pagination } };
}

function valueSchema(type: FieldType, choices: readonly string[]): TSchema {
  switch (type) {
    case 'number':
      return Type.Number();
    case 'integer':
      return integer();
    case 'boolean':
      return Type.Boolean();
    case 'date':
      return day();
    case 'uuid':
      return uuid();
    case 'choice':
      return choice(choices);
    default:
      return text();
  }
}
