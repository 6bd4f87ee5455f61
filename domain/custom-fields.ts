/** Custom fields: fields of their own that a company adds to its records (interface specification, "Custom field"). */

/** The kinds of records that take custom fields, by the audit log's names. Documents are one table each by their type. */
export const CUSTOM_FIELD_TABLES = [
  'Item',
  'BusinessPartner',
  'SalesInvoice',
  'PurchaseInvoice',
  'SalesOrder',
  'PurchaseOrder',
  'SalesDeliveryNote',
  'PurchaseDeliveryNote',
  'Employee',
  'Warehouse',
] as const;
export type CustomFieldTable = (typeof CUSTOM_FIELD_TABLES)[number];

export const CUSTOM_FIELD_TYPES = [
  'TEXT',
  'NUMBER',
  'DECIMAL',
  'BOOLEAN',
  'DATE',
  'DATETIME',
  'SELECT',
  'MULTISELECT',
  'TEXTAREA',
  'URL',
  'EMAIL',
  'PHONE',
  'CURRENCY',
  'PERCENTAGE',
] as const;
export type CustomFieldType = (typeof CUSTOM_FIELD_TYPES)[number];

/** At most so many fields for each table: forms and lists stay usable, and every answer holds all of them. */
export const MAX_CUSTOM_FIELDS = 100;
export const MAX_OPTIONS = 200;
/** How long the values of a deleted field are kept. */
export const DELETED_FIELD_DAYS = 30;

/** How members of custom fields begin in bodies, answers and filters. */
export const CUSTOM_PREFIX = 'custom_';

/** Whether the type chooses among options. */
export function hasOptions(type: CustomFieldType): boolean {
  return type === 'SELECT' || type === 'MULTISELECT';
}

/** Whether values are free text, which a validation_regex can check. */
export function isTextLike(type: CustomFieldType): boolean {
  return ['TEXT', 'TEXTAREA', 'URL', 'EMAIL', 'PHONE'].includes(type);
}

/** A record's custom values as they are stored: by storage key, without those that are unset. */
export type CustomValues = Readonly<Record<string, unknown>>;
