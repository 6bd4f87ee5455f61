/** Checks single values of custom fields and normalizes them for storage. */
import type { FieldError } from '../../../domain/errors.ts';
import { roundIfClose } from '../../../domain/money.ts';
import { AMOUNT_PLACES } from '../../platform/validation/schemas.ts';
import { valueValidator } from '../../platform/validation/validate.ts';
import type { CustomFieldDefinition } from './definitions.ts';
import { matches } from './regex.ts';
import { TYPES } from './types.ts';

/** Parts of a definition that determine whether a value is valid. */
export type ValueRules = Pick<CustomFieldDefinition, 'type' | 'options' | 'validationRegex'>;

/** The value in its stored form, or its faults, with pointers relative to the value. */
export type CheckedValue =
  | { readonly value: unknown; readonly faults: readonly [] }
  | { readonly value?: undefined; readonly faults: readonly FieldError[] };

const validators = Object.fromEntries(
  Object.entries(TYPES).map(([type, { schema }]) => [type, valueValidator(schema)]),
) as Record<keyof typeof TYPES, (value: unknown) => FieldError[]>;

/** Whether a value counts as unset: null, an empty text, or an empty list of options. */
export function isUnset(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/**
 * Checks a value that is set.
 * @param tenantId the company whose budget for regular expressions is charged
 */
export function checkValue(tenantId: string, rules: ValueRules, value: unknown): CheckedValue {
  const faults = validators[rules.type](value);
  if (faults.length > 0) return { faults };
  switch (rules.type) {
    case 'SELECT':
    case 'MULTISELECT':
      return checkOptions(rules, value as string | string[]);
    case 'DATETIME':
      return checkInstant(value as string);
    default:
      if (typeof value === 'number') return { value: roundIfClose(value, AMOUNT_PLACES) ?? value, faults: [] };
      return typeof value === 'string' ? checkText(tenantId, rules, value) : { value, faults: [] };
  }
}

function checkOptions({ options }: ValueRules, value: string | string[]): CheckedValue {
  const allowed = options ?? [];
  const message = `must be one of ${allowed.join(', ')}`;
  const faults = [value].flat().flatMap((option, index): FieldError[] => {
    const pointer = Array.isArray(value) ? `/${index}` : '';
    return allowed.includes(option) ? [] : [{ pointer, code: 'invalid_choice', message }];
  });
  return faults.length > 0 ? { faults } : { value, faults: [] };
}

/** Normalizes instants to UTC with milliseconds, so that texts sort like instants. */
function checkInstant(value: string): CheckedValue {
  const normal = new Date(value).toISOString();
  if (/^(?!0000)\d{4}-/.test(normal)) return { value: normal, faults: [] };
  return { faults: [{ pointer: '', code: 'out_of_range', message: 'must be within the years 1 to 9999 of UTC' }] };
}

function checkText(tenantId: string, { validationRegex }: ValueRules, value: string): CheckedValue {
  if (validationRegex === null) return { value, faults: [] };
  const found = matches(tenantId, validationRegex, value);
  if (found === true) return { value, faults: [] };
  const fault =
    found === false
      ? { code: 'invalid_format', message: `must match ${validationRegex}` }
      : {
          code: 'pattern_too_slow',
          message: `cannot be matched against ${validationRegex}; simplify the field's validation_regex`,
        };
  return { faults: [{ pointer: '', ...fault }] };
}
