/** Custom fields: fields that a company adds to its own records. */

/** The kinds of records with custom fields, by their names in the audit log. Documents have one table per type. */
export const CUSTOM_FIELD_TABLES = [
  'Item',
  'BusinessPartner',
  'SalesInvoice',
  'PurchaseInvoice',
  'SalesOrder',
  'PurchaseOrder',
  'SalesQuotation',
  'PurchaseRequest',
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

/** Maximum fields per table: forms and lists must stay usable, and every answer contains all of them. */
export const MAX_CUSTOM_FIELDS = 100;
export const MAX_OPTIONS = 200;
/** Days for which the values of a deleted field are kept. */
export const DELETED_FIELD_DAYS = 30;

/** Prefix of custom fields in bodies, answers and filters. */
export const CUSTOM_PREFIX = 'custom_';

/** Whether values are chosen from options. */
export function hasOptions(type: CustomFieldType): boolean {
  return type === 'SELECT' || type === 'MULTISELECT';
}

/** Whether values are free text, which a validation_regex can check. */
export function isTextLike(type: CustomFieldType): boolean {
  return ['TEXT', 'TEXTAREA', 'URL', 'EMAIL', 'PHONE'].includes(type);
}

/** Custom values as stored: by storage key, without unset ones. */
export type CustomValues = Readonly<Record<string, unknown>>;
