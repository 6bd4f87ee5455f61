import { invalidMember } from '../../domain/errors.ts';

/**
 * Checks that something does not end before it begins; without a date it has no beginning, or no end.
 * @throws ServiceError validation_failed
 */
export function checkValidity({ validFrom, validTo }: Readonly<Record<string, unknown>>): void {
  if (typeof validFrom === 'string' && typeof validTo === 'string' && validTo < validFrom) {
    throw invalidMember('/validTo', 'out_of_range', 'must not be before validFrom');
  }
}
