/** Validates by the schemas of a route, compiled on first use; every fault is reported at its JSON pointer with a stable code. */
import { Ajv2020 as Ajv, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { DataValidationCxt, SchemaValidateFunction } from 'ajv/dist/types/index.js';
import addFormats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { isUuid } from '../../../db/ids.ts';
import { isInstant } from '../../../db/queries/list-values.ts';
import { isDay } from '../../../domain/days.ts';
import { type FieldError, ServiceError, validationFailed } from '../../../domain/errors.ts';
import { isCurrency } from '../../../domain/locale/currencies.ts';
import { decimal, roundIfClose } from '../../../domain/money.ts';
import { toFieldErrors } from './faults.ts';
import { applyNulls, type BodyKind } from './nulls.ts';
import { DECIMAL_LIMIT, DEFAULT_MARK, INSTEAD_MARK, NULL_MARK } from './schemas.ts';
import { findUnstorableText } from './text.ts';

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

interface AjvOptions {
  readonly coerceTypes: boolean;
  readonly strictNumbers?: boolean;
}

/** Errors of a value after which looking for more ends: a body of 1 MiB can have a million. */
const MAX_ERRORS = 1000;

/** Parameters that a refusal speaks of: a query of 6 KB can have a thousand wrong ones. */
const MAX_PARAMETERS_TOLD = 10;

/** Makes compiled code end with its errors so far when they are too many; ajv has no such option. */
function stopping(code: string): string {
  const stop = `if(errors>${MAX_ERRORS})throw vErrors;`;
  return code.replaceAll('errors++;', `errors++;${stop}`).replaceAll(/(?<!\w)errors = vErrors\.length;/g, `$&${stop}`);
}

function createAjv({ allErrors, ...options }: AjvOptions & { readonly allErrors: boolean }): Ajv {
  const ajv = new Ajv({
    allErrors,
    ...(allErrors ? { code: { process: stopping } } : {}),
    strict: true,
    strictTypes: false,
    allowUnionTypes: true,
    discriminator: true,
    ...options,
  });
  addFormats.default(ajv, ['email', 'uri', 'time', 'ipv4', 'ipv6']);
  ajv.addFormat('uuid', isUuid);
  ajv.addFormat('date', isDay);
  ajv.addFormat('date-time', isInstant);
  ajv.addFormat('http-url', isHttpUrl);
  ajv.addFormat('currency', isCurrency);
  ajv.addFormat('binary', true);
  ajv.addKeyword({ keyword: 'x-list', schemaType: 'boolean' });
  ajv.addKeyword({ keyword: 'x-custom-fields', schemaType: 'string' });
  ajv.addKeyword({ keyword: 'x-measure', schemaType: 'string' });
  ajv.addKeyword({ keyword: 'x-label', schemaType: 'string' });
  ajv.addKeyword(DEFAULT_MARK);
  ajv.addKeyword(INSTEAD_MARK);
  ajv.addKeyword(NULL_MARK);
  ajv.addKeyword({ keyword: 'x-choices', schemaType: 'array' });
  ajv.addKeyword({
    keyword: 'x-trimmed',
    schemaType: 'boolean',
    modifying: true,
    errors: false,
    validate: replacing((_, value) => value.trim()),
  });
  ajv.addKeyword({
    keyword: 'x-synonyms',
    schemaType: 'object',
    modifying: true,
    errors: false,
    validate: replacing((words: Record<string, string>, value) => words[value] ?? value),
  });
  ajv.addKeyword({
    keyword: 'decimalPlaces',
    type: 'number',
    schemaType: 'number',
    modifying: true,
    errors: 'full',
    validate: exactDecimal,
  });
  return ajv;
}

/** A keyword that replaces a text in its containing object. */
function replacing<Schema>(replace: (schema: Schema, value: string) => string) {
  return (schema: Schema, value: unknown, _: unknown, place?: DataValidationCxt): boolean => {
    const holder: Record<string | number, unknown> | undefined = place?.parentData;
    if (typeof value === 'string' && holder) holder[place?.parentDataProperty ?? ''] = replace(schema, value);
    return true;
  };
}

/**
 * Validates a number of at most `places` decimals, below the limit and with few enough digits to be exact in JSON. Replaces remainders of
 * binary arithmetic (0.1 + 0.2) by the intended decimal.
 */
const exactDecimal: SchemaValidateFunction = (places: number, value: number, _, place) => {
  if (isShortDecimal(value, places)) return true;
  const meant = Number.isFinite(value) && Math.abs(value) < DECIMAL_LIMIT ? roundIfClose(value, places) : value;
  const tooPrecise = meant === null;
  if (!tooPrecise && Math.abs(meant) < DECIMAL_LIMIT && decimal(meant).c.length <= 15) {
    if (meant !== value && place?.parentData) place.parentData[place.parentDataProperty] = meant;
    return true;
  }
  exactDecimal.errors = [{ keyword: 'decimalPlaces', params: { places, tooPrecise } }];
  return false;
};

/** Compilers of one sort of value: one that looks for all errors, and one that ends with the first. */
interface Compilers {
  readonly all: Ajv;
  readonly first: Ajv;
}

function createCompilers(options: AjvOptions): Compilers {
  return { all: createAjv({ allErrors: true, ...options }), first: createAjv({ allErrors: false, ...options }) };
}

/** Whether a number is exact as it is written, as nearly all are. Calculating with decimals takes fifty times as long. */
function isShortDecimal(value: number, places: number): boolean {
  const text = String(value);
  if (Math.abs(value) >= DECIMAL_LIMIT || !/^-?\d+(\.\d+)?$/.test(text) || text.length > 15) return false;
  const point = text.indexOf('.');
  return point < 0 || text.length - point - 1 <= places;
}

const bodies = createCompilers({ coerceTypes: false });
// "1e400" is read as Infinity, which the bounds refuse; strict numbers would skip them.
const parameters = createCompilers({ coerceTypes: true, strictNumbers: false });

/**
 * Returns a function that lists the faults of a value. Schemas are compiled on first use: compiling all would add two seconds to each
 * start, and memory for routes that nobody calls.
 */
function faultFinder({ all, first }: Compilers, schema: TSchema): (value: unknown) => FieldError[] {
  const compiled = compiledLater(all, schema);
  const verdict = compiledLater(first, schema);
  return (value) => {
    const validate = compiled();
    try {
      return validate(value) ? [] : toFieldErrors(validate.errors ?? []);
    } catch (errors) {
      if (!Array.isArray(errors)) throw errors;
      // They may all be of a branch of a union, of which another fits.
      return verdict()(value) ? [] : toFieldErrors(errors as ErrorObject[]);
    }
  };
}

function compiledLater(ajv: Ajv, schema: TSchema): () => ValidateFunction {
  let validate: ValidateFunction | undefined;
  return () => {
    validate ??= ajv.compile(closed(schema));
    return validate;
  };
}

/**
 * Validates a body and normalizes it: blanks, nulls, binary remainders. Compiled once per route.
 * @throws ServiceError validation_failed
 */
export function bodyValidator(schema: TSchema, kind: BodyKind = 'new'): (body: unknown) => void {
  const findFaults = faultFinder(bodies, schema);
  return (body) => {
    const unstorable = findUnstorableText(body);
    if (unstorable) throw validationFailed([unstorable]);
    const empty = applyNulls(schema, body, kind);
    const faults = findFaults(body);
    if (empty.length + faults.length > 0) throw validationFailed([...empty, ...faults]);
  };
}

/** Validates a single value; the pointers of the faults are relative to it. */
export function valueValidator(schema: TSchema): (value: unknown) => FieldError[] {
  return faultFinder(bodies, schema);
}

/**
 * Validates path or query parameters and converts their types in place ("2" → 2).
 * @throws ServiceError invalid_parameter naming the parameter
 */
export function parameterValidator(schema: TSchema): (values: Record<string, unknown>) => void {
  const findFaults = faultFinder(parameters, schema);
  const allowed = Object.keys((schema as { properties?: object }).properties ?? {});
  return (values) => {
    const faults = findFaults(values);
    if (faults.length > 0) throw invalidParameter(faults, allowed);
  };
}

function invalidParameter(faults: readonly FieldError[], allowed: readonly string[]): ServiceError {
  const messages = faults.slice(0, MAX_PARAMETERS_TOLD).map((fault) => {
    const name = fault.pointer.slice(1).replaceAll('~1', '/').replaceAll('~0', '~');
    return `${name} ${fault.code === 'unknown_field' ? 'is not a parameter of this route' : fault.message}`;
  });
  if (faults.length > MAX_PARAMETERS_TOLD) messages.push(`${faults.length - MAX_PARAMETERS_TOLD} more are wrong`);
  if (faults.some(({ code }) => code === 'unknown_field'))
    messages.push(`known parameters are ${allowed.join(', ') || 'none'}`);
  return new ServiceError('invalid_parameter', messages.join('; '));
}

/**
 * A copy in which objects accept only the members they name, unless a schema says otherwise. Read-only members stay as they are: what is
 * sent back of them is compared with what was read.
 */
export function closed(schema: TSchema): TSchema {
  return close(schema) as TSchema;
}

function close(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(close);
  if (typeof node !== 'object' || node === null) return node;
  if ((node as { readOnly?: unknown }).readOnly === true) return node;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) copy[key] = LITERAL_KEYWORDS.has(key) ? value : close(value);
  if (copy.properties !== undefined && copy.type === 'object' && copy.additionalProperties === undefined) {
    copy.additionalProperties = false;
  }
  return copy;
}

/** Keywords whose values are data, not schemas. */
const LITERAL_KEYWORDS = new Set([
  'const',
  'enum',
  'default',
  DEFAULT_MARK,
  'examples',
  'required',
  'x-synonyms',
  'x-choices',
]);
