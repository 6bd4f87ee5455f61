/** Examples of bodies and responses, built from their schemas and the vocabulary. */
import type { Route } from '../route.ts';
import type { Json, Use } from './components.ts';
import { isObject } from './forms.ts';
import { DAY, ID, INSTANT } from './vocabulary/common.ts';
import { wordFor } from './vocabulary/index.ts';

/** The example of a request; the route's own takes precedence. */
export function bodyExample(route: Route): unknown {
  return route.examples?.body ?? sampleValue(route.body as Json, 'body');
}

/** The example of a response, with the members that the route specifies. */
export function answerExample(route: Route, schema: unknown): unknown {
  return withMembers(sampleValue(schema as Json, 'answer'), route.examples?.answer ?? {});
}

/** Inserts members into `data`, into its first record, or at the top level. */
function withMembers(sample: unknown, members: Json): unknown {
  if (!isObject(sample)) return sample;
  if (Array.isArray(sample.data)) return { ...sample, data: [{ ...sample.data[0], ...members }] };
  return isObject(sample.data) ? { ...sample, data: { ...sample.data, ...members } } : { ...sample, ...members };
}

/** Builds a value that fits a schema. For bodies, only the required members, or the first one if there are none. */
export function sampleValue(schema: Json, use: Use, name = ''): unknown {
  const known = wordFor(name)?.[1];
  if (schema.const !== undefined) return schema.const;
  if (known !== undefined && fits(schema, known)) return known;
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  if (choices !== undefined) return sampleValue(choices[0] as Json, use, name);
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [type] = schemaTypes(schema);
  if (type === 'object') return sampleObject(schema, use);
  if (type === 'array') {
    const entry = sampleValue((schema.items ?? {}) as Json, use, name.replace(/s$/, ''));
    return Array.from({ length: Number(schema.minItems ?? 1) || 1 }, () => entry);
  }
  if (type === 'string') return sampleText(schema);
  if (type === 'boolean') return false;
  if (type === 'integer' || type === 'number') return Number(schema.minimum ?? schema.exclusiveMinimum ?? 0) + 1;
  return type === 'null' ? null : {};
}

function sampleObject(schema: Json, use: Use): Json {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, Json>; required?: string[] };
  const names = Object.keys(properties);
  const shown = required.length > 0 || use === 'answer' ? names.filter((name) => required.includes(name)) : names;
  const some = use === 'body' && required.length === 0 ? shown.slice(0, 1) : shown;
  return Object.fromEntries(some.map((name) => [name, sampleValue(properties[name] as Json, use, name)]));
}

const TEXTS: Readonly<Record<string, string>> = {
  uuid: ID,
  date: DAY,
  'date-time': INSTANT,
  email: 'ana@example.com',
  uri: 'https://example.com',
  'http-url': 'https://example.com',
};

function sampleText({ format, minLength = 0 }: Json): string {
  return TEXTS[String(format)] ?? 'text'.padEnd(Number(minLength), '.');
}

/** Whether a value fits a schema's type and simple bounds. */
function fits(schema: Json, value: unknown): boolean {
  if (Array.isArray(schema.enum)) return schema.enum.includes(value);
  if (
    !schemaTypes(schema).includes(jsonType(value)) &&
    !(schemaTypes(schema).includes('number') && typeof value === 'number')
  )
    return false;
  if (typeof value === 'string') return fitsText(schema, value);
  if (typeof value === 'number') {
    const { minimum = -Infinity, maximum = Infinity } = schema as { minimum?: number; maximum?: number };
    return value >= minimum && value <= maximum;
  }
  if (!Array.isArray(value)) return true;
  const { items = {}, minItems = 0 } = schema as { items?: Json; minItems?: number };
  return value.length >= minItems && value.every((entry) => fits(items, entry));
}

function fitsText({ format, pattern, minLength = 0, maxLength = Infinity }: Json, value: string): boolean {
  if (value.length < Number(minLength) || value.length > Number(maxLength)) return false;
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value)) return false;
  return FORMS[String(format)]?.test(value) ?? true;
}

const FORMS: Readonly<Record<string, RegExp>> = {
  uuid: /^[0-9a-f]{8}-/,
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\dT/,
  email: /@/,
  uri: /^https?:/,
  'http-url': /^https?:/,
};

function schemaTypes(schema: Json): string[] {
  if (schema.type === undefined) return schema.properties === undefined ? [] : ['object'];
  return Array.isArray(schema.type) ? schema.type : [schema.type as string];
}

function jsonType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}
