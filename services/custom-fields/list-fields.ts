/** Custom fields in lists: filters and sorts of the right type, and the members of the rows. */
import type { TSchema } from 'typebox';
import type { IndexedField, ListDefinition, ListField } from '../../db/queries/list.ts';
import type { CustomFieldType } from '../../domain/custom-fields.ts';
import { nullable } from '../validation/schemas.ts';
import type { CustomFieldDefinition } from './definitions.ts';
import { memberName } from './rows.ts';
import { TYPES } from './types.ts';

/** A list that filters and sorts by the fields as well; its rows are those with the definition's `key` (default `id`). */
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
    column: sqlOf(type, `${column} -> '${storageKey}'`, `(${column} ->> '${storageKey}')`),
    ...(options === null ? {} : { choices: options }),
    ...(type === 'DATETIME' ? { asText: true } : {}),
    ...(type === 'MULTISELECT' ? { sortable: false } : {}),
    ...(filterable ? { index: { fieldId: id, holds: indexOf(type) } } : {}),
  };
}

/**
 * SQL of a value. Documents of another type may hold something else under the same key, and PostgreSQL may look at it before it
 * looks at the type: only what has the right form is cast.
 */
function sqlOf(type: CustomFieldType, json: string, text: string): string {
  switch (TYPES[type].list) {
    case 'number':
      return `case when jsonb_typeof(${json}) = 'number' then ${text}::numeric end`;
    case 'boolean':
      return `case when jsonb_typeof(${json}) = 'boolean' then ${text}::boolean end`;
    case 'date':
    case 'instant':
      return `${text} collate "C"`; // these texts sort as what they stand for
    case 'choices':
      return `(${json})`;
    default:
      return text;
  }
}

function indexOf(type: CustomFieldType): IndexedField['holds'] {
  const { list } = TYPES[type];
  if (list === 'number') return type === 'NUMBER' ? 'whole' : 'millionths';
  return list === 'date' || list === 'instant' ? 'ordered text' : 'text';
}
