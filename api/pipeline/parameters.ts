/** Path and query parameters as declared by a route. */
import { type TSchema, Type } from 'typebox';
import { ServiceError } from '../../domain/errors.ts';
import { text, uuid } from '../../services/platform/validation/schemas.ts';
import { isStorable } from '../../services/platform/validation/text.ts';
import { parameterValidator } from '../../services/platform/validation/validate.ts';
import { PREVIEW_PARAMETER } from '../previews/schemas.ts';
import type { Route } from '../route.ts';
import { expandable, expandParameter } from './expand.ts';
import { choosesFields, FIELDS_PARAMETER } from './fields.ts';

/** Builds a schema for every path parameter; those named id or ending in Id are UUIDs unless declared otherwise. */
export function pathParameters(route: Pick<Route, 'path' | 'params'>): TSchema {
  const declared = (route.params as { properties?: Record<string, TSchema> } | undefined)?.properties ?? {};
  const names = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1] as string);
  return Type.Object(
    Object.fromEntries(names.map((name) => [name, declared[name] ?? (/^id$|Id$/.test(name) ? uuid() : text())])),
  );
}

/** The schema of a route's query parameters. */
export function querySchema(route: Route): TSchema {
  const declared: TSchema = route.query ?? Type.Object({});
  const { properties = {} } = declared as { properties?: Record<string, TSchema> };
  if (route.previews === true) return Type.Object({ ...properties, preview: PREVIEW_PARAMETER });
  const reading = readingParameters(route);
  return { ...declared, properties: { ...properties, ...reading } } as TSchema;
}

/** Parameters of all routes that answer with records. */
function readingParameters(route: Route): Record<string, TSchema> {
  const names = expandable(route);
  return {
    ...(choosesFields(route) ? { fields: FIELDS_PARAMETER } : {}),
    ...(names.length === 0 ? {} : { expand: expandParameter(names) }),
  };
}

/**
 * Parses a query string by the route's schema. A list's parameters (`x-list`) are returned as texts, since the list's
 * own grammar checks them (db/queries/list.ts).
 * @returns a function that throws ServiceError invalid_parameter
 */
export function readQuery(route: Route): (querystring: string) => Record<string, unknown> {
  const schema = querySchema(route);
  const check = parameterValidator(schema);
  const isList = (schema as { 'x-list'?: boolean })['x-list'] === true;
  return (querystring) => {
    const values = parse(querystring, isList ? 'sort' : undefined);
    if (!isList) check(values);
    return values;
  };
}

/** Parses a query string. @param repeatable parameter that may be repeated, as many clients send lists */
function parse(querystring: string, repeatable?: string): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of new URLSearchParams(querystring)) {
    if (!isStorable(name) || !isStorable(value)) {
      throw new ServiceError('invalid_parameter', 'A query parameter contains a character that cannot be stored');
    }
    if (name in values && name === repeatable) {
      values[name] = `${values[name]},${value}`;
      continue;
    }
    if (name in values) throw new ServiceError('invalid_parameter', `${name} must not be given more than once`);
    values[name] = value;
  }
  return values;
}
