/** Values of custom fields as texts: default values, and cells of imports and exports. */
import type { CustomFieldDefinition } from './definitions.ts';
import { TYPES } from './types.ts';

/**
 * Converts a text to a JSON value: numbers with a point, `true` and `false`, options separated by commas (or a JSON array, when an option
 * contains a comma). Texts that do not fit the type are returned unchanged; `checkRow` then reports the fault.
 */
export function parseValue({ type }: Pick<CustomFieldDefinition, 'type'>, written: string): unknown {
  return written === '' ? null : TYPES[type].parse(written);
}

/** Writes a value as the text that `parseValue` reads as the same value; empty for none. */
export function writeValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (!Array.isArray(value)) return String(value);
  const needsQuotes = value.some((option) => /^[[\s]|,|\s$/.test(String(option)));
  return needsQuotes ? JSON.stringify(value) : value.join(', ');
}
