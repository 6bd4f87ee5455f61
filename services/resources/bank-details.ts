/** Where money goes: members that records of several kinds have alike. */
import { invalidMember } from '../../domain/errors.ts';
import { bicOf, ibanOf } from '../../domain/identifiers.ts';
import type { Row } from './fields.ts';

/**
 * Checks `iban` and `bic` where they are given.
 * @returns the values with both in their one form, without blanks and in capitals
 * @throws ServiceError validation_failed
 */
export function checkBankDetails(values: Row): Row {
  const next = { ...values };
  if (typeof values.iban === 'string') {
    next.iban = ibanOf(values.iban);
    if (next.iban === null) throw invalidMember('/iban', 'invalid_format', 'is not a valid IBAN');
  }
  if (typeof values.bic === 'string') {
    next.bic = bicOf(values.bic);
    if (next.bic === null) throw invalidMember('/bic', 'invalid_format', 'is not a valid BIC');
  }
  return next;
}
