/** Checks the custom values of one record against the definitions, fills in defaults, and converts them to their stored form. */

import type { FieldError } from '../../../domain/errors.ts';
import { CUSTOM_PREFIX, type CustomValues } from '../../../domain/records/custom-fields.ts';
import { pointerStep } from '../../platform/validation/text.ts';
import type { CustomFieldDefinition } from './definitions.ts';
import { parseValue } from './text.ts';
import { checkValue, isUnset } from './values.ts';

type Row = Readonly<Record<string, unknown>>;

/** Splits a body into the members that name custom fields and the others. */
export function splitCustom<Body extends object>(body: Body): { custom: Row; rest: Body } {
  const custom: Record<string, unknown> = {};
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) (name.startsWith(CUSTOM_PREFIX) ? custom : rest)[name] = value;
  return { custom, rest: rest as Body };
}

/**
 * Checks the custom values of a record, or of a row of an import, whose cells `parseValue` reads.
 * @param tenantId the company of the record
 * @param fields the active fields
 * @param given by member name (`custom_…`); absent members stay as they are, null clears
 * @param stored the current values; null for a new record, whose fields get their defaults
 * @returns the values to store, and every fault with its pointer
 */
export function checkRow(
  tenantId: string,
  fields: readonly CustomFieldDefinition[],
  given: Row,
  stored: CustomValues | null,
): { readonly values: CustomValues; readonly faults: readonly FieldError[] } {
  const values: Record<string, unknown> = { ...stored };
  const known = new Set(fields.map(memberName));
  const faults = Object.keys(given)
    .filter((name) => !known.has(name))
    .map(
      (name): FieldError => ({ pointer: pointerStep(name), code: 'unknown_field', message: 'is not a known field' }),
    );
  for (const field of fields) {
    const member = memberName(field);
    const value = given[member] === undefined && stored === null ? defaultValue(field) : given[member];
    if (isUntouched(value, stored, field)) continue;
    if (isUnset(value)) {
      if (field.required) faults.push({ pointer: pointerStep(member), code: 'required', message: 'is required' });
      delete values[field.storageKey];
      continue;
    }
    const checked = checkValue(tenantId, field, value);
    faults.push(...checked.faults.map((fault) => ({ ...fault, pointer: pointerStep(member) + fault.pointer })));
    values[field.storageKey] = checked.value;
  }
  return { values, faults };
}

/** Whether a value is unchanged; unchanged values are accepted, even if the definition is stricter by now. */
function isUntouched(value: unknown, stored: CustomValues | null, field: CustomFieldDefinition): boolean {
  if (stored === null) return false;
  if (value === undefined) return true;
  const before = storedValue(stored, field);
  return isUnset(value) ? isUnset(before) : JSON.stringify(value) === JSON.stringify(before);
}

/** The stored value of a field; null if unset. Checks own members only, since a field may be called `constructor`. */
export function storedValue(stored: CustomValues, { storageKey }: Pick<CustomFieldDefinition, 'storageKey'>): unknown {
  return Object.hasOwn(stored, storageKey) ? stored[storageKey] : null;
}

function defaultValue(field: CustomFieldDefinition): unknown {
  return field.defaultValue === null ? undefined : parseValue(field, field.defaultValue);
}

/** Name of a field in bodies and answers. */
export function memberName({ fieldName }: Pick<CustomFieldDefinition, 'fieldName'>): string {
  return CUSTOM_PREFIX + fieldName;
}

/** Converts stored values to the form that the audit log, templates and `showCustomFields` expect. */
export function customToJson(custom: CustomValues) {
  return Object.fromEntries(Object.entries(custom).map(([key, value]) => [CUSTOM_PREFIX + key, value]));
}

/** Adds every active custom field to an answer (null if unset) and removes inactive ones. */
export function showCustomFields(fields: readonly CustomFieldDefinition[], answer: Row): Row {
  const { custom, rest } = splitCustom(answer);
  const shown = fields.map((field) => [memberName(field), custom[CUSTOM_PREFIX + field.storageKey] ?? null]);
  return { ...rest, ...Object.fromEntries(shown) };
}
