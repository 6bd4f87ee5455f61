/** Definitions of custom fields. */
import type { CustomFieldTable, CustomFieldType } from '../../domain/custom-fields.ts';
import { TenantModel } from './base.ts';

export class CustomField extends TenantModel {
  static override tableName = 'custom_fields';
  static override entityType = 'CustomField';
  static override naming = 'snake_case' as const;
  static override hidden: readonly string[] = ['tenantId', 'storageKey'];
  declare pluginId: string | null;
  declare tableName: CustomFieldTable;
  declare fieldName: string;
  /** Under which name records hold the values: the field's, unless kept values of a deleted one have it. */
  declare storageKey: string;
  declare label: string;
  declare type: CustomFieldType;
  declare position: number;
  declare visibleInList: boolean;
  declare visibleInForm: boolean;
  declare required: boolean;
  declare defaultValue: string | null;
  declare helpText: string | null;
  declare options: string[] | null;
  declare validationRegex: string | null;
  declare active: boolean;
  declare filterable: boolean;
}
