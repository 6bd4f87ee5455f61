/** Warnings about a document that was written anyway. */
import type { FieldError } from '../errors.ts';

export const WARNING_CODES = ['no_price', 'no_supplier_reference', 'credit_limit', 'date_before_last'] as const;

/** Like a fault: where in the document, a code, and a message. */
export interface Warning extends FieldError {
  readonly code: (typeof WARNING_CODES)[number];
}
