/**
 * Checks the JSON Schemas of manifests: they must describe objects, without regular expressions and references, so that validating data
 * takes time in proportion to its size.
 */
import type { FieldError } from '../../errors.ts';

const MAX_CHARACTERS = 20_000;
const MAX_DEPTH = 8;
const MAX_MEMBERS = 100;
const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];
export const SCHEMA_FORMATS = ['date', 'date-time', 'email', 'uuid'];
/** Names with a special meaning in JavaScript. */
const FORBIDDEN_NAMES = ['__proto__', 'constructor', 'prototype'];

type Fault = Pick<FieldError, 'code' | 'message'> | null;
type Check = (value: unknown) => Fault;

const invalid = (message: string): Fault => ({ code: 'invalid_schema', message });
const must =
  (holds: (value: unknown) => boolean, what: string): Check =>
  (value) =>
    holds(value) ? null : invalid(`must be ${what}`);
const count = must((value) => Number.isSafeInteger(value) && Number(value) >= 0, 'a number of at least 0');
const number = must((value) => typeof value === 'number' && Number.isFinite(value), 'a number');
const text = must((value) => typeof value === 'string', 'a text');
const flag = must((value) => typeof value === 'boolean', 'true or false');
const scalar = (value: unknown) => value === null || ['string', 'number', 'boolean'].includes(typeof value);
const isList = (value: unknown, of: (entry: unknown) => boolean): value is unknown[] =>
  Array.isArray(value) && value.length > 0 && value.length <= MAX_MEMBERS && value.every(of);
const isDifferent = (value: unknown) => new Set(value as unknown[]).size === (value as unknown[]).length;

/** Allowed keywords, except those that contain further schemas. */
const KEYWORDS: Readonly<Record<string, Check>> = {
  type: must((value) => TYPES.includes(value as string), `one of ${TYPES.join(', ')}`),
  title: text,
  description: text,
  default: () => null,
  required: must(
    (value) => isList(value, (name) => typeof name === 'string') && isDifferent(value),
    `a list of 1 to ${MAX_MEMBERS} different names`,
  ),
  additionalProperties: flag,
  enum: must((value) => isList(value, scalar) && isDifferent(value), `a list of 1 to ${MAX_MEMBERS} different values`),
  const: must(scalar, 'a text, a number, true, false or null'),
  format: must((value) => SCHEMA_FORMATS.includes(value as string), `one of ${SCHEMA_FORMATS.join(', ')}`),
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  minLength: count,
  maxLength: count,
  minItems: count,
  maxItems: count,
};

/** Finds the faults of a schema in a manifest. @param pointer of the schema */
export function schemaFaults(schema: Readonly<Record<string, unknown>>, pointer: string): FieldError[] {
  if (JSON.stringify(schema).length > MAX_CHARACTERS) {
    return [{ pointer, code: 'too_long', message: `must have at most ${MAX_CHARACTERS} characters as JSON` }];
  }
  if (schema.type !== 'object') {
    return [{ pointer: `${pointer}/type`, code: 'invalid_schema', message: 'must be object' }];
  }
  return faultsIn(schema, pointer, 1);
}

function faultsIn(schema: unknown, pointer: string, depth: number): FieldError[] {
  if (!isObject(schema)) return [{ pointer, code: 'invalid_schema', message: 'must be an object' }];
  if (depth > MAX_DEPTH) return [{ pointer, code: 'too_deep', message: `must be within ${MAX_DEPTH} levels` }];
  return Object.entries(schema).flatMap(([keyword, value]): FieldError[] => {
    const at = `${pointer}/${escaped(keyword)}`;
    if (keyword === 'items') return faultsIn(value, at, depth + 1);
    if (keyword === 'properties') return propertyFaults(value, at, depth);
    const check = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
    if (check === undefined) {
      const known = [...Object.keys(KEYWORDS), 'properties', 'items'].sort().join(', ');
      return [{ pointer: at, code: 'unknown_keyword', message: `cannot be used; a schema may have ${known}` }];
    }
    const fault = check(value);
    return fault === null ? [] : [{ pointer: at, ...fault }];
  });
}

function propertyFaults(properties: unknown, pointer: string, depth: number): FieldError[] {
  if (!isObject(properties) || Object.keys(properties).length > MAX_MEMBERS) {
    return [{ pointer, code: 'invalid_schema', message: `must be an object of at most ${MAX_MEMBERS} members` }];
  }
  return Object.entries(properties).flatMap(([name, schema]) => {
    const at = `${pointer}/${escaped(name)}`;
    if (!FORBIDDEN_NAMES.includes(name)) return faultsIn(schema, at, depth + 1);
    return [{ pointer: at, code: 'not_allowed', message: 'cannot be the name of a member' }];
  });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
