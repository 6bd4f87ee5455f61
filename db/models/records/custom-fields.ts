/** Definitions of custom fields. */
import type { CustomFieldTable, CustomFieldType } from '../../../domain/records/custom-fields.ts';
import { flag, integer, list, optional, text, uuid } from '../columns.ts';
import { versionedTable } from '../table.ts';

export class CustomField extends versionedTable('custom_fields', {
  pluginId: optional(uuid()),
  tableName: text<CustomFieldTable>(),
  fieldName: text(),
  /** Key of the values in records: the field's name, unless values of a deleted field still use it. */
  storageKey: text(),
  label: text(),
  type: text<CustomFieldType>(),
  position: integer(),
  visibleInList: flag(),
  visibleInForm: flag(),
  required: flag(),
  defaultValue: optional(text()),
  helpText: optional(text()),
  options: optional(list<string[]>()),
  validationRegex: optional(text()),
  active: flag(),
  filterable: flag(),
}) {
  static override entityType = 'CustomField';
  static override access = 'custom_fields:read' as const;
  static override naming = 'snake_case' as const;
  static override hidden: readonly string[] = ['tenantId', 'storageKey'];
}
