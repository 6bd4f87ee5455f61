/** Custom fields in lists: typed filters and sorts, and the members of the rows. */
import type { TSchema } from 'typebox';
import type { IndexedField, ListDefinition, ListField } from '../../../db/queries/list.ts';
import type { CustomFieldType } from '../../../domain/records/custom-fields.ts';
import { nullable } from '../../platform/validation/schemas.ts';
import type { CustomFieldDefinition } from './definitions.ts';
import { memberName } from './rows.ts';
import { TYPES } from './types.ts';

/** Adds filters and sorts by the fields to a list whose rows are identified by the definition's `key` (default `id`). */
export function withCustomFilters(list: ListDefinition, fields: readonly CustomFieldDefinition[]): ListDefinition {
  if (fields.length === 0) return list;
  const column = (list.key ?? 'id').replace(/id$/, 'custom');
  const own = fields.map((field): [string, ListField] => [memberName(field), listField(field, column)]);
  return { ...list, fields: { ...list.fields, ...Object.fromEntries(own) } };
}

/** The schemas of the fields, by member name. */
export function customMembers(fields: readonly CustomFieldDefinition[]): Record<string, TSchema> {
  return Object.fromEntries(fields.map((field) => [memberName(field), nullable(TYPES[field.type].schema)]));
}

function listField({ id, type, storageKey, options, filterable }: CustomFieldDefinition, column: string): ListField {
  return {
    type: TYPES[type].list,
    column: valueSql(type, `${column} -> '${storageKey}'`, `(${column} ->> '${storageKey}')`),
    ...(options === null ? {} : { choices: options }),
    ...(type === 'DATETIME' ? { asText: true } : {}),
    ...(type === 'MULTISELECT' ? { sortable: false } : {}),
    ...(filterable ? { index: { fieldId: id, holds: indexKind(type) } } : {}),
  };
}

/**
 * SQL of a value. Documents of another type may store something else under the same key, and PostgreSQL may evaluate the cast before the
 * condition on the type: only values of the right form are cast.
 */
function valueSql(type: CustomFieldType, json: string, text: string): string {
  switch (TYPES[type].list) {
    case 'number':
      return `case when jsonb_typeof(${json}) = 'number' then ${text}::numeric end`;
    case 'boolean':
      return `case when jsonb_typeof(${json}) = 'boolean' then ${text}::boolean end`;
    case 'date':
    case 'instant':
      return `${text} collate "C"`; // These texts sort like their values.
    case 'choices':
      return `(${json})`;
    default:
      return text;
  }
}

function indexKind(type: CustomFieldType): IndexedField['holds'] {
  const { list } = TYPES[type];
  if (list === 'number') return type === 'NUMBER' ? 'whole' : 'millionths';
  return list === 'date' || list === 'instant' ? 'ordered text' : 'text';
}
