/** Path and query parameters, as a route declares them. */
import { type TSchema, Type } from 'typebox';
import { ServiceError } from '../domain/errors.ts';
import { text, uuid } from '../services/validation/schemas.ts';
import { isStorable } from '../services/validation/text.ts';
import { parameterValidator } from '../services/validation/validate.ts';
import type { Route } from './route.ts';

/** A schema for every path parameter: those named id or ending in Id are UUIDs unless declared otherwise. */
export function pathParameters(route: Pick<Route, 'path' | 'params'>): TSchema {
  const declared = (route.params as { properties?: Record<string, TSchema> } | undefined)?.properties ?? {};
  const names = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1] as string);
  return Type.Object(
    Object.fromEntries(names.map((name) => [name, declared[name] ?? (/^id$|Id$/.test(name) ? uuid() : text())])),
  );
}

/**
 * Parses a query string by the route's schema. A list's parameters (`x-list`) are returned as texts: the list's own grammar checks them
 * (db/queries/list.ts).
 * @returns a function that throws ServiceError invalid_parameter
 */
export function readQuery(route: Pick<Route, 'query'>): (querystring: string) => Record<string, unknown> {
  const schema: TSchema = route.query ?? Type.Object({});
  const check = parameterValidator(schema);
  const isList = (schema as { 'x-list'?: boolean })['x-list'] === true;
  return (querystring) => {
    const values = parse(querystring, isList ? 'sort' : undefined);
    if (!isList) check(values);
    return values;
  };
}

/** @param repeatable the parameter that may be repeated, as many clients send lists */
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
    if (name in values) throw new ServiceError('invalid_parameter', `${name} is given more than once`);
    values[name] = value;
  }
  return values;
}
