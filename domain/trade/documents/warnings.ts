/** Warnings about a document that was saved anyway. */
import type { FieldError } from '../../errors.ts';

export const WARNING_CODES = [
  'no_price',
  'no_supplier_reference',
  'no_customs_document',
  'credit_limit',
  'date_before_last',
] as const;

/** A warning: the place in the document, a code, and a message, like a fault. */
export interface Warning extends FieldError {
  readonly code: (typeof WARNING_CODES)[number];
}
