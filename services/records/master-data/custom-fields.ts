import { Type } from 'typebox';
import { CustomField } from '../../../db/models/records/custom-fields.ts';
import { CUSTOM_FIELD_TABLES, CUSTOM_FIELD_TYPES, MAX_OPTIONS } from '../../../domain/records/custom-fields.ts';
import { choice, flag, integer, label, text } from '../../platform/validation/schemas.ts';
import { lockDefinitions, prepareChangedField, prepareNewField, rememberValues } from '../custom-fields/manage.ts';
import { declareResource } from '../resources/declaration.ts';

const OPTION = text({ max: 200, pattern: '^\\S(?:.*\\S)?$' });

export const customFields = declareResource({
  name: 'CustomField',
  plural: 'CustomFields',
  path: '/api/custom-fields',
  tag: 'Custom fields',
  model: CustomField,
  defaultSort: 'table_name,position,field_name',
  problems: ['in_use', 'plugin_owned'],
  fields: {
    plugin_id: { schema: text({ description: 'Set for fields of a plugin, only by its own token' }) },
    table_name: { schema: choice(CUSTOM_FIELD_TABLES), required: true },
    field_name: {
      schema: text({
        max: 50,
        pattern: '^[a-z][A-Za-z0-9_]*$',
        description: 'Records show the field as custom_<field_name>; names that differ only in case are the same',
      }),
      required: true,
      searchable: true,
    },
    label: { schema: label(), required: true, searchable: true },
    type: { schema: choice(CUSTOM_FIELD_TYPES), required: true },
    position: {
      schema: integer({ minimum: 0, description: 'Order in forms and lists; last by default' }),
      filled: true,
    },
    visible_in_list: { schema: flag(), default: true },
    visible_in_form: { schema: flag(), default: true },
    required: {
      schema: flag({ description: 'Existing records without a value may stay without one' }),
      default: false,
    },
    default_value: {
      schema: text({
        min: 0,
        max: 10_000,
        description:
          'The value of new records that give none, as text: 12.5, true, 2026-01-31, options separated by commas',
      }),
    },
    help_text: { schema: text({ min: 0, max: 1000 }) },
    options: {
      schema: Type.Array(OPTION, {
        maxItems: MAX_OPTIONS,
        uniqueItems: true,
        description: 'For SELECT and MULTISELECT, where it is required; an empty list counts as none',
      }),
    },
    validation_regex: {
      schema: text({
        max: 500,
        description:
          'For texts: must match within the value (RE2: no look-around, no back-references; ^…$ for all of it)',
      }),
    },
    active: {
      schema: flag({ description: 'Inactive fields are hidden and cannot be written; their values are kept' }),
      default: true,
    },
    filterable: { schema: flag({ description: 'Its values are indexed, so that filters are fast' }), default: false },
  },
  filters: {
    plugin_id: { type: 'uuid', sortable: false },
    options: { type: 'text', filterable: false, sortable: false },
  },
  lock: lockDefinitions,
  onCreate: prepareNewField,
  onPatch: prepareChangedField,
  onDelete: rememberValues,
});
