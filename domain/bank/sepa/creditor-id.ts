/** The SEPA creditor identifier: country, check digits, a suffix for a line of business, national id. */
import { checkDigits } from '../statements/ccc.ts';

/**
 * Builds a creditor identifier.
 * @param country ISO 3166, two letters
 * @param taxId the national id in capital letters and digits, without the country
 * @param suffix three letters or digits, which the check digits ignore
 */
export function creditorId(country: string, taxId: string, suffix = '000'): string {
  const id = taxId.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
  return `${country}${checkDigits(`${id}${country}00`)}${suffix.toUpperCase()}${id}`;
}
