/** Translates ajv's errors into the API's faults: one for each member, with a stable code and a message that says what to send. */
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { FieldError } from '../../../domain/errors.ts';
import { DECIMAL_LIMIT, NOT_BLANK } from './schemas.ts';
import { pointerStep } from './text.ts';

type Explanation = (error: ErrorObject) => { code: string; message: string };

const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  required: () => ({ code: 'required', message: 'is required' }),
  additionalProperties: () => ({ code: 'unknown_field', message: 'is not a known field' }),
  unevaluatedProperties: () => ({ code: 'unknown_field', message: 'is not a known field' }),
  type: ({ params }) => ({ code: 'invalid_type', message: `must be ${typeNames(params.type)}` }),
  format: ({ params }) => ({
    code: 'invalid_format',
    message: `must be ${FORMATS[String(params.format)] ?? params.format}`,
  }),
  pattern: ({ params }) =>
    params.pattern === NOT_BLANK
      ? { code: 'too_short', message: 'must not be blank' }
      : { code: 'invalid_format', message: `must match ${params.pattern}` },
  enum: ({ params }) => ({
    code: 'invalid_choice',
    message: `must be one of ${(params.allowedValues as unknown[]).map((value) => value ?? 'null').join(', ')}`,
  }),
  const: ({ params }) => ({ code: 'invalid_choice', message: `must be ${params.allowedValue}` }),
  minimum: ({ params }) => ({ code: 'out_of_range', message: `must be at least ${params.limit}` }),
  maximum: ({ params }) => ({ code: 'out_of_range', message: `must be at most ${params.limit}` }),
  exclusiveMinimum: ({ params }) => ({ code: 'out_of_range', message: `must be greater than ${params.limit}` }),
  exclusiveMaximum: ({ params }) => ({ code: 'out_of_range', message: `must be less than ${params.limit}` }),
  minLength: ({ params }) => ({
    code: 'too_short',
    message: params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`,
  }),
  maxLength: ({ params }) => ({ code: 'too_long', message: `must have at most ${params.limit} characters` }),
  minItems: ({ params }) => ({
    code: 'too_few',
    message: params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} entries`,
  }),
  maxItems: ({ params }) => ({ code: 'too_many', message: `must have at most ${params.limit} entries` }),
  minProperties: ({ params }) => ({ code: 'too_few', message: `must have at least ${params.limit} members` }),
  maxProperties: ({ params }) => ({ code: 'too_many', message: `must have at most ${params.limit} members` }),
  uniqueItems: () => ({ code: 'duplicate', message: 'must not contain the same entry twice' }),
  decimalPlaces: ({ params: { places, tooPrecise } }) =>
    tooPrecise
      ? { code: 'too_many_decimals', message: `must have at most ${places} decimals` }
      : {
          code: 'out_of_range',
          message: `must be between -${DECIMAL_LIMIT} and ${DECIMAL_LIMIT}, with at most 15 digits`,
        },
};

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  date: 'an existing date, as YYYY-MM-DD',
  'date-time': 'an instant in ISO 8601, such as 2026-01-31T12:00:00Z',
  email: 'an e-mail address',
  'http-url': 'an http or https address',
  currency: 'the code of a currency in use (ISO 4217), such as USD',
};

/** Lists the faults of a failed validation, at most one per place. */
export function toFieldErrors(errors: readonly ErrorObject[]): FieldError[] {
  const faults = new Map<string, FieldError>();
  // An unknown `type` is reported by the enum of `unionByType`.
  for (const error of withoutBranches(errors.filter(({ keyword }) => keyword !== 'discriminator'))) {
    const pointer = error.instancePath + faultMember(error);
    const explain = EXPLANATIONS[error.keyword];
    const { code, message } = explain?.(error) ?? { code: 'invalid', message: error.message ?? 'is not valid' };
    if (!faults.has(pointer)) faults.set(pointer, { pointer, code, message });
  }
  return [...faults.values()];
}

function faultMember({ keyword, params }: ErrorObject): string {
  if (keyword === 'required') return pointerStep(params.missingProperty);
  if (keyword === 'additionalProperties') return pointerStep(params.additionalProperty);
  if (keyword === 'unevaluatedProperties') return pointerStep(params.unevaluatedProperty);
  return '';
}

/**
 * Selects the helpful errors of a union without a match, where ajv reports those of every branch: the errors of the intended branch are
 * inside the value. If there are none, the value as a whole is wrong.
 */
function withoutBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const unions = errors.filter((error) => error.keyword === 'anyOf' || error.keyword === 'oneOf');
  if (unions.length === 0) return [...errors];
  let kept = [...errors];
  for (const union of unions) {
    const isInBranch = (error: ErrorObject) => error.schemaPath.startsWith(`${union.schemaPath}/`);
    const branches = new Map<string, ErrorObject[]>();
    for (const error of kept.filter(isInBranch)) {
      const branch = error.schemaPath
        .slice(union.schemaPath.length + 1)
        .split('/', 1)
        .join();
      branches.set(branch, [...(branches.get(branch) ?? []), error]);
    }
    const meant = [...branches.values()]
      .filter((faults) => !faults.some((fault) => fault.instancePath === union.instancePath && isMismatch(fault)))
      .sort((one, other) => one.length - other.length)[0];
    kept = kept.filter((error) => !isInBranch(error) && error !== union);
    kept.push(...(meant ?? [summary(union, [...branches.values()].flat())]));
  }
  return kept;
}

function isMismatch(error: ErrorObject): boolean {
  return error.keyword === 'type' || error.keyword === 'const' || error.keyword === 'enum';
}

function summary(union: ErrorObject, faults: readonly ErrorObject[]): ErrorObject {
  const words = faults.filter((fault) => fault.keyword === 'const').map((fault) => fault.params.allowedValue);
  if (words.length > 0) return { ...union, keyword: 'enum', params: { allowedValues: words } };
  const types = faults.filter((fault) => fault.keyword === 'type').flatMap((fault) => fault.params.type);
  return types.length > 0 ? { ...union, keyword: 'type', params: { type: [...new Set(types)] } } : union;
}

function typeNames(types: unknown): string {
  const names = Array.isArray(types) ? types : [types];
  return names.map((name) => (name === 'null' ? 'null' : `${/^[aio]/.test(name) ? 'an' : 'a'} ${name}`)).join(' or ');
}
