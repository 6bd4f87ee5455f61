import { invalidMember } from '../../../domain/errors.ts';

/**
 * Checks that a validity does not end before it begins; a missing date means open.
 * @throws ServiceError validation_failed
 */
export function checkValidity({ validFrom, validTo }: Readonly<Record<string, unknown>>): void {
  if (typeof validFrom === 'string' && typeof validTo === 'string' && validTo < validFrom) {
    throw invalidMember('/validTo', 'out_of_range', 'must not be before validFrom');
  }
}
