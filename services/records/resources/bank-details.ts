/** Checks bank details, which several kinds of records have. */
import { invalidMember } from '../../../domain/errors.ts';
import { normalizeBic, normalizeIban } from '../../../domain/identifiers.ts';
import type { Row } from './field.ts';

/**
 * Checks `iban` and `bic` if given.
 * @returns the values with both normalized: without blanks, in upper case
 * @throws ServiceError validation_failed
 */
export function checkBankDetails(values: Row): Row {
  const next = { ...values };
  if (typeof values.iban === 'string') {
    next.iban = normalizeIban(values.iban);
    if (next.iban === null) throw invalidMember('/iban', 'invalid_format', 'must be a valid IBAN');
  }
  if (typeof values.bic === 'string') {
    next.bic = normalizeBic(values.bic);
    if (next.bic === null) throw invalidMember('/bic', 'invalid_format', 'must be a valid BIC');
  }
  return next;
}
